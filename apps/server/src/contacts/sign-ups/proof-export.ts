import { fileExport } from '../../identity/access/file-exports.ts';
import { rejectPlatformCollections } from '../../content/collections/item-input.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { findContacts } from '../consent/find-contacts.ts';
import { readProof } from './read-proof.ts';

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
