import { sql, type RawBuilder } from 'kysely';
import type { SuppressedState, SuppressionReason } from '@reachout/contract/statuses.ts';
import { onlyRowOf, rowsOf, type Transaction } from '../../platform/database/database.ts';
import { containsPattern, splitOrder, type Paging } from '../../platform/database/list-page.ts';

export interface SuppressionFilter {
  reason?: SuppressionReason | undefined;
  send_id?: string | undefined;
  brand_id?: string | undefined;
  /** Only those of these brands, not those of all brands. */
  brand_ids?: string[] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  search?: string | undefined;
  /** The whole address, as suppressions have it. */
  address?: string | undefined;
}

/** A suppression with the part of its origin that the reader can see. */
export interface StoredSuppression {
  id: string;
  address: string;
  brand_id: string | null;
  brand_name: string | null;
  reason: SuppressionReason;
  state: SuppressedState;
  created_at: string;
  at: string;
  has_send: boolean;
  /** Also if the import itself is gone. */
  is_imported: boolean;
  send_id: string | null;
  touchpoint: { id: string; name: string } | null;
  by: { id: string; full_name: string } | null;
  import: { id: string; file_name: string } | null;
  note: string | null;
}

/**
 * Suppressions `p` that a bulk lift may remove, as far as their reason says: bounces, and blocks that a member has entered.
 * A block without a person and an import is the operator's.
 */
export const hasLiftableReason = sql<boolean>`
  (p.value = 'bounce' or (p.value = 'manual' and (p.created_by is not null or p.import_id is not null)))`;

/** Suppressions `p` of the organization; those of deleted brands are neither shown, counted nor lifted. */
export function matches({
  reason,
  send_id,
  brand_id,
  from,
  to,
  search,
  address,
  brand_ids,
}: SuppressionFilter): RawBuilder<boolean> {
  const conditions = [
    sql`p.organization_id = current_organization_id() and p.kind = 'suppression'`,
    sql`(p.brand_id is null or p.brand_id in (select b.id from current_brands b))`,
    ...(reason === undefined ? [] : [sql`p.value = ${reason}`]),
    ...(send_id === undefined ? [] : [sql`p.send_id = ${send_id}::uuid`]),
    ...(brand_id === undefined ? [] : [sql`p.brand_id = ${brand_id}::uuid`]),
    ...(brand_ids === undefined ? [] : [sql`p.brand_id = any(${brand_ids}::uuid[])`]),
    ...(from === undefined ? [] : [sql`p.changed_at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`p.changed_at <= ${to}::timestamptz`]),
    ...(address === undefined ? [] : [sql`p.address_key = ${address}`]),
    ...(search === undefined ? [] : [sql`p.address_key ilike ${containsPattern(search)}`]),
  ];
  return sql`${sql.join(conditions, sql` and `)}`;
}

/** `liftable_count` depends on the access scope, too: suppressions for all brands are lifted by members of all brands. */
export const countSuppressions = (trx: Transaction, filter: SuppressionFilter) => onlyRowOf<{
  count: number;
  liftable_count: number;
}>(trx)`
  select count(*) as count, count(*) filter (where ${hasLiftableReason}
    and (p.brand_id is not null or (select has_full_access_scope()))) as liftable_count
  from choices p
  where ${matches(filter)}
`;

/** Each is that of an index. */
const orderings = {
  created_at: (direction: RawBuilder<unknown>) => sql`p.changed_at ${direction}, p.id ${direction}`,
  address: (direction: RawBuilder<unknown>) => sql`p.address_key ${direction}, p.brand_id ${direction}`,
};

type Order = `${keyof typeof orderings}.${'asc' | 'desc'}`;

export async function listSuppressionPage(
  trx: Transaction,
  { page, page_size, order, ...filter }: SuppressionFilter & Paging & { order: Order },
): Promise<StoredSuppression[]> {
  const { column, direction } = splitOrder(order);
  const ordered = orderings[column](direction === 'asc' ? sql`asc` : sql`desc`);
  return await describe(
    trx,
    sql`select p.* from choices p where ${matches(filter)}
      order by ${ordered} limit ${page_size} offset ${page * page_size}`,
    ordered,
  );
}

/** @param afterId  the last id of the previous page @returns suppressions by id, for exports */
export const listSuppressionsAfter = (
  trx: Transaction,
  filter: SuppressionFilter,
  { afterId, limit }: { afterId: string | undefined; limit: number },
): Promise<StoredSuppression[]> =>
  describe(
    trx,
    sql`select p.* from choices p where ${matches(filter)}
      and ${afterId === undefined ? sql`true` : sql`p.id > ${afterId}::uuid`}
      order by p.id limit ${limit}`,
    sql`p.id`,
  );

/** The names are joined to the rows of the page alone. */
const describe = (
  trx: Transaction,
  page: RawBuilder<unknown>,
  ordered: RawBuilder<unknown>,
) => rowsOf<StoredSuppression>(trx)`
  select p.id, p.address_key as address, p.brand_id, b.name as brand_name, p.value as reason,
    subscription_state(p.value, p.brand_id, null, null, p.brand_id, null) as state,
    p.changed_at as created_at, coalesce(p.occurred_at, p.changed_at) as at, p.send_id is not null as has_send,
    p.import_id is not null as is_imported, s.id as send_id, p.note,
    case when t.id is not null then jsonb_build_object('id', t.id, 'name', t.name) end as touchpoint,
    case when u.id is not null then jsonb_build_object('id', u.id, 'full_name', u.full_name) end as by,
    case when i.id is not null then jsonb_build_object('id', i.id, 'file_name', i.file_name) end as import
  from (${page}) p
  left join current_brands b on b.organization_id = p.organization_id and b.id = p.brand_id
  left join touchpoint_sends s on s.organization_id = p.organization_id and s.id = p.send_id
  left join current_touchpoints t on t.organization_id = p.organization_id and t.id = s.touchpoint_id
  left join content_imports i on i.organization_id = p.organization_id and i.id = p.import_id
  left join users u on u.id = p.created_by
  order by ${ordered}
`;
