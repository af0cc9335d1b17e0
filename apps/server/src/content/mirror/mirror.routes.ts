import { retryCopies } from '../../clients/outbox/note-changes.ts';
import { inTransaction, operations } from '../../identity/access/operations.ts';
import { describeOutbox } from './outbox-overview.queries.ts';

export const mirrorRoutes = {
  copies: inTransaction(operations.contentBackend.copies, (trx, _input, { organizationId }) =>
    describeOutbox(trx, organizationId),
  ),
  retryCopies: inTransaction(
    operations.contentBackend.retryCopies,
    async (trx, _input, { organizationId }) => {
      await retryCopies(trx, organizationId);
      return await describeOutbox(trx, organizationId);
    },
  ),
};
