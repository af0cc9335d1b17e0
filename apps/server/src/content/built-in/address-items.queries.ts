import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';

/** A field whose values are addresses of persons. */
export interface AddressField {
  collection: string;
  field: string;
}

/** Lists the fields that hold addresses by their name or kind, of all collections for users. */
export async function listEmailFields(trx: Transaction, organizationId: string): Promise<AddressField[]> {
  const { rows } = await sql<AddressField>`
    select collection, field from content_fields
    where organization_id = ${organizationId} and (field = 'email' or interface = 'email')
      and not starts_with(collection, 'reachout_') and not starts_with(collection, 'directus_')
  `.execute(trx);
  return rows;
}

export interface AddressItem {
  collection: string;
  id: string;
  data: Record<string, unknown>;
  date_created: string;
  date_updated: string;
}

/**
 * Lists the items that may have an address in one of the fields: whose values contain its local part, in any spelling of the
 * domain. Reads all items of these collections.
 */
export async function listItemsWithLocalPart(
  trx: Transaction,
  organizationId: string,
  fields: readonly AddressField[],
  addressKey: string,
): Promise<AddressItem[]> {
  const local = addressKey.slice(0, addressKey.lastIndexOf('@') + 1);
  const { rows } = await sql<AddressItem>`
    select distinct on (i.collection, i.id) i.collection, i.id, i.data, i.date_created, i.date_updated
    from json_to_recordset(${JSON.stringify(fields)}::json) as f (collection text, field text)
    join content_items i on i.organization_id = ${organizationId} and i.collection = f.collection
      and starts_with(lower(ltrim(i.data ->> f.field, E' \\t\\r\\n')), ${local})
    order by i.collection, i.id
  `.execute(trx);
  return rows;
}
