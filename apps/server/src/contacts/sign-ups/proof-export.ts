import { fileExport } from '../../identity/access/file-exports.ts';
import { rejectPlatformCollections } from '../../content/collections/item-input.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { findContacts, getContact, type FoundContacts } from '../consent/find-contacts.ts';
import type { SignUp } from '@reachout/contract/sign-up-forms.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { addressKeyOf } from '../consent/subscription.ts';
import { listSignUps } from './sign-up.queries.ts';

/** What a contact has signed up for: JSON, because it is a proof and no table. */
export const proofExport = (deps: DirectusDeps) =>
  fileExport('signUpForms.exportProof', async ({ collection, key }, { who, transaction }) => {
    const place = { ...who, transaction };
    const contacts = await findContacts(deps, place, rejectPlatformCollections(collection), [key]);
    const items = await transaction((trx) => readProof(trx, who.organizationId, contacts));
    return {
      name: 'sign-ups.json',
      type: 'application/json; charset=utf-8',
      pieces: inOnePiece(JSON.stringify({ items }, null, 2)),
      note: { record_type: 'signUpForms', record_id: key, details: { count: items.length } },
    };
  });

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text;
}

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
