import { sql } from 'kysely';
import { maxWindowDays } from '@reachout/contract/rules/conversions.ts';
import { rowsOf, valuesOf, type Database, type Transaction } from '../../platform/database/database.ts';
import { deleteExpired } from '../../platform/database/delete-rows.ts';
import { statement } from '../../platform/database/pipelined.ts';

/** Links that are kept of a visitor: beyond that, the oldest go. */
const maxOfVisitor = 50;
/** Links that are kept of a message: its link may be public, and anybody can make up visitors. A batch may add some more. */
const maxOfMessage = 1_000;
/** Conversions that a link which arrives late can get. */
const maxLate = 100;

// Parameters of these statements: $1 is the organization, $2 a JSON array of rows, which have the columns that each statement names.

const links = `json_to_recordset($2::json) as l (touchpoint_id uuid, visitor_id uuid, at timestamptz, send_id uuid, seq integer)`;

/** Sets these locks apart from other advisory locks of an organization. */
const lockSeed = 129;

/**
 * Locks visitors, of rows of either kind, so that their links and conversions are stored one transaction after another. They share
 * 256 locks of the organization, taken in order.
 */
export const lockVisitors = statement('lock_visitors')`
  select pg_advisory_xact_lock(key), hold_erasures($1::uuid)
  from (
    select distinct (hashtextextended($1::text, ${lockSeed}) & ~255::bigint) | (hashtextextended(visitor_id::text, 0) & 255) as key
    from json_to_recordset($2::json) as v (visitor_id uuid)
    order by key
    offset 0
  ) locks`;

/** Of two links at the same time, the order of arrival must not decide which one is kept. */
export const insertLinks = statement('insert_followed_links')`
  insert into followed_links as f (organization_id, touchpoint_id, visitor_id, at, send_id, seq, email_touchpoint_id)
  select distinct on (l.touchpoint_id, l.visitor_id, l.at)
    $1::uuid, l.touchpoint_id, l.visitor_id, l.at, l.send_id, l.seq, e.id
  from ${links}
  cross join lateral (select email_of_send($1::uuid, l.send_id) as id offset 0) e
  where e.id is not null and (
      select count(*) from (
        select from followed_links m
        where m.organization_id = $1 and m.send_id = l.send_id and m.seq = l.seq
        limit ${maxOfMessage}
      ) of_message
    ) < ${maxOfMessage}
  order by l.touchpoint_id, l.visitor_id, l.at, l.send_id desc, l.seq desc
  on conflict (organization_id, touchpoint_id, visitor_id, at) do update
  set send_id = excluded.send_id, seq = excluded.seq, email_touchpoint_id = excluded.email_touchpoint_id
  where (excluded.send_id, excluded.seq) > (f.send_id, f.seq)`;

export const trimLinks = statement('trim_followed_links')`
  delete from followed_links f
  using (select distinct touchpoint_id, visitor_id from ${links}) l
  where f.organization_id = $1 and f.touchpoint_id = l.touchpoint_id and f.visitor_id = l.visitor_id
    and f.at < (
      select n.at from followed_links n
      where n.organization_id = $1 and n.touchpoint_id = l.touchpoint_id and n.visitor_id = l.visitor_id
      order by n.at desc
      offset ${maxOfVisitor - 1} limit 1
    )`;

/** The link that gets a conversion: the last one before it, unless that is longer ago than the window. */
const lastLink = (conversion: string) => `
      select f.email_touchpoint_id, f.send_id, f.seq from (
        select n.* from followed_links n
        where n.organization_id = $1 and n.touchpoint_id = ${conversion}.touchpoint_id
          and n.visitor_id = ${conversion}.visitor_id and n.at <= ${conversion}.at
        order by n.at desc
        limit 1
      ) f
      where f.at >= ${conversion}.at - make_interval(hours => 24 * ${conversion}.window_days)`;

/** An event with the id of an earlier one, whatever that was, is a repeat of it and no conversion. */
const newConversions = (distinct: string) => `
    insert into conversions as o (organization_id, touchpoint_id, event_id, goal_id, at, window_days, value, visitor_id,
      email_touchpoint_id, send_id, seq)
    select ${distinct} $1::uuid, c.touchpoint_id, c.conversion_id, c.goal_id, c.at, c.window_days, c.value, c.visitor_id,
      l.email_touchpoint_id, l.send_id, l.seq
    from rows from (json_to_recordset($2::json) as (touchpoint_id uuid, event_id uuid, conversion_id uuid, goal_id uuid,
      at timestamptz, window_days integer, value numeric, visitor_id uuid, name text)) with ordinality as c
    left join lateral (${lastLink('c')}
    ) l on true
    where is_new_track_event($1::uuid, c.touchpoint_id, c.event_id, c.at, c.name)`;

export const insertConversions = statement('insert_conversions')`${newConversions('')}
  order by c.touchpoint_id, c.conversion_id, c.ordinality
  on conflict do nothing`;

/** Of several events that name the same order, the first in time counts, whichever arrives first. */
export const insertNamedConversions = statement(
  'insert_named_conversions',
)`${newConversions('distinct on (c.touchpoint_id, c.conversion_id)')}
  order by c.touchpoint_id, c.conversion_id, c.at, c.visitor_id, c.ordinality
  on conflict (organization_id, touchpoint_id, event_id) do update
  set at = excluded.at, window_days = excluded.window_days, value = excluded.value, visitor_id = excluded.visitor_id,
    email_touchpoint_id = excluded.email_touchpoint_id, send_id = excluded.send_id, seq = excluded.seq
  where (excluded.at, excluded.visitor_id) < (o.at, o.visitor_id)`;

/**
 * Gives conversions after the new links to the link that is then their last one. Rows that an erasure has locked are left to
 * it. A link that was trimmed at once gets none: all that are kept are newer.
 */
export const attributeAgain = statement('attribute_conversions_again')`
  update conversions c
  set email_touchpoint_id = a.email_touchpoint_id, send_id = a.send_id, seq = a.seq
  from (
    select late.event_id, late.touchpoint_id, l.email_touchpoint_id, l.send_id, l.seq
    from (
      select n.touchpoint_id, n.visitor_id, min(n.at) as at
      from (select * from ${links}) n
      join followed_links f on f.organization_id = $1 and f.touchpoint_id = n.touchpoint_id
        and f.visitor_id = n.visitor_id and f.at = n.at
      group by 1, 2
    ) first
    cross join lateral (
      select o.touchpoint_id, o.visitor_id, o.event_id, o.at, o.window_days, o.send_id, o.seq
      from conversions o
      where o.organization_id = $1 and o.touchpoint_id = first.touchpoint_id and o.visitor_id = first.visitor_id
        and o.at >= first.at
      order by o.at
      limit ${maxLate}
      for no key update skip locked
    ) late
    left join lateral (${lastLink('late')}
    ) l on true
    where (late.send_id, late.seq) is distinct from (l.send_id, l.seq)
  ) a
  where c.organization_id = $1 and c.touchpoint_id = a.touchpoint_id and c.event_id = a.event_id`;

/** Makes at most `limit` conversions of a website from before a time those of unknown visitors. @returns their number */
export async function forgetOldVisitors(
  trx: Transaction,
  of: { organization_id: string; touchpoint_id: string; kept_from: string },
  limit: number,
): Promise<number> {
  const isOld = sql`organization_id = ${of.organization_id} and touchpoint_id = ${of.touchpoint_id}
    and visitor_id is not null and at < ${of.kept_from}`;
  const { numAffectedRows } = await sql`
    update conversions set visitor_id = null
    where event_id in (select event_id from conversions where ${isOld} limit ${limit}) and ${isOld}
  `.execute(trx);
  return Number(numAffectedRows);
}

/** Erases what tells that a visitor was a contact, from one time until another. @param until  null: until now */
export async function eraseVisitorOfContact(
  trx: Transaction,
  organizationId: string,
  visitor: { touchpoint_id: string; visitor_id: string; bound_at: string; bound_until: string | null },
): Promise<void> {
  const isOf = sql`organization_id = ${organizationId} and touchpoint_id = ${visitor.touchpoint_id}
    and visitor_id = ${visitor.visitor_id} and at >= ${visitor.bound_at}::timestamptz
    and at < coalesce(${visitor.bound_until}::timestamptz, 'infinity')`;
  await sql`delete from followed_links where ${isOf}`.execute(trx);
  await sql`update conversions set visitor_id = null where ${isOf}`.execute(trx);
}

/** Takes their message from at most `limit` conversions of an email. @returns their number */
export async function releaseConversions(
  trx: Transaction,
  { organization_id, touchpoint_id }: Readonly<Record<string, string>>,
  limit: number,
): Promise<number> {
  const isOf = sql`organization_id = ${organization_id} and email_touchpoint_id = ${touchpoint_id} and send_id is not null`;
  const { numAffectedRows } = await sql`
    update conversions set email_touchpoint_id = null, send_id = null, seq = null
    where (touchpoint_id, event_id) in (select touchpoint_id, event_id from conversions where ${isOf} limit ${limit}) and ${isOf}
  `.execute(trx);
  return Number(numAffectedRows);
}

/** No conversion can be attributed by an older link: the longest window, a day more, because events come late. */
const maxLinkAge = `${maxWindowDays + 1} days`;

/** @returns ids of organizations with links that no conversion can be attributed by any more */
export const listOrganizationsWithOldLinks = (db: Database, limit: number) => valuesOf<string>(db)`
  select organization_id from organizations_with_old_links(${maxLinkAge}, ${limit})
`;

/** Of the organization of the transaction. */
export const deleteOldLinks = deleteExpired('followed_links', { at: maxLinkAge });

/** Lists goals that were removed and have conversions. */
export const listRemovedGoals = (db: Database, limit: number) =>
  rowsOf<{ organization_id: string; goal_id: string }>(db)`select * from removed_goals(${limit})`;
