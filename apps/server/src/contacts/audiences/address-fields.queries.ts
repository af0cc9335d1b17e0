import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';

/** Lists the fields to which filters send, by collection. */
export async function listMappedFields(
  trx: Transaction,
  organizationId: string,
): Promise<{ collection: string; field: string }[]> {
  const { rows } = await sql<{ collection: string; field: string }>`
    select distinct collection, field_mapping ->> 'email' as field from filters
    where organization_id = ${organizationId} and field_mapping ->> 'email' is not null
  `.execute(trx);
  return rows;
}

/** Deletes read contacts that have an address in any of their values. */
export async function deleteReadContacts(
  trx: Transaction,
  organizationId: string,
  addressKey: string,
): Promise<void> {
  await sql`
    delete from audience_reading_contacts c
    where c.organization_id = ${organizationId}
      and exists (select from jsonb_each_text(c.data) v where lower(btrim(v.value)) = ${addressKey})
  `.execute(trx);
}
