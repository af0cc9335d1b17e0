import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { insertClient } from './client.queries.ts';

interface NewClient {
  organization_id: string;
  name: string;
  /** URL of a stored image. */
  logo_url?: string;
}

export const createClient = (trx: Transaction, client: NewClient): ReturnType<typeof insertClient> =>
  insertClient(trx, { ...client, id: newId() });
