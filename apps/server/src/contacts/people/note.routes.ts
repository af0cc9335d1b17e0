import { maxRecords } from '@reachout/contract/operation.ts';
import { requireWholeOrganization } from '../../identity/access/membership.ts';
import { inTransaction, operations, type OperationContext } from '../../identity/access/operations.ts';
import { notFound, tooManyRecords } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { lockItem } from '../../content/built-in/items.queries.ts';
import { rejectPlatformCollections } from '../../content/collections/item-input.ts';
import type { ContactKey } from '../consent/contact-subscription.ts';
import { findContacts, getContact, type FoundContacts } from '../consent/find-contacts.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { deleteNote, insertNote, listNotes } from './note.queries.ts';

type ContactPath = Pick<ContactKey, 'collection' | 'key'>;

/** Notes on contacts. They are deleted with their contact. */
export const createNoteRoutes = (deps: DirectusDeps) => ({
  notes: operations.contacts.notes.handler(async ({ input, context }) => {
    const contact = contactOf(input, context);
    const contacts = await findContacts(deps, context, contact.collection, [contact.key]);
    return await context.transaction(async (trx) => {
      await getContact(trx, contacts);
      return { items: await listNotes(trx, contact) };
    });
  }),
  addNote: operations.contacts.addNote.handler(async ({ input, context }) => {
    const contact = contactOf(input, context);
    const contacts = await findContacts(deps, context, contact.collection, [contact.key]);
    return await context.commit(async (trx) => {
      await lockContact(trx, contact, contacts);
      if ((await listNotes(trx, contact)).length >= maxRecords) throw tooManyRecords(maxRecords);
      const id = newId();
      await insertNote(trx, contact, { id, text: input.text.trim(), createdBy: context.userId });
      // The audit entry omits the note's text, because audit entries outlive the contact.
      context.note({ record_id: contact.key, details: { collection: contact.collection } });
      return (await listNotes(trx, contact)).find((note) => note.id === id)!;
    });
  }),
  deleteNote: inTransaction(operations.contacts.deleteNote, async (trx, input, context) => {
    const contact = contactOf(input, context);
    if (!(await deleteNote(trx, contact, input.id))) throw notFound();
    context.note({ record_id: contact.key, details: { collection: contact.collection } });
    return { id: input.id };
  }),
});

/**
 * Notes are not assigned to a brand, so only members with access to all brands can see them.
 * @throws 403
 */
function contactOf({ collection, key }: ContactPath, context: OperationContext): ContactKey {
  rejectPlatformCollections(collection);
  requireWholeOrganization(context, 'read', 'Consent');
  return { organizationId: context.organizationId, collection, key };
}

/** Locks the contact so that concurrent adds are counted. Contacts in a Directus are not locked. */
async function lockContact(
  trx: Transaction,
  { organizationId, collection, key }: ContactKey,
  contacts: FoundContacts,
): Promise<void> {
  if (contacts.isRemote) await getContact(trx, contacts);
  else if ((await lockItem(trx, { organizationId, collection, id: key })) === undefined) throw notFound();
}
