import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ContactKey } from '../consent/contact-subscription.ts';
import { deleteNotes } from './note.queries.ts';

/** Contact notes, by `organization_id` and optionally `collection`. */
export const noteRows: DeleteBatchOf = deleteRowsOf('contact_notes');

/** Deletes the notes on a contact, in the transaction that deletes the contact. */
export const eraseContact = (trx: Transaction, contact: ContactKey): Promise<void> =>
  deleteNotes(trx, contact);
