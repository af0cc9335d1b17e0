import type { Transaction } from '../../platform/database/database.ts';
import { listMemberEmails } from './member.queries.ts';

/** Whether a member of the organization of the transaction has this address. */
export async function isMemberAddress(trx: Transaction, address: string): Promise<boolean> {
  return (await listMemberEmails(trx, [address.toLowerCase()])).length > 0;
}
