import type { TouchpointEventListener } from '@reachout/contract/event-graph.ts';
import type { FieldMapping } from '@reachout/contract/filters.ts';
import {
  maxOverdueDays,
  maxReactionsOfContact,
  type ReactionAction,
} from '@reachout/contract/rules/event-graph.ts';
import { sendError } from '@reachout/contract/rules/send-errors.ts';
import { sql } from 'kysely';
import {
  selectValidated,
  timeZoneOf,
  trackingOf,
  type ValidatedAudience,
} from '../contacts/audiences/audience-sql.ts';
import {
  execute,
  onlyRowOf,
  rowsOf,
  valuesOf,
  type Database,
  type Row,
  type Transaction,
} from '../platform/database/database.ts';
import { runSteps, statement } from '../platform/database/pipelined.ts';
import { variables } from './audience-snapshot.queries.ts';
import { countOf } from './result-statements.ts';
import { addStoredToTotals } from './result-totals.ts';
import { ofSend } from './send-statements.ts';
import { knownDomains } from './snapshot-statements.queries.ts';

/** Reactions of one kind of a touchpoint. */
export interface ReactionGroup {
  organization_id: string;
  touchpoint_id: string;
  action: ReactionAction;
}

/** Finds groups with reactions that are due, over all organizations (db/functions/reactions.sql). */
export const findDueReactions = (db: Database, limit: number) =>
  rowsOf<ReactionGroup>(db)`select * from due_reactions(${limit})`;

export type DueReaction = Row<
  'reactions',
  'id' | 'listener_id' | 'collection' | 'contact_id' | 'endpoint' | 'cause_send_id' | 'cause_seq'
>;

/**
 * Lists reactions of a group that are due, the longest first, whose contacts are in one collection.
 * @param lock  leaves out those that another process is releasing
 */
export const listDueReactions = (
  trx: Transaction,
  { organization_id, touchpoint_id, action }: ReactionGroup,
  limit: number,
  lock?: 'lock',
) => rowsOf<DueReaction>(trx)`
  select id, listener_id, collection, contact_id, endpoint, cause_send_id, cause_seq from reactions
  where organization_id = ${organization_id} and touchpoint_id = ${touchpoint_id} and action = ${action} and state = 'waiting'
    and due_at <= now() and collection = (
      select collection from reactions
      where organization_id = ${organization_id} and touchpoint_id = ${touchpoint_id} and action = ${action} and state = 'waiting'
        and due_at <= now()
      order by due_at limit 1
    )
  order by due_at
  limit ${limit}
  ${lock === undefined ? sql`` : sql`for update skip locked`}
`;

/** Lists what the fields of contacts mean to the sends whose messages caused reactions. */
export const listMappingsOfCauses = (
  trx: Transaction,
  organizationId: string,
  collection: string,
  sendIds: readonly string[],
) => rowsOf<{ send_id: string; field_mapping: FieldMapping }>(trx)`
  select send_id, audience -> 'field_mapping' as field_mapping from touchpoint_send_contents
  where organization_id = ${organizationId} and send_id = any(${sendIds}::uuid[]) and audience ->> 'collection' = ${collection}
`;

/** What the messages that caused reactions were made of, for contacts that are known by their address alone. */
export const listVariablesOfCauses = (
  trx: Transaction,
  organizationId: string,
  reactions: readonly DueReaction[],
) => rowsOf<{ id: string; variables: Record<string, unknown> }>(trx)`
  select distinct on (d.address) d.address as id, d.variables
  from json_to_recordset(${JSON.stringify(reactions)}::json) as r (cause_send_id uuid, cause_seq int)
  join deliveries d on d.organization_id = ${organizationId} and d.send_id = r.cause_send_id and d.seq = r.cause_seq
  where d.address <> ''
  order by d.address, d.send_id desc, d.seq desc
`;

/** How a touchpoint reacts. */
export type ListenerTerms = Pick<TouchpointEventListener, 'id' | 'delay' | 'unless' | 'quiet_hours'> & {
  /** When it or its event was changed last: nothing is late because of that. */
  changed_at: string;
};

/** SQL for listeners as rows `l`; a reaction without one is of a listener that was deleted. */
const toListeners = (listeners: readonly ListenerTerms[]) =>
  sql`json_to_recordset(${JSON.stringify(listeners)}::json) as l (id uuid, delay text, unless jsonb, quiet_hours boolean, changed_at timestamptz)`;

export interface Released {
  sent: number;
  /** Without a message, with their reason. */
  skipped: number;
  /** Wait until the quiet hours of their contacts end. */
  postponed: number;
  /** Domains of recipients whose group is unknown. */
  unknownDomains: string[];
}

export interface Release {
  organizationId: string;
  brandId: string;
  sendId: string;
  /** Ids of reactions that the transaction has locked; their contacts are rows of the audience. */
  reactions: readonly string[];
  listeners: readonly ListenerTerms[];
  audience: ValidatedAudience;
  /** Fields that the message uses; null for all. */
  contactFields: readonly string[] | null;
  /** When the quiet hours end, by time zones in lower case; `''` for contacts without one of these. */
  quietEnds: Readonly<Record<string, string>>;
}

/**
 * Makes due reactions messages of an open send, with what is known of their contacts now; or skips them, with the reason. The
 * caller has locked the send.
 */
export async function releaseReactions(
  trx: Transaction,
  { organizationId, brandId, sendId, reactions, listeners, audience, contactFields, quietEnds }: Release,
): Promise<Released> {
  const tracking = trackingOf(organizationId, audience, 'contact');
  return await onlyRowOf<Released>(trx)`
    with known as materialized (${knownDomains}),
    contact as materialized (
      select contact.id, contact.address, contact.reason, ${variables(contactFields)} as variables,
        ${tracking.isTracked} as tracked, ${tracking.consent} as tracking_consent,
        (${JSON.stringify(quietEnds)}::jsonb) ->> coalesce(${timeZoneOf(audience, 'contact')}, '') as quiet_end
      from (${selectValidated(organizationId, audience)}) contact
      ${tracking.join}
    ), due as materialized (
      select r.id, r.contact_id, r.due_at, l.id is null as is_deleted, l.quiet_hours,
        greatest(r.cause_at + l.delay::interval, l.changed_at) < now() - make_interval(days => ${maxOverdueDays}) as is_late, is_void(r, l.unless) as is_void,
        (
          select true from reactions s
          where s.organization_id = ${organizationId} and s.contact_id = r.contact_id and s.collection = r.collection
            and s.touchpoint_id = r.touchpoint_id and s.action = 'stop_email' and s.state = 'done' and s.cause_at >= r.cause_at
          limit 1
        ) as is_stopped
      from reactions r
      left join ${toListeners(listeners)} on l.id = r.listener_id
      where r.organization_id = ${organizationId} and r.id = any(${reactions}::uuid[])
    ), lately as materialized (
      -- A scalar subquery is a look-up by contact in any plan.
      select d.contact_id, (
        select count(*) from reactions r
        where r.organization_id = ${organizationId} and r.contact_id = d.contact_id and r.collection = ${audience.collection}
          and r.brand_id = ${brandId} and r.state = 'sent' and r.ended_at > now() - interval '1 day'
      ) as count
      from (select distinct contact_id from due) d
    ), judged as materialized (
      select d.*, c.address, c.variables, c.tracked, c.tracking_consent, case when d.quiet_hours then c.quiet_end::timestamptz end as quiet_end,
        case when d.is_deleted then 'listener_deleted' when d.is_stopped then 'stopped' when d.is_late then 'too_late' when c.id is null then 'no_contact'
          when d.is_void then 'unless' else c.reason end as reason
      from due d
      left join contact c on c.id = d.contact_id
    ), decided as materialized (
      select j.*, coalesce(j.reason, case when j.quiet_end is null
        and coalesce(l.count, 0) + row_number() over (partition by j.contact_id, j.reason is null and j.quiet_end is null order by j.due_at, j.id)
          > ${maxReactionsOfContact} then 'contact_limit' end) as decision
      from judged j
      left join lately l on l.contact_id = j.contact_id
    ), sending as materialized (
      select d.*, split_part(d.address, '@', 2) as domain, row_number() over (order by d.due_at, d.id) as number
      from decided d
      where d.decision is null and d.quiet_end is null
    ), counted as (
      update touchpoint_sends
      set recipients_total_count = recipients_total_count + (select count(*) from sending),
        next_due_at = case when failure_count = 0 then least(next_due_at, now()) else coalesce(next_due_at, now()) end
      where organization_id = ${organizationId} and id = ${sendId} and exists (select from sending)
      returning recipients_total_count - (select count(*) from sending) as before
    ), recipient as materialized (
      select s.*, (c.before + s.number)::integer as seq, coalesce(k.recipient_group, 'other') as lane, k.is_fresh is not true as is_unknown
      from sending s
      cross join counted c
      left join known k on k.domain = s.domain
    ), delivery as (
      insert into deliveries (organization_id, send_id, seq, contact_id, address, variables, tracked, tracking_consent)
      select ${organizationId}::uuid, ${sendId}::uuid, seq, contact_id, address, variables, tracked, tracking_consent from recipient
    ), queued as (
      insert into delivery_queue (organization_id, send_id, seq, lane, kind, attempts, due_at)
      select ${organizationId}::uuid, ${sendId}::uuid, seq, lane, 'new', 0, now() from recipient
    ), message as (
      insert into messages (organization_id, id, send_id, seq, contact_id, collection)
      select ${organizationId}::uuid, gen_random_uuid(), ${sendId}::uuid, seq, contact_id, nullif(${audience.collection}, '') from recipient
    ), ended as (
      update reactions r
      set state = case when d.decision is null then 'sent' else 'skipped' end, reason = d.decision, ended_at = now(),
        send_id = case when d.decision is null then ${sendId}::uuid end, seq = p.seq
      from decided d
      left join recipient p on p.id = d.id
      where r.organization_id = ${organizationId} and r.id = any(${reactions}::uuid[]) and r.id = d.id
        and (d.decision is not null or d.quiet_end is null)
    ), postponed as (
      update reactions r set due_at = d.quiet_end
      from decided d
      where r.organization_id = ${organizationId} and r.id = any(${reactions}::uuid[]) and r.id = d.id
        and d.decision is null and d.quiet_end is not null
    )
    select (select count(*) from recipient)::int as sent,
      (select count(*) from decided where decision is not null)::int as skipped,
      (select count(*) from decided where decision is null and quiet_end is not null)::int as postponed,
      array(select distinct domain from recipient where is_unknown limit 1000) as "unknownDomains"
  `;
}

/** @returns the time zones of these contacts, in lower case */
export const listZones = (trx: Transaction, organizationId: string, audience: ValidatedAudience) =>
  valuesOf<string>(trx)`
    select distinct ${timeZoneOf(audience, 'contact')} as zone from (${selectValidated(organizationId, audience)}) contact
    where ${timeZoneOf(audience, 'contact')} is not null
    limit 500
  `;

/** Ends locked reactions in a way that sends nothing. */
export const endReactions = (
  trx: Transaction,
  organizationId: string,
  ids: readonly string[],
  {
    state,
    reason,
  }: { state: 'done'; reason: null } | { state: 'skipped'; reason: 'foreign_contacts' | 'no_contact' },
) => execute(trx)`
  update reactions set state = ${state}, reason = ${reason}, ended_at = now()
  where organization_id = ${organizationId} and id = any(${ids}::uuid[]) and state = 'waiting'
`;

/** Lets reactions that are due wait for some minutes, because they cannot happen now. */
export const postponeReactions = (
  trx: Transaction,
  organizationId: string,
  ids: readonly string[],
  minutes: number,
) => execute(trx)`
  update reactions set due_at = now() + make_interval(mins => ${minutes})
  where organization_id = ${organizationId} and id = any(${ids}::uuid[]) and state = 'waiting' and due_at <= now()
`;

/** Says at a send why its messages are late; what a mail server accepts removes it. */
export const noteProblem = (
  trx: Transaction,
  organizationId: string,
  sendId: string,
  error: object,
) => execute(trx)`
  update touchpoint_sends set error = ${JSON.stringify(error)}::jsonb where organization_id = ${organizationId} and id = ${sendId}
`;

/** Lets the releases of emails of a brand count one after another what a contact got. */
export const lockReleases = (trx: Transaction, brandId: string) => execute(trx)`
  select pg_advisory_xact_lock(hashtextextended(${`reactions of ${brandId}`}, 0))
`;

/** Skips reactions whose contact did what makes them void. @returns the others */
export const skipVoid = (
  trx: Transaction,
  organizationId: string,
  ids: readonly string[],
  listeners: readonly ListenerTerms[],
) => valuesOf<string>(trx)`
  with judged as materialized (
    select r.id, is_void(r, l.unless) as is_void
    from reactions r
    left join ${toListeners(listeners)} on l.id = r.listener_id
    where r.organization_id = ${organizationId} and r.id = any(${ids}::uuid[])
  ), skipped as (
    update reactions r set state = 'skipped', reason = 'unless', ended_at = now()
    from judged j
    where r.organization_id = ${organizationId} and r.id = j.id and j.is_void
  )
  select id from judged where not is_void
`;

/**
 * Takes back what an email still has for the contacts of locked reactions: what waits to be due, and messages that no worker holds,
 * which end as suppressed. The caller has locked the send.
 * @param sendId  the open send of the email; null: it has none
 */
export const stopMessages = (
  trx: Transaction,
  { organization_id, touchpoint_id }: ReactionGroup,
  sendId: string | null,
  ids: readonly string[],
): Promise<void> =>
  runSteps(trx, [{ ...stopMessagesStatement, values: [organization_id, sendId, touchpoint_id, ids] }]);

const stopMessagesStatement = statement('stop_messages')`
  with stop as materialized (
    select contact_id, collection, cause_at from reactions where organization_id = $1 and id = any($4::uuid[])
  ), message as materialized (
    select m.seq from stop s
    join messages m on m.organization_id = $1 and m.send_id = $2::uuid and m.contact_id = s.contact_id
      and coalesce(m.collection, '') = s.collection
  ), taken as (
    delete from delivery_queue
    where ${ofSend} and seq = any(array(select seq from message)) and worker_id is null and kind <> 'uncertain' and uncertain = 0
    returning seq, attempts
  ), stored as (
    insert into delivery_results (organization_id, send_id, seq, state, attempts, error, at)
    select $1::uuid, $2::uuid, seq, 'suppressed', attempts, '${JSON.stringify(sendError('stopped_by_event'))}'::jsonb, now()
    from taken
    on conflict do nothing
    returning seq, state, class, at, accepted_at, tracked
  ), added as (${addStoredToTotals('stored')}
  ), counted as (
    update touchpoint_sends set recipients_suppressed_count = recipients_suppressed_count + ${countOf('suppressed')}, updated_at = now()
    where organization_id = $1 and id = $2 and exists (select from stored)
  ), ended as (
    update reactions r set state = 'cancelled', reason = 'stopped'
    where r.organization_id = $1 and r.send_id = $2 and r.seq = any(array(select seq from stored)) and r.state = 'sent'
  )
  update reactions r set state = 'cancelled', reason = 'stopped', ended_at = now()
  from stop s
  where r.organization_id = $1 and r.contact_id = s.contact_id and r.collection = s.collection and r.touchpoint_id = $3
    and r.action = 'send_email' and r.state = 'waiting' and r.cause_at <= s.cause_at`;
