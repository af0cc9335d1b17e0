import type { OperationContext } from '../../identity/access/operations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { createBuiltInBackend } from './built-in-backend.ts';
import type { ContentBackend } from '../backend/content-backend.ts';

/** Runs `work` with the content backend of the caller's organization, in one transaction. */
export const withBackend = <T>(
  { organizationId, userId, transaction }: OperationContext,
  work: (backend: ContentBackend, trx: Transaction) => Promise<T>,
): Promise<T> => transaction((trx) => work(createBuiltInBackend(trx, { organizationId, userId }), trx));
