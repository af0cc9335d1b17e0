import { sql } from 'kysely';
import type { ContactNote } from '@reachout/contract/contacts.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ContactKey } from '../consent/contact-subscription.ts';

const isOf = ({ organizationId, collection, key }: ContactKey) =>
  sql<boolean>`n.organization_id = ${organizationId} and n.collection = ${collection} and n.contact_id = ${key}`;

/** Lists the notes on a contact, newest first. */
export async function listNotes(trx: Transaction, contact: ContactKey): Promise<ContactNote[]> {
  const { rows } = await sql<ContactNote>`
    select n.id, n.text, n.created_at,
      case when u.id is not null then jsonb_build_object('id', u.id, 'full_name', u.full_name) end as by
    from contact_notes n
    left join users u on u.id = n.created_by
    where ${isOf(contact)}
    order by n.created_at desc, n.id desc
  `.execute(trx);
  return rows;
}

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

export async function deleteNotes(trx: Transaction, contact: ContactKey): Promise<void> {
  await sql`delete from contact_notes n where ${isOf(contact)}`.execute(trx);
}

/** @returns false if the note does not exist */
export async function deleteNote(trx: Transaction, contact: ContactKey, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from contact_notes n where ${isOf(contact)} and n.id = ${id}
  `.execute(trx);
  return numAffectedRows === 1n;
}
