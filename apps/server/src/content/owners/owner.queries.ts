import { sql, type RawBuilder } from 'kysely';
import type { BrandSummary } from '@reachout/contract/clients.ts';
import type { Owner } from '@reachout/contract/rules/owners.ts';
import { rowsOf, type Transaction } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';

export async function clientExists(trx: Transaction, id: string): Promise<boolean> {
  const client = await trx
    .selectFrom('clients')
    .select('id')
    .where('id', '=', id)
    .where('deleted', '=', false)
    .$call(prepared)
    .executeTakeFirst();
  return client !== undefined;
}

/** @returns undefined for a missing or deleted brand */
export const findClientOfBrand = async (trx: Transaction, id: string): Promise<string | undefined> =>
  (
    await trx
      .selectFrom('current_brands')
      .select('client_id')
      .where('id', '=', id)
      .$call(prepared)
      .executeTakeFirst()
  )?.client_id ?? undefined;

export interface OwnedRecord {
  kind: 'collection' | 'audience';
  /** Name of a collection; id of any other record. */
  key: string;
}

export async function countOtherUsers(
  trx: Transaction,
  { kind, key }: OwnedRecord,
  { client_id, brand_id }: Owner,
): Promise<number> {
  const rows = await rowsOf<{ count: number }>(trx)`
    select count_other_users(${kind}, ${key}, ${client_id}::uuid, ${brand_id}::uuid) as count
  `;
  return rows[0]?.count ?? 0;
}

interface OtherUser {
  kind: 'audience' | 'email';
  id: string;
  name: string;
}

/** Lists those within the access scope, by name. */
export async function listOtherUsers(
  trx: Transaction,
  { kind, key }: OwnedRecord,
  next: Owner,
  limit: number,
): Promise<OtherUser[]> {
  const users =
    kind === 'collection'
      ? sql`select 'audience' as kind, id, name, client_id, brand_id from filters where collection = ${key}`
      : sql`
        select 'email' as kind, t.id, t.name, t.client_id, t.brand_id
        from touchpoint_emails e
        join current_touchpoints t on t.organization_id = e.organization_id and t.id = e.touchpoint_id
        where e.filter_id = ${key}::uuid`;
  return await rowsOf<OtherUser>(trx)`
    select kind, id, name from (${users}) used_by
    where not is_usable_for(${next.client_id}::uuid, ${next.brand_id}::uuid, client_id, brand_id)
    order by lower(name), id
    limit ${limit}
  `;
}

export async function countAudiencesOf(trx: Transaction, collection: string): Promise<number> {
  const rows = await rowsOf<{ count: number }>(trx)`select count_audiences_of(${collection}) as count`;
  return rows[0]?.count ?? 0;
}

/** Lists those within the access scope, by name. */
export const listAudiencesOf = (trx: Transaction, collection: string, limit: number) => rowsOf<{
  kind: 'audience';
  id: string;
  name: string;
}>(trx)`
  select 'audience' as kind, id, name from filters
  where collection = ${collection} and ${hasCurrentOwner}
  order by lower(name), id
  limit ${limit}
`;

/** Includes deleted clients and brands. */
export async function listOwnerNames(
  trx: Transaction,
  owners: readonly Owner[],
): Promise<{ clients: { id: string; name: string }[]; brands: BrandSummary[] }> {
  const idsOf = (column: keyof Owner) => [
    ...new Set(owners.flatMap((owner) => (owner[column] === null ? [] : [owner[column]]))),
  ];
  const [clientIds, brandIds] = [idsOf('client_id'), idsOf('brand_id')];
  return {
    clients:
      clientIds.length === 0
        ? []
        : await trx.selectFrom('clients').select(['id', 'name']).where('id', 'in', clientIds).execute(),
    brands:
      brandIds.length === 0
        ? []
        : await trx
            .selectFrom('brands')
            .select(['id', 'name', 'logo_url', 'dark_logo_url', 'color'])
            .where('id', 'in', brandIds)
            .execute(),
  };
}

/** List filter: records that a client or brand can use. */
export interface UsableBy {
  client_id?: string | undefined;
  brand_id?: string | undefined;
}

/**
 * SQL condition on `client_id` and `brand_id`. With a client: records of the client or its brands. With a brand: records
 * that the brand can use. Both include records shared by all clients.
 */
export const isUsableBySql = ({ client_id, brand_id }: UsableBy): RawBuilder<boolean> => sql`(
  ${client_id === undefined ? sql`true` : sql`(client_id is null or client_id = ${client_id}::uuid)`}
  and ${
    brand_id === undefined
      ? sql`true`
      : sql`is_usable_for(client_id, brand_id, (select b.client_id from brands b where b.id = ${brand_id}), ${brand_id}::uuid)`
  })`;

/** SQL condition on the same columns: neither the client nor the brand is deleted. */
export const hasCurrentOwner = sql<boolean>`(
  (client_id is null or client_id in (select c.id from clients c where not c.deleted))
  and (brand_id is null or brand_id in (select b.id from current_brands b)))`;
