import { sql, type RawBuilder } from 'kysely';
import type { ContactEvent, ContactMessage } from '@reachout/contract/contacts.ts';
import { deliveriesOfContact } from '../../queue/contact-deliveries-sql.ts';
import type { Transaction } from '../../platform/database/database.ts';

/** A timeline searches the organization's latest sends and the contact's latest single messages, up to these limits. */
const maxSends = 5_000;
const maxMessages = 5_000;
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
  /** Cursor: the last message of the previous page. */
  before: MessagePlace | undefined;
  limit: number;
}

export interface MessagePlace {
  /** With the microseconds of PostgreSQL: `2026-11-22T09:00:00.123456Z`. */
  at: string;
  sendId: string;
  seq: number;
}

export interface TimelinePage {
  places: MessagePlace[];
  isCut: boolean;
}

/**
 * Lists a page of messages, newest first, of brands that the reader can see. Looks up message rows instead of joining them:
 * PostgreSQL assumes that the tables of a new send are empty and would scan them for each message.
 */
export async function listMessages(trx: Transaction, query: TimelineQuery): Promise<TimelinePage> {
  const { organizationId, key, address, before, limit } = query;
  const { rows } = await sql<{ places: MessagePlace[]; isCut: boolean }>`
    with latest as materialized (
      select id, send_date, touchpoint_id from touchpoint_sends
      where organization_id = ${organizationId} and kind in ('campaign', 'follow_up')
      order by id desc
      limit ${maxSends + 1}
    ), single as materialized (
      select send_id, seq, created_at from messages
      where organization_id = ${organizationId} and contact_id = ${address}
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
    ), dated as (
      select m.send_id, m.seq, coalesce(
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
    ), page as (
      select * from dated
      where ${before === undefined ? sql`true` : sql`(at, send_id, seq) < (${before.at}::timestamptz, ${before.sendId}::uuid, ${before.seq}::int)`}
      order by at desc, send_id desc, seq desc
      limit ${limit}
    )
    select
      (select coalesce(json_agg(json_build_object('at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'sendId', send_id, 'seq', seq) order by at desc, send_id desc, seq desc), '[]') from page) as places,
      (select count(*) from latest) > ${maxSends} or (select count(*) from single) > ${maxMessages} as "isCut"
  `.execute(trx);
  return rows[0]!;
}

/**
 * Filters sends to the requested touchpoints that the reader can see, and to this collection.
 * @param sends  table expression with id, send_date and touchpoint_id
 */
const visible = (
  sends: RawBuilder<unknown>,
  { organizationId, collection, clientId, brandId }: TimelineQuery,
): RawBuilder<unknown> => sql`(
    select s.id, s.send_date
    from ${sends} s
    join current_touchpoints t on t.organization_id = ${organizationId} and t.id = s.touchpoint_id
    where coalesce((
        select audience ->> 'collection' from touchpoint_send_contents
        where organization_id = ${organizationId} and send_id = s.id
      ), ${collection}) = ${collection}
      ${equals('t.client_id', clientId)} ${equals('t.brand_id', brandId)}
  )`;

const equals = (column: string, id: string | undefined): RawBuilder<unknown> =>
  id === undefined ? sql`` : sql`and ${sql.ref(column)} = ${id}`;

export type MessageRow = Omit<ContactMessage, 'error_content'>;

/** Reads messages with their results and events, in the order of `places`. */
export async function readMessages(
  trx: Transaction,
  organizationId: string,
  places: readonly MessagePlace[],
): Promise<MessageRow[]> {
  if (places.length === 0) return [];
  const { rows } = await sql<MessageRow>`
    select d.send_id, d.seq, d.address, p.at::timestamptz as at,
      case
        when r.state is not null then r.state
        when w.kind = 'uncertain' then 'uncertain'
        when s.end_date is not null then 'cancelled'
        when w.worker_id is not null then 'sending'
        else 'queued'
      end as state,
      coalesce(r.reply, w.reply) as reply, coalesce(r.error, w.error) as error,
      json_build_object('id', t.id, 'name', t.name) as touchpoint,
      json_build_object('id', t.campaign_id, 'name', t.campaign_name) as campaign,
      json_build_object('id', t.brand_id, 'name', t.brand_name) as brand,
      json_build_object('id', t.client_id, 'name', t.client_name) as client,
      (select count(*) from (${countsOf('CLICK')} and c.link_no >= 0) link) as links_count,
      (${eventsOf(organizationId)}) as events
    from unnest(${places.map(({ at }) => at)}::text[], ${places.map(({ sendId }) => sendId)}::uuid[],
      ${places.map(({ seq }) => seq)}::int[]) with ordinality p(at, send_id, seq, place)
    cross join lateral (
      select * from deliveries where organization_id = ${organizationId} and send_id = p.send_id and seq = p.seq limit 1
    ) d
    join touchpoint_sends s on s.organization_id = ${organizationId} and s.id = p.send_id
    join current_touchpoints t on t.organization_id = ${organizationId} and t.id = s.touchpoint_id
    left join lateral (
      select * from delivery_results where organization_id = ${organizationId} and send_id = p.send_id and seq = p.seq limit 1
    ) r on true
    left join lateral (
      select * from delivery_queue where organization_id = ${organizationId} and send_id = p.send_id and seq = p.seq limit 1
    ) w on true
    order by p.place
  `.execute(trx);
  return rows;
}

const countsOf = (type: ContactEvent['type']) => sql`
  select c.* from delivery_event_counts c
  where c.organization_id = d.organization_id and c.send_id = d.send_id and c.type = ${type} and c.seq = d.seq`;

/** SQL for the counts of a message and of each of its links, which are exact for any number of events. */
const eventsOf = (organizationId: string): RawBuilder<unknown> => sql`
  select coalesce(json_agg(json_build_object('type', e.type, 'at', e.at, 'count', e.human_count, 'bot_count', e.bot_count,
    'url', case when e.link_no >= 0 then (
      select content -> 'links' -> e.link_no ->> 'url' from touchpoint_send_contents
      where organization_id = ${organizationId} and send_id = d.send_id) end) order by e.kind, e.at), '[]')
  from (
    select 1 as kind, type, link_no, first_human_at as at, human_count, bot_count from (${countsOf('OPEN_EMAIL')}) opened
    union all
    select 2, type, link_no, first_human_at, human_count, bot_count from (
      select * from (${countsOf('CLICK')} and c.link_no >= 0) link
      order by first_human_at nulls last, link_no
      limit ${maxLinks}
    ) clicked
    union all
    select 3, type, link_no, first_human_at, human_count, bot_count from (${countsOf('BOUNCE')}) bounced
    union all
    select 4, type, link_no, first_human_at, human_count, bot_count from (${countsOf('UNSUBSCRIBE')}) unsubscribed
  ) e`;
