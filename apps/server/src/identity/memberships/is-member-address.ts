import type { Transaction } from '../../platform/database/database.ts';
import { listMemberEmails } from './member.queries.ts';

/** Whether a member of the organization of the transaction has this address. */
export const isMemberAddress = async (trx: Transaction, address: string): Promise<boolean> =>
  (await listMemberEmails(trx, [address.toLowerCase()])).length > 0;
