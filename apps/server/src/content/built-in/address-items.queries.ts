import { sql, type RawBuilder } from 'kysely';
import { maxInputLength } from '../../email/addresses/address.ts';
import { rowsOf, type Row, type Transaction } from '../../platform/database/database.ts';

/** A field whose values are addresses of persons. */
export type AddressField = Row<'content_fields', 'collection' | 'field'>;

/** Lists the fields that hold addresses by their name or kind, of all collections for users. */
export const listEmailFields = (trx: Transaction, organizationId: string) => rowsOf<AddressField>(trx)`
  select collection, field from content_fields
  where organization_id = ${organizationId} and (field = 'email' or interface = 'email')
    and not starts_with(collection, 'reachout_') and not starts_with(collection, 'directus_')
`;

/** An item with its values in fields of addresses that are short enough for one; all of it may have a megabyte. */
export interface AddressItem {
  collection: string;
  id: string;
  values: Record<string, unknown>;
}

/**
 * Lists items that may have an address in one of the fields: whose values contain its local part, in any spelling of the
 * domain. Reads all items of these collections from `after` on.
 */
export async function listItemsWithLocalPart(
  trx: Transaction,
  organizationId: string,
  fields: readonly AddressField[],
  addressKey: string,
  { after, limit }: { after: ItemKey; limit: number },
): Promise<AddressItem[]> {
  const local = addressKey.slice(0, addressKey.lastIndexOf('@') + 1);
  const collections = [...new Set(fields.map(({ collection }) => collection))];
  const ofItem = sql`json_to_recordset(${JSON.stringify(fields)}::json) as f (collection text, field text)
    where f.collection = i.collection`;
  return await rowsOf<AddressItem>(trx)`
    select i.collection, i.id, (
      select coalesce(jsonb_object_agg(f.field, i.data -> f.field), '{}')
      from ${ofItem} and octet_length(i.data ->> f.field) <= ${maxInputLength * 4}
    ) as values
    from content_items i
    where i.organization_id = ${organizationId} and i.collection = any(${collections}::text[])
      and (i.collection, i.id) > (${after.collection}, ${after.id})
      and exists (select from ${ofItem} and starts_with(lower(ltrim(i.data ->> f.field, E' \\t\\r\\n')), ${local}))
    order by i.collection, i.id
    limit ${limit}
  `;
}

export interface ItemKey {
  collection: string;
  id: string;
}

/** SQL that selects items with all of their fields. */
export const selectItems = (organizationId: string, keys: readonly ItemKey[]): RawBuilder<object> => sql`
  select i.collection, i.id, i.data as fields, i.date_created as created_at, i.date_updated as updated_at
  from json_to_recordset(${JSON.stringify(keys)}::json) as g (collection text, id text)
  join content_items i on i.organization_id = ${organizationId} and i.collection = g.collection and i.id = g.id`;
