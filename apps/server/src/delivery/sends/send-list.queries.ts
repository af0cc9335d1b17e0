import { sql } from 'kysely';
import type { Delivery } from '@reachout/contract/sends.ts';
import type { DeliveryState } from '@reachout/contract/statuses.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { containsPattern } from '../../platform/database/like-pattern.ts';
import { countRows, type Paging } from '../../platform/database/list-page.ts';
import type { SendRow } from './send.ts';

const recentCount = 5;

/** @throws 404, also where the touchpoint or anything above it is deleted */
export const getSend = (trx: Transaction, id: string): Promise<SendRow> =>
  selectSends(trx).where('s.id', '=', id).executeTakeFirstOrThrow(notFound);

/** The five newest. */
export const listRecentSends = (trx: Transaction): Promise<SendRow[]> =>
  selectSends(trx).orderBy('s.created_at', 'desc').orderBy('s.id', 'desc').limit(recentCount).execute();

export async function listSendsOfTouchpoint(
  trx: Transaction,
  touchpointId: string,
  { page, page_size }: Paging,
) {
  const items = await selectSends(trx)
    .where('s.touchpoint_id', '=', touchpointId)
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(page_size)
    .offset(page * page_size)
    .execute();
  const ofTouchpoint = trx.selectFrom('touchpoint_sends').where('touchpoint_id', '=', touchpointId);
  return { items, count: await countRows(ofTouchpoint) };
}

const selectSends = (trx: Transaction) =>
  trx
    .selectFrom('touchpoint_sends as s')
    .innerJoin('current_touchpoints as t', (on) =>
      on.onRef('t.organization_id', '=', 's.organization_id').onRef('t.id', '=', 's.touchpoint_id'),
    )
    .select([
      's.id',
      's.organization_id',
      's.touchpoint_id',
      's.status',
      's.send_date',
      's.end_date',
      's.uncertain_policy',
      's.error_content',
      's.recipients_total_count',
      's.recipients_total_sent_count',
      's.recipients_total_delivery_failed_count',
      's.recipients_total_failed_count',
      's.recipients_suppressed_count',
      's.recipients_skipped_count',
      's.recipients_cancelled_count',
      's.recipients_uncertain_count',
      's.audience_breakdown',
      's.created_at',
      't.name as touchpoint_name',
      't.campaign_id',
      't.campaign_name',
      't.brand_id',
      't.brand_name',
    ])
    .$castTo<SendRow>();

/** The messages of a send, each with its one state. */
export async function listDeliveries(
  trx: Transaction,
  sendId: string,
  {
    state,
    search,
    page,
    page_size,
  }: Paging & { state?: DeliveryState | undefined; search?: string | undefined },
): Promise<{ items: Delivery[]; count: number }> {
  const from = sql`
    from deliveries d
    join touchpoint_sends s on s.organization_id = d.organization_id and s.id = d.send_id
    left join delivery_results r on r.organization_id = d.organization_id and r.send_id = d.send_id and r.seq = d.seq
    left join delivery_retries w on w.organization_id = d.organization_id and w.send_id = d.send_id and w.seq = d.seq
    left join lateral (
      select true as is_marked from delivery_chunks c
      where c.organization_id = d.organization_id and c.send_id = d.send_id and c.first_seq <= d.seq and c.last_seq >= d.seq and not c.done
        and c.marked_up_to >= d.seq and c.worker_id is not null
    ) c on r.seq is null and w.seq is null
    cross join lateral (
      select case
        when r.state is not null then r.state
        when w.kind = 'uncertain' then 'uncertain'
        when s.end_date is not null then 'cancelled'
        when w.worker_id is not null or c.is_marked then 'sending'
        else 'queued'
      end as state
    ) as st
    where d.organization_id = current_organization_id() and d.send_id = ${sendId}
      and (${state ?? null}::text is null or st.state = ${state ?? null})
      and (${search ?? null}::text is null or d.address ilike ${search === undefined ? null : containsPattern(search)})`;
  const { rows: counted } = await sql<{ count: number }>`select count(*)::int as count ${from}`.execute(trx);
  const { rows: items } = await sql<Delivery>`
    select d.seq, d.contact_id, d.address, st.state, coalesce(r.attempts, w.attempts, 0) as attempts,
      coalesce(r.reply, w.reply) as reply, w.due_at as next_attempt_at, r.at
    ${from}
    order by d.seq
    limit ${page_size} offset ${page * page_size}
  `.execute(trx);
  return { items, count: counted[0]?.count ?? 0 };
}
