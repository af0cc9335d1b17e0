import type { Transaction } from '../../platform/database/database.ts';
import type { ContactKey } from '../consent/contact-subscription.ts';
import { deleteNotes } from './note.queries.ts';
import { markVisitorContacts } from './visitor-contact.queries.ts';

export {
  deleteErasedBindings,
  deleteOldVisitorContacts,
  listErasedBindings,
  listOrganizationsToErase,
  type ErasedBinding,
} from './visitor-contact.queries.ts';

/**
 * Deletes what the platform stores about a contact, in the transaction that deletes the contact. What pages said about its
 * visits is erased by a job (events/erase-hints.ts).
 */
export async function eraseContact(trx: Transaction, contact: ContactKey): Promise<void> {
  await deleteNotes(trx, contact);
  await markVisitorContacts(trx, contact);
}
