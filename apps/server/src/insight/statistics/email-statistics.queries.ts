import { sql, type RawBuilder } from 'kysely';
import type { LinkClicks } from '@reachout/contract/statistics.ts';
import type { EventType } from '@reachout/contract/statuses.ts';
import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import type { TimeSpan } from '@reachout/contract/period.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { cutByQuarters, quarterOf } from './quarters.ts';

/** Selects all sends of a touchpoint except tests, or one of them. */
export interface StatisticsQuery {
  organizationId: string;
  touchpointId: string;
  sendId?: string | undefined;
}

/** @returns undefined unless the touchpoint exists and is not deleted, and the send, if given, belongs to it */
export async function findTouchpointType(
  trx: Transaction,
  query: StatisticsQuery,
): Promise<TouchpointType | undefined> {
  const { rows } = await prepared(sql<{ type: TouchpointType }>`
    select t.type from current_touchpoints t
    where t.organization_id = ${query.organizationId} and t.id = ${query.touchpointId}
      and (${query.sendId ?? null}::uuid is null or exists (
        select from touchpoint_sends s
        where s.organization_id = t.organization_id and s.touchpoint_id = t.id and s.id = ${query.sendId ?? null}::uuid
          and s.kind <> 'test'))
  `).execute(trx);
  return rows[0]?.type;
}

export interface SendCounters {
  recipients: number;
  delivered: number;
  not_measured: number;
  bounced: number;
  failed: number;
  suppressed: number;
  uncertain: number;
  queued: number;
}

/** Sums the current counters of the sends. */
export async function sumSendCounters(trx: Transaction, query: StatisticsQuery): Promise<SendCounters> {
  const { rows } = await sql<SendCounters>`
    select
      coalesce(sum(recipients_total_count), 0)::bigint as recipients,
      coalesce(sum(recipients_total_sent_count), 0)::bigint as delivered,
      coalesce(sum(recipients_not_measured_count), 0)::bigint as not_measured,
      coalesce(sum(recipients_total_delivery_failed_count), 0)::bigint as bounced,
      coalesce(sum(recipients_total_failed_count), 0)::bigint as failed,
      coalesce(sum(recipients_suppressed_count), 0)::bigint as suppressed,
      coalesce(sum(recipients_uncertain_count), 0)::bigint as uncertain,
      coalesce(sum(recipients_total_count - recipients_total_sent_count - recipients_total_delivery_failed_count
        - recipients_total_failed_count - recipients_suppressed_count - recipients_skipped_count
        - recipients_cancelled_count - recipients_uncertain_count), 0)::bigint as queued
    from counted_sends
    where organization_id = ${query.organizationId} and touchpoint_id = ${query.touchpointId} and kind <> 'test'
        ${ofSend(sql.ref('id'), query)}
  `.execute(trx);
  return rows[0]!;
}

export interface ResultMetric {
  /** 0-based index of the bucket. */
  bucket: number;
  /** Current state of the messages: a message that bounced after it was accepted is `bounced`. */
  state: 'sent' | 'bounced' | 'failed' | 'suppressed' | 'skipped';
  count: number;
  /** Of those in state `sent`. */
  not_measured: number;
}

/**
 * Counts the results of messages within a span, by bucket. Full quarter hours are read from totals; the rest at both ends,
 * or the whole span with `byMinute`, from single results of the sends that have results in these quarter hours.
 */
export async function countResults(
  trx: Transaction,
  query: StatisticsQuery,
  span: TimeSpan,
  buckets: readonly Date[],
  { byMinute }: { byMinute: boolean },
): Promise<ResultMetric[]> {
  const { quarters, edges } = cutByQuarters(span, byMinute);
  const totals = sql`counted_results
    where organization_id = ${query.organizationId} and touchpoint_id = ${query.touchpointId}
      and send_id in (select id from sends)`;
  const rest = edges.map(({ from, to }) => {
    return sql`
      union all
      select at, state, 1, (state = 'sent' and not tracked)::int from delivery_results
      where organization_id = ${query.organizationId} and at >= ${from} and at < ${to}
        and send_id = any(array(select send_id from ${totals} and at >= ${quarterOf(from)} and at < ${to}))`;
  });
  const { rows } = await sql<ResultMetric>`
    with sends as materialized (
      select id from touchpoint_sends
      where organization_id = ${query.organizationId} and touchpoint_id = ${query.touchpointId} and kind <> 'test'
        ${ofSend(sql.ref('id'), query)}
    )
    select width_bucket(at, ${toArray(buckets)}) - 1 as bucket, state, sum(count)::bigint as count,
      sum(not_measured)::bigint as not_measured
    from (
      select at, state, count, not_measured from ${totals} and at >= ${quarters.start} and at < ${quarters.end}
      ${sql.join(rest, sql``)}
    ) ended
    group by 1, 2
  `.execute(trx);
  return rows;
}

export interface EventMetric {
  bucket: number;
  type: EventType;
  /** Messages whose first event by a person is in the bucket. */
  unique_count: number;
  human_count: number;
  bot_count: number;
}

/** Sums all events of the query by type. */
export async function sumEvents(trx: Transaction, query: StatisticsQuery): Promise<EventMetric[]> {
  const { rows } = await sql<EventMetric>`
    select 0 as bucket, type, sum(unique_count)::bigint as unique_count, sum(human_count)::bigint as human_count,
      sum(bot_count)::bigint as bot_count
    from current_event_sums
    where organization_id = ${query.organizationId} and touchpoint_id = ${query.touchpointId} ${ofSend(sql.ref('send_id'), query)}
    group by type
  `.execute(trx);
  return rows;
}

/**
 * Counts the events within a span, by type and bucket. Full quarter hours are read from totals; the rest at both ends, or
 * the whole span with `byMinute`, from single events. Only the first events of each message are stored, so event totals of
 * the rest may be too low; numbers of messages are exact.
 */
export async function countEvents(
  trx: Transaction,
  query: StatisticsQuery,
  span: TimeSpan,
  buckets: readonly Date[],
  { byMinute }: { byMinute: boolean },
): Promise<EventMetric[]> {
  const { quarters, edges } = cutByQuarters(span, byMinute);
  const matchesQuery = sql`organization_id = ${query.organizationId} and touchpoint_id = ${query.touchpointId} ${ofSend(sql.ref('send_id'), query)}`;
  const rest = edges.map(
    ({ from, to }) => sql`
      union all
      select type, first_human_at, 1, 0, 0 from current_event_counts
      where ${matchesQuery} and link_no = -1 and first_human_at >= ${from} and first_human_at < ${to}
      union all
      select type, at, 0, (not is_bot)::int, is_bot::int from current_events
      where ${matchesQuery} and at >= ${from} and at < ${to}`,
  );
  const { rows } = await sql<EventMetric>`
    select width_bucket(at, ${toArray(buckets)}) - 1 as bucket, type, sum(unique_count)::bigint as unique_count,
      sum(human_count)::bigint as human_count, sum(bot_count)::bigint as bot_count
    from (
      select type, at, unique_count, human_count, bot_count from current_event_totals
      where ${matchesQuery} and at >= ${quarters.start} and at < ${quarters.end}
      ${sql.join(rest, sql``)}
    ) figures
    group by 1, 2
  `.execute(trx);
  return rows;
}

/** Lists the links of the email snapshots with their clicks, including links without clicks. */
export async function listLinks(trx: Transaction, query: StatisticsQuery): Promise<LinkClicks[]> {
  const { rows } = await sql<LinkClicks>`
    with links as (
      select c.send_id, (l.position - 1)::int as link_no, l.link ->> 'url' as url
      from touchpoint_sends s
      join touchpoint_send_contents c on c.organization_id = s.organization_id and c.send_id = s.id
      cross join jsonb_array_elements(c.content -> 'links') with ordinality as l(link, position)
      where s.organization_id = ${query.organizationId} and s.touchpoint_id = ${query.touchpointId} and s.kind <> 'test'
        ${ofSend(sql.ref('s.id'), query)}
    ), clicks as (
      select send_id, link_no, count(first_human_at) as messages, sum(human_count) as clicks,
        sum(bot_count) as bots
      from current_event_counts
      where organization_id = ${query.organizationId} and type = 'CLICK' and link_no >= 0
        and send_id = any(array(select send_id from links))
      group by send_id, link_no
    )
    select l.link_no, l.url, coalesce(sum(k.messages), 0)::bigint as unique, coalesce(sum(k.clicks), 0)::bigint as total,
      coalesce(sum(k.bots), 0)::bigint as bots
    from links l
    left join clicks k on k.send_id = l.send_id and k.link_no = l.link_no
    group by l.link_no, l.url
    order by l.link_no, l.url
  `.execute(trx);
  return rows;
}

export interface EventRow {
  id: string;
  type: EventType;
  at: string;
  address: string;
  url: string | null;
  is_bot: boolean;
}

const returningTypes: readonly EventType[] = ['OPEN_EMAIL', 'CLICK', 'BOUNCE', 'COMPLAINT', 'UNSUBSCRIBE'];

/**
 * Lists the latest events, newest first. SEND_EMAIL is the delivery result itself (docs/decisions/0002) and is listed only
 * on request, because it would fill the whole list.
 */
export async function listLatestEvents(
  trx: Transaction,
  query: StatisticsQuery,
  { type, limit }: { type?: EventType | undefined; limit: number },
): Promise<EventRow[]> {
  const types = type === undefined ? returningTypes : [type];
  const { rows } = await sql<EventRow>`
    with sends as materialized (
      select id from touchpoint_sends
      where organization_id = ${query.organizationId} and touchpoint_id = ${query.touchpointId} and kind <> 'test'
        ${ofSend(sql.ref('id'), query)}
    ), latest as (
      select e.id, e.type, e.at, e.send_id, e.seq, e.link_no, e.is_bot
      from unnest(${[...types]}::text[]) as wanted(type)
      cross join lateral (
        select * from current_events
        where organization_id = ${query.organizationId} and touchpoint_id = ${query.touchpointId} and type = wanted.type
          ${ofSend(sql.ref('send_id'), query)}
        order by at desc
        limit ${limit}
      ) e
      union all
      select
        -- The same id each time: a UUID of version 8 (RFC 9562 section 5.8) out of what names the result.
        overlay(overlay(md5(r.send_id::text || r.seq) placing '8' from 13) placing '8' from 17)::uuid,
        'SEND_EMAIL', r.accepted_at, r.send_id, r.seq, null, false
      from sends
      cross join lateral (
        select * from delivery_results
        where organization_id = ${query.organizationId} and send_id = sends.id and accepted_at is not null
          and ${type === 'SEND_EMAIL'}
        order by accepted_at desc
        limit ${limit}
      ) r
      order by at desc, id desc
      limit ${limit}
    )
    select e.id, e.type, e.at, coalesce(d.address, '') as address, e.is_bot,
      c.content -> 'links' -> e.link_no ->> 'url' as url
    from latest e
    left join deliveries d on d.organization_id = ${query.organizationId} and d.send_id = e.send_id and d.seq = e.seq
    left join touchpoint_send_contents c
      on e.link_no is not null and c.organization_id = ${query.organizationId} and c.send_id = e.send_id
    order by e.at desc, e.id desc
  `.execute(trx);
  return rows;
}

const ofSend = (column: RawBuilder<unknown>, { sendId }: StatisticsQuery) =>
  sendId === undefined ? sql`` : sql`and ${column} = ${sendId}`;

const toArray = (instants: readonly Date[]) =>
  sql`${instants.map((instant) => instant.toISOString())}::timestamptz[]`;
