import { sql } from 'kysely';
import { deliveringSendStatus } from '@reachout/contract/states/send.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { countRows, splitOrder, type Paging } from '../../platform/database/list-page.ts';
import type { SendRow } from './send.ts';

const recentCount = 5;

/** @throws 404, also if the touchpoint or one of its parents is deleted */
export const getSend = (trx: Transaction, id: string): Promise<SendRow> =>
  selectSends(trx).where('s.id', '=', id).$call(prepared).executeTakeFirstOrThrow(notFound);

/** Lists the five newest sends of one client or of all, without tests. */
export const listRecentSends = (trx: Transaction, clientId: string | undefined): Promise<SendRow[]> =>
  selectSends(trx)
    .$if(clientId !== undefined, (query) => query.where('t.client_id', '=', clientId ?? null))
    .where('s.kind', '<>', 'test')
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(recentCount)
    .execute();

/** Lists sends in the order of the ids; deleted ones are left out. */
export async function listSendsById(trx: Transaction, ids: readonly string[]): Promise<SendRow[]> {
  if (ids.length === 0) return [];
  const rows = await selectSends(trx)
    .where('s.id', 'in', [...ids])
    .execute();
  return rows.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}

export async function listSendsOfTouchpoint(
  trx: Transaction,
  touchpointId: string,
  { order, page, page_size }: Paging & { order: `${string}.${'asc' | 'desc'}` },
) {
  const { column, direction } = splitOrder(order);
  const items = await selectSends(trx)
    .where('s.touchpoint_id', '=', touchpointId)
    .where('s.kind', '<>', 'test')
    .orderBy(sql.ref(`s.${column}`), direction)
    .orderBy('s.id', direction)
    .limit(page_size)
    .offset(page * page_size)
    .$call(prepared)
    .execute();
  const ofTouchpoint = trx
    .selectFrom('touchpoint_sends')
    .where('touchpoint_id', '=', touchpointId)
    .where('kind', '<>', 'test');
  return { items, count: await countRows(ofTouchpoint) };
}

/** Shorter waits are not shown, such as that of a rate limit that ends within a second. */
const shortestWaitSeconds = 2;

const isLeased = (table: string) => sql`exists (
  select from ${sql.table(table)} l where l.organization_id = s.organization_id and l.send_id = s.id and l.worker_id is not null)`;

/** Column for `counted_sends s`. */
const waitsUntil = sql<string | null>`(
  select w.next_due_at from touchpoint_sends w
  where w.organization_id = s.organization_id and w.id = s.id and w.status = ${deliveringSendStatus}
    and w.next_due_at > now() + make_interval(secs => ${shortestWaitSeconds})
    and not ${isLeased('delivery_chunks')} and not ${isLeased('delivery_queue')})`;

const selectSends = (trx: Transaction) =>
  trx
    .selectFrom('counted_sends as s')
    .innerJoin('current_touchpoints as t', (on) =>
      on.onRef('t.organization_id', '=', 's.organization_id').onRef('t.id', '=', 's.touchpoint_id'),
    )
    .select([
      's.id',
      's.organization_id',
      's.touchpoint_id',
      's.kind',
      's.parent_send_id',
      's.schedule_id',
      's.occurrence_at',
      's.in_series',
      's.item_id',
      's.item_title',
      's.time_zone',
      's.status',
      's.send_date',
      's.end_date',
      's.uncertain_policy',
      's.error',
      's.recipients_total_count',
      's.recipients_total_sent_count',
      's.recipients_not_measured_count',
      's.recipients_total_delivery_failed_count',
      's.recipients_total_failed_count',
      's.recipients_suppressed_count',
      's.recipients_skipped_count',
      's.recipients_cancelled_count',
      's.recipients_uncertain_count',
      waitsUntil.as('waits_until'),
      's.audience_breakdown',
      's.created_at',
      't.name as touchpoint_name',
      't.campaign_id',
      't.campaign_name',
      't.brand_id',
      't.brand_name',
      't.brand_logo_url',
      't.brand_dark_logo_url',
      't.brand_color',
    ]);
