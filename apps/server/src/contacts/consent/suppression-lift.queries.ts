import { sql } from 'kysely';
import type { liftableReasons } from '@reachout/contract/statuses.ts';
import type { SuppressionLift } from '@reachout/contract/suppressions.ts';
import { execute, rowsOf, type Transaction } from '../../platform/database/database.ts';
import { recordLifted } from './choices.queries.ts';
import { hasLiftableReason, matches, type SuppressionFilter } from './suppression-list.queries.ts';

type LiftableReason = (typeof liftableReasons)[number];

export interface LiftCriteria {
  reason?: LiftableReason | undefined;
  send_id?: string | undefined;
  brand_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export async function sendExists(trx: Transaction, id: string): Promise<boolean> {
  const send = await trx.selectFrom('touchpoint_sends').select('id').where('id', '=', id).executeTakeFirst();
  return send !== undefined;
}

/**
 * Stores a lift, limited to the access scope of this transaction: the job that continues it has none. What is entered from
 * now on is not lifted.
 */
export const insertLift = (
  trx: Transaction,
  lift: { id: string; basis: string; createdBy: string; totalCount: number },
  { reason, send_id, brand_id, from, to }: LiftCriteria,
) => execute(trx)`
  insert into suppression_lifts
    (organization_id, id, reason, send_id, from_at, to_at, brand_ids, basis, total_count, created_by)
  values (current_organization_id(), ${lift.id}::uuid, ${reason ?? null}::text, ${send_id ?? null}::uuid, ${from ?? null}::timestamptz, ${to ?? null}::timestamptz,
    case when ${brand_id ?? null}::uuid is not null or not has_full_access_scope() then array(
      select b.id from current_brands b
      where b.organization_id = current_organization_id() and b.id = coalesce(${brand_id ?? null}::uuid, b.id)
    ) end, ${lift.basis}, ${lift.totalCount}, ${lift.createdBy}::uuid)
`;

/** The last suppression of a batch, with the microseconds that timestamps lack here. */
export interface LiftPosition {
  changed_at: string;
  id: string;
}

export interface LiftedBatch {
  lifted_count: number;
  /** Undefined after the last batch. */
  last: LiftPosition | undefined;
}

/**
 * Lifts the next suppressions of a lift, the oldest first, and records them like single ones. Locks them in the order in
 * which opt-outs are written; those that have become opt-outs in the meantime stay.
 */
export async function liftBatch(
  trx: Transaction,
  key: { organizationId: string; id: string },
  { after, limit }: { after: LiftPosition | undefined; limit: number },
): Promise<LiftedBatch> {
  const lift = await getCriteria(trx, key);
  const isBehind =
    after === undefined
      ? sql`true`
      : sql`(p.changed_at, p.id) > (${after.changed_at}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<{ lifted_count: number; found_count: number; changed_at: string; id: string }>`
    with found as materialized (
      select p.id, p.changed_at from choices p
      where ${matches(lift)} and ${hasLiftableReason} and ${isBehind}
      order by p.changed_at, p.id
      limit ${limit}
    ), locked as materialized (
      select p.id from choices p
      where p.organization_id = ${key.organizationId} and p.id in (select id from found) and ${hasLiftableReason}
      order by p.address_key, p.brand_id
      for update
    ), lifted as (
      delete from choices p
      where p.organization_id = ${key.organizationId} and p.id in (select id from locked)
      returning p.*
    ), lift as (
      select basis, created_by from suppression_lifts where organization_id = ${key.organizationId} and id = ${key.id}
    ), recorded as (
      ${recordLifted(sql`(select basis from lift)`, sql`(select created_by from lift)`)}
      returning id
    ), last as (
      select changed_at, id from found order by changed_at desc, id desc limit 1
    )
    select (select count(*) from recorded) as lifted_count, (select count(*) from found) as found_count,
      (select changed_at::text from last) as changed_at, (select id from last) as id
  `.execute(trx);
  const { lifted_count, found_count, changed_at, id } = rows[0]!;
  return { lifted_count, last: found_count < limit ? undefined : { changed_at, id } };
}

async function getCriteria(
  trx: Transaction,
  key: { organizationId: string; id: string },
): Promise<SuppressionFilter> {
  const { rows } = await sql<Record<keyof LiftedFilter, never>>`
    select reason, send_id, from_at::text as "from", least(to_at, created_at)::text as "to", brand_ids
    from suppression_lifts
    where organization_id = ${key.organizationId} and id = ${key.id}
  `.execute(trx);
  return Object.fromEntries(Object.entries(rows[0]!).filter(([, value]) => value !== null));
}

type LiftedFilter = Pick<SuppressionFilter, 'reason' | 'send_id' | 'from' | 'to' | 'brand_ids'>;

export async function updateLift(
  trx: Transaction,
  key: { organizationId: string; id: string },
  { liftedCount, isFinished }: { liftedCount: number; isFinished: boolean },
): Promise<void> {
  await trx
    .updateTable('suppression_lifts')
    .set({
      lifted_count: sql`lifted_count + ${liftedCount}`,
      ...(isFinished ? { finished_at: sql`now()` } : {}),
    })
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.id)
    .execute();
}

/** The latest first. @param id  only this one */
export const listLifts = (
  trx: Transaction,
  { id, limit }: { id?: string; limit: number },
) => rowsOf<SuppressionLift>(trx)`
  select l.id, l.reason, l.send_id, l.from_at as "from", l.to_at as "to", l.basis, l.total_count, l.lifted_count,
    l.created_at, l.finished_at,
    case when u.id is not null then jsonb_build_object('id', u.id, 'full_name', u.full_name) end as by
  from suppression_lifts l
  left join users u on u.id = l.created_by
  where l.organization_id = current_organization_id() and ${id === undefined ? sql`true` : sql`l.id = ${id}::uuid`}
  order by l.created_at desc, l.id desc
  limit ${limit}
`;
