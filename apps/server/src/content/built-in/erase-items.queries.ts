import { rowsOf, type Transaction } from '../../platform/database/database.ts';

/** A client with all its brands, or a brand. */
export interface ErasedOwner {
  kind: 'clients' | 'brands';
  id: string;
}

const columnOf = { clients: 'client_id', brands: 'brand_id' } as const;
const fieldOf = { clients: 'client', brands: 'brand' } as const;

export async function listCollectionsOf(
  trx: Transaction,
  organizationId: string,
  { kind, id }: ErasedOwner,
): Promise<string[]> {
  const rows = await trx
    .selectFrom('content_collections')
    .select('collection')
    .where('organization_id', '=', organizationId)
    .where(columnOf[kind], '=', id)
    .execute();
  return rows.map(({ collection }) => collection);
}

/** Deletes templates and releases their unique names. The organization's quota limits their number. @returns their ids */
export async function deleteTemplatesOf(
  trx: Transaction,
  organizationId: string,
  { kind, id }: ErasedOwner,
): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(trx)`
    with erased as (
      delete from content_items
      where organization_id = ${organizationId} and collection = 'reachout_templates' and data ->> ${fieldOf[kind]} = ${id}
      returning id
    ),
    released as (
      delete from content_unique_values
      where organization_id = ${organizationId} and collection = 'reachout_templates' and item_id in (select id from erased)
    ),
    counted as (
      update content_collections set items_count = items_count - (select count(*) from erased)
      where organization_id = ${organizationId} and collection = 'reachout_templates'
    )
    select id from erased
  `;
  return rows.map((row) => row.id);
}
