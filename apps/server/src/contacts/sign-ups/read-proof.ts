import type { SignUp } from '@reachout/contract/sign-up-forms.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { getContact, type FoundContacts } from '../consent/find-contacts.ts';
import { addressKeyOf } from '../consent/subscription.ts';
import { listSignUps } from './sign-up.queries.ts';

/** Maximum sign-ups in one response. */
const limit = 100;

/** @returns what a contact's address has signed up for, the newest first @throws 404 */
export async function readProof(
  trx: Transaction,
  organizationId: string,
  contacts: FoundContacts,
): Promise<SignUp[]> {
  const addressKey = addressKeyOf((await getContact(trx, contacts)).email);
  return addressKey === undefined ? [] : await listSignUps(trx, { organizationId, addressKey }, limit);
}
