import { sql, type RawBuilder } from 'kysely';
import type { ContactNote } from '@reachout/contract/contacts.ts';
import { execute, rowsOf, type Transaction } from '../../platform/database/database.ts';
import { selectItems, type ItemKey } from '../../content/built-in/address-items.queries.ts';
import type { ContactKey } from '../consent/contact-subscription.ts';

const isOf = ({ organizationId, collection, key }: ContactKey) =>
  sql<boolean>`n.organization_id = ${organizationId} and n.collection = ${collection} and n.contact_id = ${key}`;

/** Lists the notes on a contact, newest first. */
export const listNotes = (trx: Transaction, contact: ContactKey) => rowsOf<ContactNote>(trx)`
  select n.id, n.text, n.created_at,
    case when u.id is not null then jsonb_build_object('id', u.id, 'full_name', u.full_name) end as by
  from contact_notes n
  left join users u on u.id = n.created_by
  where ${isOf(contact)}
  order by n.created_at desc, n.id desc
`;

/** SQL that adds to contacts (`collection`, `id`) their notes as JSON, without who wrote them, newest first. */
const withNotes = (organizationId: string, contacts: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select i.*, (
    select coalesce(json_agg(json_build_object('text', n.text, 'at', n.created_at) order by n.created_at desc, n.id desc), '[]')
    from contact_notes n
    where n.organization_id = ${organizationId} and n.collection = i.collection and n.contact_id = i.id
  ) as notes
  from (${contacts}) i`;

/** SQL that selects contacts of the built-in backend with all of their fields and notes. */
export const selectContacts = (organizationId: string, keys: readonly ItemKey[]): RawBuilder<unknown> =>
  withNotes(organizationId, selectItems(organizationId, keys));

/** The same for contacts that were read elsewhere. */
export const selectGivenContacts = (
  organizationId: string,
  contacts: readonly (ItemKey & { fields: object })[],
): RawBuilder<unknown> =>
  withNotes(
    organizationId,
    sql`select r.* from json_to_recordset(${JSON.stringify(contacts)}::json) as r (collection text, id text, fields json)`,
  );

export async function insertNote(
  trx: Transaction,
  { organizationId, collection, key }: ContactKey,
  note: { id: string; text: string; createdBy: string },
): Promise<void> {
  await trx
    .insertInto('contact_notes')
    .values({
      organization_id: organizationId,
      collection,
      contact_id: key,
      id: note.id,
      text: note.text,
      created_by: note.createdBy,
    })
    .execute();
}

export const deleteNotes = (trx: Transaction, contact: ContactKey) =>
  execute(trx)`delete from contact_notes n where ${isOf(contact)}`;

/** @returns false if the note does not exist */
export async function deleteNote(trx: Transaction, contact: ContactKey, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from contact_notes n where ${isOf(contact)} and n.id = ${id}
  `.execute(trx);
  return numAffectedRows === 1n;
}
