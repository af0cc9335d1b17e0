import type { NewRow, Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { insertClient } from './client.queries.ts';

export const createClient = (
  trx: Transaction,
  client: Omit<NewRow<'clients'>, 'id'>,
): ReturnType<typeof insertClient> => insertClient(trx, { ...client, id: newId() });
