import { sql, type RawBuilder } from 'kysely';
import type { LinkClicks } from '@reachout/contract/statistics.ts';
import type { EventType, MoveRule } from '@reachout/contract/statuses.ts';
import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import type { TimeSpan } from '@reachout/contract/period.ts';
import { onlyRowOf, rowsOf, type Transaction } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { cutByQuarters, quarterOf } from './quarters.ts';
import { bucketOf, readByDay, type StatisticsQuery } from './running-counts.queries.ts';

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
  accepted: number;
  delivered: number;
  not_measured: number;
  bounced: number;
  failed: number;
  suppressed: number;
  uncertain: number;
  queued: number;
}

/** Sums the current counters of the sends. */
export const sumSendCounters = (trx: Transaction, query: StatisticsQuery) => onlyRowOf<SendCounters>(trx)`
  select
    coalesce(sum(recipients_total_count), 0)::bigint as recipients,
    coalesce(sum(recipients_accepted_count), 0)::bigint as accepted,
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
`;

export interface ResultMetric {
  /** 0-based index of the bucket. */
  bucket: number;
  /**
   * Current state of the messages, when they entered it: a message that bounced after it was accepted is `bounced`. Beside that,
   * `accepted` when a mail server took them.
   */
  state: 'sent' | 'bounced' | 'failed' | 'suppressed' | 'skipped' | 'accepted';
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
    const isIn = (column: string) => sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to}`;
    return sql`
      union all
      select k.at, k.state, 1, k.not_measured
      from delivery_results r
      cross join lateral (values (r.at, r.state, (r.state = 'sent' and not r.tracked)::int), (r.accepted_at, 'accepted', 0))
        k (at, state, not_measured)
      where r.organization_id = ${query.organizationId} and (${isIn('r.at')} or ${isIn('r.accepted_at')}) and ${isIn('k.at')}
        and r.send_id = any(array(select send_id from ${totals} and at >= ${quarterOf(from)} and at < ${to}))`;
  });
  return await rowsOf<ResultMetric>(trx)`
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
  `;
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
  const { rows } = await prepared(sql<EventMetric>`
    select 0 as bucket, dimension as type, ${byValue(sql`running_counts[1]`)}
    from counts
    where organization_id = ${query.organizationId} and touchpoint_id = ${query.touchpointId} and day = '-infinity'
      and (${query.sendId ?? null}::uuid is null or subject_id = ${query.sendId ?? null}::uuid)
    group by type
  `).execute(trx);
  return rows;
}

/** Sums a number of rows with a `value` for the columns of `EventMetric`. */
const byValue = (number: RawBuilder<unknown>) => {
  const sumOf = (value: 'unique' | 'human' | 'bot') =>
    sql`coalesce(sum(${number}) filter (where value = ${sql.lit(value)}), 0)::bigint as ${sql.ref(`${value}_count`)}`;
  return sql.join([sumOf('unique'), sumOf('human'), sumOf('bot')]);
};

/**
 * Counts the events within a span, by type and bucket. Full quarter hours are read from days; the rest at both ends, or
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
  const { firstDay, endDay, eachBucket, countIn } = readByDay(quarters, { starts: buckets, byMinute: false });
  const isOf = sql`organization_id = ${query.organizationId} and touchpoint_id = ${query.touchpointId}`;
  const matchesQuery = sql`${isOf} ${ofSend(sql.ref('send_id'), query)}`;
  const rest = edges.map(
    ({ from, to }) => sql`
      union all
      select type, ${bucketOf('first_human_at', buckets)}, 'unique', 1 from delivery_event_counts
      where ${matchesQuery} and link_no = -1 and first_human_at >= ${from} and first_human_at < ${to}
      union all
      select type, ${bucketOf('at', buckets)}, case when is_bot then 'bot' else 'human' end, 1 from events
      where ${matchesQuery} and at >= ${from} and at < ${to}`,
  );
  return await rowsOf<EventMetric>(trx)`
    select bucket, type, ${byValue(sql`number`)}
    from (
      select d.dimension as type, b.bucket - 1 as bucket, d.value, ${countIn('d.running_counts')} as number
      from counts d
      ${eachBucket}
      where ${isOf} ${ofSend(sql.ref('subject_id'), query)} and d.day >= ${firstDay}::date and d.day < ${endDay}::date
      ${sql.join(rest, sql``)}
    ) figures
    where number > 0
    group by 1, 2
  `;
}

/** Lists the links of the email snapshots with their clicks, including links without clicks. */
export const listLinks = (trx: Transaction, query: StatisticsQuery) => rowsOf<LinkClicks>(trx)`
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
    from delivery_event_counts
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
`;

export interface EventRow {
  id: string;
  type: EventType;
  at: string;
  address: string;
  url: string | null;
  is_bot: boolean;
  moved_by: MoveRule | null;
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
  return await rowsOf<EventRow>(trx)`
    with sends as materialized (
      select id from touchpoint_sends
      where organization_id = ${query.organizationId} and touchpoint_id = ${query.touchpointId} and kind <> 'test'
        ${ofSend(sql.ref('id'), query)}
    ), latest as (
      select e.id, e.type, e.at, e.send_id, e.seq, e.link_no, e.is_bot, e.moved_by
      from unnest(${[...types]}::text[]) as wanted(type)
      cross join lateral (
        select * from events
        where organization_id = ${query.organizationId} and touchpoint_id = ${query.touchpointId} and type = wanted.type
          ${ofSend(sql.ref('send_id'), query)}
        order by at desc
        limit ${limit}
      ) e
      union all
      select
        -- The same id each time: a UUID of version 8 (RFC 9562 section 5.8) out of what names the result.
        overlay(overlay(md5(r.send_id::text || r.seq) placing '8' from 13) placing '8' from 17)::uuid,
        'SEND_EMAIL', r.accepted_at, r.send_id, r.seq, null, false, null
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
    select e.id, e.type, e.at, coalesce(d.address, '') as address, e.is_bot, e.moved_by,
      c.content -> 'links' -> e.link_no ->> 'url' as url
    from latest e
    left join deliveries d on d.organization_id = ${query.organizationId} and d.send_id = e.send_id and d.seq = e.seq
    left join touchpoint_send_contents c
      on e.link_no is not null and c.organization_id = ${query.organizationId} and c.send_id = e.send_id
    order by e.at desc, e.id desc
  `;
}

const ofSend = (column: RawBuilder<unknown>, { sendId }: StatisticsQuery) =>
  sendId === undefined ? sql`` : sql`and ${column} = ${sendId}`;

const toArray = (instants: readonly Date[]) =>
  sql`${instants.map((instant) => instant.toISOString())}::timestamptz[]`;
