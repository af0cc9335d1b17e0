import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ContactKey } from '../consent/contact-subscription.ts';
import { deleteNotes } from './note.queries.ts';

/** The notes on all contacts, by `organization_id`, or on those of a collection, with `collection`. */
export const noteRows: DeleteBatchOf = deleteRowsOf('contact_notes');

/** What goes with a contact that is deleted, in the transaction that deletes it. */
export const eraseContact = (trx: Transaction, contact: ContactKey): Promise<void> =>
  deleteNotes(trx, contact);
