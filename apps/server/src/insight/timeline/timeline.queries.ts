import { sql, type RawBuilder } from 'kysely';
import type { ContactEvent, ContactMessage, ContactVisit } from '@reachout/contract/contacts.ts';
import { deliveriesOfContact } from '../../queue/contact-deliveries-sql.ts';
import { onlyRowOf, rowsOf, type Transaction } from '../../platform/database/database.ts';

/**
 * A timeline searches the organization's latest sends, the contact's latest single messages, and the visitors that the contact
 * was lately, up to these limits.
 */
const maxSends = 5_000;
const maxMessages = 5_000;
const maxVisitors = 1_000;
/** Maximum links listed per message. */
const maxLinks = 20;

export interface TimelineQuery {
  organizationId: string;
  collection: string;
  key: string;
  /** Address for which single messages were requested; null for a contact without an address. */
  address: string | null;
  clientId: string | undefined;
  brandId: string | undefined;
  /** Cursor: the last entry of the previous page. */
  before: Place | undefined;
  limit: number;
}

export interface Place {
  /** With the microseconds of PostgreSQL: `2026-11-22T09:00:00.123456Z`. */
  at: string;
  /** Of the send, or of the visit. */
  id: string;
  /** 0 for a visit. */
  seq: number;
}

interface ListedPlace extends Place {
  /** Null for a message. */
  visit: ContactVisit | null;
}

export interface TimelinePage {
  places: ListedPlace[];
  isCut: boolean;
}

/**
 * Lists a page of messages and visits, newest first, of brands that the reader can see. Looks up message rows instead of joining them:
 * PostgreSQL assumes that the tables of a new send are empty and would scan them for each message.
 */
export async function listPlaces(trx: Transaction, query: TimelineQuery): Promise<TimelinePage> {
  const { organizationId, collection, key, address, clientId, brandId, before, limit } = query;
  return await onlyRowOf<TimelinePage>(trx)`
    with latest as materialized (
      select id, send_date, touchpoint_id from touchpoint_sends
      where organization_id = ${organizationId} and kind in ('campaign', 'follow_up')
      order by id desc
      limit ${maxSends + 1}
    ), single as materialized (
      select send_id, seq, created_at from messages
      where organization_id = ${organizationId} and (contact_id = ${address} and collection is null
        or contact_id = ${key} and collection = ${collection})
      order by send_id desc, seq desc
      limit ${maxMessages + 1}
    ), triggered as materialized (
      select s.*
      from (select distinct send_id from single) of_message
      cross join lateral (
        select id, send_date, touchpoint_id from touchpoint_sends
        where organization_id = ${organizationId} and id = of_message.send_id and kind = 'triggered'
        limit 1
      ) s
    ), visitors as materialized (
      select touchpoint_id, visitor_id, bound_at, coalesce(bound_until, 'infinity') as bound_until from contact_visitors
      where organization_id = ${organizationId}
        and ((collection = ${collection} and contact_id = ${key}) or (collection = '' and contact_id = ${address}))
      order by bound_at desc
      limit ${maxVisitors + 1}
    ), touchpoint as materialized (
      ${currentTouchpoints(organizationId, sql`select touchpoint_id from latest union select touchpoint_id from triggered union select touchpoint_id from visitors`)}
        ${equals('t.client_id', clientId)} ${equals('t.brand_id', brandId)}
    ), visited as (
      -- A visit in which links to the same contact were followed, and one to another in between, is found twice.
      select distinct on (s.touchpoint_id, s.visitor_id, s.started_at) shown.id, s.started_at as at, row_to_json(shown) as visit
      from (select * from visitors limit ${maxVisitors}) v
      join touchpoint t on t.id = v.touchpoint_id
      cross join lateral (
        select s.* from visits s
        where s.organization_id = ${organizationId} and s.touchpoint_id = v.touchpoint_id and s.visitor_id = v.visitor_id
          and s.started_at < v.bound_until and s.ended_at >= v.bound_at
          and ${before === undefined ? sql`true` : sql`s.started_at <= ${before.at}::timestamptz`}
          and s.started_at >= coalesce(
            (
              select max(earlier.started_at) from visits earlier
              where earlier.organization_id = ${organizationId} and earlier.touchpoint_id = v.touchpoint_id
                and earlier.visitor_id = v.visitor_id and earlier.started_at <= v.bound_at
            ),
            v.bound_at)
        order by s.started_at desc
        limit ${limit + 1}
      ) s
      cross join lateral (
        select 'visit' as kind, ${idOfVisit} as id, s.started_at as at, s.ended_at, s.page_views, s.events as events_count,
          s.first_path, s.referrer_host,
          ${shownPlace}
      ) shown
    ), dated as (
      select null::json as visit, m.send_id as id, m.seq, coalesce(
        (select at from delivery_results where organization_id = ${organizationId} and send_id = m.send_id and seq = m.seq),
        m.unsent_at) as at
      from (
        select send_id, seq, send_date as unsent_at
        from (${deliveriesOfContact(organizationId, key, visible(sql`(select * from latest limit ${maxSends})`, query))}) of_audience
        union all
        select m.send_id, m.seq, m.created_at
        from (select * from single limit ${maxMessages}) m
        join ${visible(sql`triggered`, query)} s on s.id = m.send_id
      ) m
      union all
      select visit, id, 0, at from visited
    ), page as (
      select * from dated
      where ${before === undefined ? sql`true` : sql`(at, id, seq) < (${before.at}::timestamptz, ${before.id}::uuid, ${before.seq}::int)`}
      order by at desc, id desc, seq desc
      limit ${limit}
    )
    select
      (select coalesce(json_agg(json_build_object('at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'id', id, 'seq', seq, 'visit', visit)
        order by at desc, id desc, seq desc), '[]') from page) as places,
      (select count(*) from latest) > ${maxSends} or (select count(*) from single) > ${maxMessages}
        or (select count(*) from visitors) > ${maxVisitors} as "isCut"
  `;
}

/**
 * Selects touchpoints that the reader can see, for a CTE that is read once: PostgreSQL tries the orders in which a statement
 * joins tables, and the four tables of the view in each join took most of the time.
 * @param ids  query of touchpoint ids
 */
const currentTouchpoints = (organizationId: string, ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select t.id, t.name, t.campaign_id, t.campaign_name, t.brand_id, t.brand_name, t.client_id, t.client_name
  from current_touchpoints t
  where t.organization_id = ${organizationId} and t.id in (${ids})`;

/**
 * Filters sends to those of `touchpoint`, and to this collection.
 * @param sends  table expression with id, send_date and touchpoint_id
 */
const visible = (
  sends: RawBuilder<unknown>,
  { organizationId, collection }: TimelineQuery,
): RawBuilder<unknown> => sql`(
    select s.id, s.send_date
    from ${sends} s
    -- \`is true\` keeps it from becoming a join, which might compare each send with each touchpoint.
    where (s.touchpoint_id in (select id from touchpoint)) is true and coalesce((
        select audience ->> 'collection' from touchpoint_send_contents
        where organization_id = ${organizationId} and send_id = s.id
      ), ${collection}) = ${collection}
  )`;

/** A UUID (version 8) that is the same at each reading, and says nothing of the browser. */
const idOfVisit = sql`overlay(overlay(md5(concat_ws(' ', s.touchpoint_id, s.visitor_id, extract(epoch from s.started_at)))
  placing '8' from 13) placing '8' from 17)::uuid`;

const equals = (column: string, id: string | undefined): RawBuilder<unknown> =>
  id === undefined ? sql`` : sql`and ${sql.ref(column)} = ${id}`;

const shownPlace = sql`
      json_build_object('id', t.id, 'name', t.name) as touchpoint,
      json_build_object('id', t.campaign_id, 'name', t.campaign_name) as campaign,
      json_build_object('id', t.brand_id, 'name', t.brand_name) as brand,
      json_build_object('id', t.client_id, 'name', t.client_name) as client`;

export type MessageRow = Omit<ContactMessage, 'error_content'>;

/** Reads messages with their results and events, in the order of `places`. */
export async function readMessages(
  trx: Transaction,
  organizationId: string,
  places: readonly Place[],
): Promise<MessageRow[]> {
  if (places.length === 0) return [];
  return await rowsOf<MessageRow>(trx)`
    with place as materialized (
      select p.*, s.touchpoint_id, s.end_date
      from unnest(${places.map(({ at }) => at)}::text[], ${places.map(({ id }) => id)}::uuid[],
        ${places.map(({ seq }) => seq)}::int[]) with ordinality p(at, send_id, seq, number)
      join touchpoint_sends s on s.organization_id = ${organizationId} and s.id = p.send_id
    ), touchpoint as materialized (${currentTouchpoints(organizationId, sql`select touchpoint_id from place`)})
    select 'message' as kind, p.send_id, p.seq, d.address, p.at::timestamptz as at,
      case
        when r.state is not null then r.state
        when w.kind = 'uncertain' then 'uncertain'
        when p.end_date is not null then 'cancelled'
        when w.worker_id is not null then 'sending'
        else 'queued'
      end as state,
      coalesce(r.reply, w.reply) as reply, coalesce(r.error, w.error) as error,
      ${shownPlace}, cause_of_message(${organizationId}, p.send_id, p.seq) as cause, e.links_count, e.events
    from place p
    join touchpoint t on t.id = p.touchpoint_id
    cross join lateral (
      select * from deliveries where organization_id = ${organizationId} and send_id = p.send_id and seq = p.seq limit 1
    ) d
    left join lateral (
      select * from delivery_results where organization_id = ${organizationId} and send_id = p.send_id and seq = p.seq limit 1
    ) r on true
    left join lateral (
      select * from delivery_queue where organization_id = ${organizationId} and send_id = p.send_id and seq = p.seq limit 1
    ) w on true
    cross join lateral (${eventsOf(organizationId)}) e
    order by p.number
  `;
}

/** In the order in which they are listed. */
const listedTypes: readonly ContactEvent['type'][] = [
  'OPEN_EMAIL',
  'CLICK',
  'BOUNCE',
  'COMPLAINT',
  'UNSUBSCRIBE',
];

/** SQL for the counts of the message `p` and of each of its links, which are exact for any number of events. */
const eventsOf = (organizationId: string): RawBuilder<unknown> => sql`
  with counted as materialized (
    select c.type, c.link_no, min(c.first_human_at) as at, sum(c.human_count)::bigint as human_count,
      sum(c.bot_count)::bigint as bot_count
    from delivery_event_counts c
    where c.organization_id = ${organizationId} and c.send_id = p.send_id and c.seq = p.seq
      and c.type = any(${listedTypes}::text[]) and (c.type <> 'CLICK' or c.link_no >= 0)
    group by c.type, c.link_no
  )
  select
    (select count(*) from counted where type = 'CLICK') as links_count,
    (
      select coalesce(json_agg(json_build_object('type', l.type, 'at', l.at, 'count', l.human_count, 'bot_count', l.bot_count,
        'url', case when l.link_no >= 0 then (
          select content -> 'links' -> l.link_no ->> 'url' from touchpoint_send_contents
          where organization_id = ${organizationId} and send_id = p.send_id) end)
        order by array_position(${listedTypes}::text[], l.type), l.at), '[]')
      from (select *, row_number() over (partition by type order by at nulls last, link_no) as number from counted) l
      where l.type <> 'CLICK' or l.number <= ${maxLinks}
    ) as events`;
