import { sql, type SelectQueryBuilder } from 'kysely';
import type { TouchpointStatus, TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { onPage, type Paging } from '../../platform/database/list-page.ts';
import type { DB } from '../../platform/database/types.gen.ts';
import { isRestorable } from '../../platform/database/restorable.ts';
import type { TouchpointRow } from './touchpoint.ts';

const recentCount = 5;

interface TouchpointList extends Paging {
  brand_id?: string | undefined;
  campaign_id?: string | undefined;
  order: `${'name' | 'updated_at'}.${'asc' | 'desc'}`;
}

/** Those of a campaign, or all but the archived ones of a brand or of the organization. */
export async function listTouchpoints(
  trx: Transaction,
  { brand_id, campaign_id, ...page }: TouchpointList,
): Promise<{ rows: TouchpointRow[]; count: number }> {
  const matching = <O>(from: SelectQueryBuilder<DB, 'current_touchpoints', O>) =>
    from
      .$if(brand_id !== undefined, (query) => query.where('brand_id', '=', brand_id ?? null))
      .$if(campaign_id !== undefined, (query) => query.where('campaign_id', '=', campaign_id ?? null))
      .$if(campaign_id === undefined, (query) => query.where('status', '<>', 'archived'));
  const { count } = await matching(trx.selectFrom('current_touchpoints'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const rows = await matching(selectTouchpoints(trx)).$call(onPage(page)).execute();
  return { rows, count };
}

/** The five newest. */
export const listRecentTouchpoints = (trx: Transaction): Promise<TouchpointRow[]> =>
  selectTouchpoints(trx).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(recentCount).execute();

/** @throws 404 for one that is deleted, or belongs to something deleted, too */
export const getTouchpoint = (trx: Transaction, id: string): Promise<TouchpointRow> =>
  selectTouchpoints(trx).where('id', '=', id).executeTakeFirstOrThrow(notFound);

const selectTouchpoints = (trx: Transaction) =>
  trx
    .selectFrom('current_touchpoints')
    .select([
      'id',
      'organization_id',
      'campaign_id',
      'name',
      'type',
      'status',
      'collection',
      'error_content',
      'campaign_name',
      'brand_id',
      'brand_name',
      'brand_logo_url',
      'client_id',
      'client_name',
      'created_at',
      'updated_at',
    ])
    .$castTo<TouchpointRow>();

export interface LockedTouchpoint {
  name: string;
  organization_id: string;
  campaign_id: string;
  type: TouchpointType;
  status: TouchpointStatus;
}

/**
 * Holds a touchpoint and all above it until the transaction ends: nobody can delete or archive any of them meanwhile.
 * The campaign is held for a change, since a change of its touchpoints changes it too.
 * @throws 404 unless it is there and visible
 */
export const lockCurrentTouchpoint = (trx: Transaction, id: string): Promise<LockedTouchpoint> =>
  trx
    .selectFrom('touchpoints as t')
    .innerJoin('campaigns as c', (on) =>
      on.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'),
    )
    .innerJoin('brands as b', (on) =>
      on.onRef('b.organization_id', '=', 'c.organization_id').onRef('b.id', '=', 'c.brand_id'),
    )
    .innerJoin('clients as k', (on) =>
      on.onRef('k.organization_id', '=', 'b.organization_id').onRef('k.id', '=', 'b.client_id'),
    )
    .innerJoin('organizations as o', 'o.id', 'k.organization_id')
    .where('t.id', '=', id)
    .where('t.deleted', '=', false)
    .where('c.deleted', '=', false)
    .where('b.deleted', '=', false)
    .where('k.deleted', '=', false)
    .where('o.deleted', '=', false)
    .select(['t.organization_id', 't.campaign_id', 't.name', 't.type', 't.status'])
    .forNoKeyUpdate(['t', 'c'])
    .forShare(['b', 'k', 'o'])
    .$castTo<LockedTouchpoint>()
    .executeTakeFirstOrThrow(notFound);

/** The touchpoint alone, for jobs, which finish what they began whatever became of the records above. */
export const lockTouchpoint = (trx: Transaction, id: string): Promise<LockedTouchpoint> =>
  trx
    .selectFrom('touchpoints')
    .select(['organization_id', 'campaign_id', 'name', 'type', 'status'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .$castTo<LockedTouchpoint>()
    .executeTakeFirstOrThrow(notFound);

/** @returns false when there is no such campaign, or it is deleted */
export async function insertTouchpoint(
  trx: Transaction,
  row: { id: string; campaign_id: string; name: string; type: TouchpointType },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('touchpoints')
    .columns(['id', 'organization_id', 'campaign_id', 'name', 'type'])
    .expression((eb) =>
      eb
        .selectFrom('current_campaigns')
        .select([
          sql<string>`${row.id}::uuid`.as('id'),
          sql<string>`organization_id`.as('organization_id'),
          sql<string>`id`.as('campaign_id'),
          sql<string>`${row.name}::text`.as('name'),
          sql<string>`${row.type}::text`.as('type'),
        ])
        .where('id', '=', row.campaign_id),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function updateTouchpoint(
  trx: Transaction,
  id: string,
  changes: { name?: string; status?: TouchpointStatus },
): Promise<void> {
  await trx
    .updateTable('touchpoints')
    .set({ ...changes, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

/**
 * @returns its name, and the id of its campaign
 * @throws 404
 */
export const deleteTouchpoint = (
  trx: Transaction,
  id: string,
): Promise<{ name: string; campaign_id: string }> =>
  trx
    .updateTable('touchpoints')
    .set({ deleted: true, deleted_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('deleted', '=', false)
    .where((eb) => eb.exists(eb.selectFrom('current_touchpoints').select('id').where('id', '=', id)))
    .returning(['name', 'campaign_id'])
    .executeTakeFirstOrThrow(notFound);

/**
 * Undoes `deleteTouchpoint`, for 30 days; does nothing to a touchpoint that is there.
 * @returns the id of its campaign when something changed
 */
export async function undeleteTouchpoint(trx: Transaction, id: string): Promise<string | undefined> {
  const restored = await trx
    .updateTable('touchpoints')
    .set({ deleted: false, deleted_at: null, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('deleted', '=', true)
    .where(isRestorable)
    .returning('campaign_id')
    .executeTakeFirst();
  return restored?.campaign_id;
}
