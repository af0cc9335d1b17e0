import { retryCopies } from '../../clients/outbox/note-changes.ts';
import { inTransactions, operations } from '../../identity/access/operations.ts';
import { describeOutbox } from './copies.queries.ts';

export const mirrorRoutes = inTransactions(operations.contentBackend, {
  copies: (trx, _input, { organizationId }) => describeOutbox(trx, organizationId),
  retryCopies: async (trx, _input, { organizationId }) => {
    await retryCopies(trx, organizationId);
    return await describeOutbox(trx, organizationId);
  },
});
