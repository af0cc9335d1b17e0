import { accessScopeOf } from '@reachout/contract/abilities.ts';
import { maxRecords } from '@reachout/contract/operation.ts';
import { inTransaction, operations, type OperationContext } from '../../identity/access/operations.ts';
import { forbidden, notFound, tooManyRecords } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { isPlatformCollection } from '../backend/content-backend.ts';
import { lockItem } from '../built-in/items.queries.ts';
import { getContact, type ContactKey } from '../consent/contact-subscription.ts';
import { deleteNote, insertNote, listNotes } from './note.queries.ts';

type ContactPath = Pick<ContactKey, 'collection' | 'key'>;

/** Notes on contacts. They go with their contact. */
export const noteRoutes = {
  notes: inTransaction(operations.contacts.notes, async (trx, input, context) => {
    const contact = contactOf(input, context);
    await getContact(trx, contact);
    return { items: await listNotes(trx, contact) };
  }),
  addNote: inTransaction(operations.contacts.addNote, async (trx, input, context) => {
    const contact = contactOf(input, context);
    await lockContact(trx, contact);
    if ((await listNotes(trx, contact)).length >= maxRecords) throw tooManyRecords(maxRecords);
    const id = newId();
    await insertNote(trx, contact, { id, text: input.text.trim(), createdBy: context.userId });
    // What the note says stays with the contact: entries of the audit log outlive it.
    context.note({ record_id: contact.key });
    return (await listNotes(trx, contact)).find((note) => note.id === id)!;
  }),
  deleteNote: inTransaction(operations.contacts.deleteNote, async (trx, input, context) => {
    const contact = contactOf(input, context);
    if (!(await deleteNote(trx, contact, input.id))) throw notFound();
    context.note({ record_id: contact.key });
    return { id: input.id };
  }),
};

/**
 * Notes name no brand, so that nobody knows whose they are: only those see them who see all brands.
 * @throws 403
 */
function contactOf({ collection, key }: ContactPath, context: OperationContext): ContactKey {
  if (isPlatformCollection(collection)) throw notFound();
  const { rules, organizationId } = context;
  if (accessScopeOf(rules, 'read', 'Consent', organizationId) !== 'all') throw forbidden('read', 'Consent');
  return { organizationId, collection, key };
}

/** Two notes at the same moment count each other. */
async function lockContact(trx: Transaction, { organizationId, collection, key }: ContactKey): Promise<void> {
  if ((await lockItem(trx, { organizationId, collection, id: key })) === undefined) throw notFound();
}
