import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ContactKey } from '../consent/contact-subscription.ts';
import { deleteNotes } from './note.queries.ts';
import { deleteOldVisitorContacts, markVisitorContacts } from './visitor-contact.queries.ts';

/** Contact notes, by `organization_id` and optionally `collection`. */
export const noteRows: DeleteBatchOf = deleteRowsOf('contact_notes');

/** Bindings of visitors to contacts, by `organization_id` and optionally `send_id`, `touchpoint_id` or `collection`. */
export const visitorContactRows: DeleteBatchOf = deleteRowsOf('visitor_contacts');
export { deleteOldVisitorContacts };

export {
  deleteErasedBindings,
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
