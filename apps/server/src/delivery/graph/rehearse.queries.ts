import type { ReactionReason } from '@reachout/contract/rules/event-graph.ts';
import { sql } from 'kysely';
import {
  selectValidated,
  timeZoneOf,
  type ValidatedAudience,
} from '../../contacts/audiences/audience-sql.ts';
import { rowsOf, type Row, type Transaction } from '../../platform/database/database.ts';

/** A reaction that there would have been. */
export type RehearsedReaction = Pick<
  Row<'reactions'>,
  | 'id'
  | 'touchpoint_event_id'
  | 'listener_id'
  | 'touchpoint_id'
  | 'action'
  | 'brand_id'
  | 'collection'
  | 'contact_id'
  | 'cause_type'
  | 'cause_at'
  | 'cause_touchpoint_id'
  | 'cause_detail'
  | 'due_at'
> & { quiet_hours: boolean; is_void: boolean };

const columns = sql`r.id, r.touchpoint_event_id, r.listener_id, r.touchpoint_id, r.action, r.brand_id, r.collection, r.contact_id, r.cause_type,
    r.cause_at, r.cause_touchpoint_id, r.cause_detail, r.due_at, l.quiet_hours, is_void(r, l.unless, r.due_at) as is_void`;

/** Lists what events since a time would have caused, by when it would have been due, and of how many events. */
export const listPastReactions = (
  trx: Transaction,
  organizationId: string,
  eventIds: readonly string[],
  since: string,
  limit: number,
) => rowsOf<RehearsedReaction & { causes: number }>(trx)`
  with past as materialized (
    select array(select c from past_causes(${organizationId}, ${eventIds}::uuid[], ${since}::timestamptz, ${limit}) c) as causes
  )
  select ${columns}, cardinality(p.causes) as causes
  from past p
  cross join lateral reactions_to(p.causes, ${eventIds}::uuid[]) r
  join touchpoint_event_listeners l on l.organization_id = r.organization_id and l.id = r.listener_id
  order by r.due_at, r.id
`;

/** Lists what messages of reactions would have caused when they were sent. */
export const listFollowing = (
  trx: Transaction,
  organizationId: string,
  eventIds: readonly string[],
  sent: readonly Pick<RehearsedReaction, 'id' | 'touchpoint_id' | 'due_at' | 'collection' | 'contact_id'>[],
) => rowsOf<RehearsedReaction>(trx)`
  select ${columns}
  from reactions_to(array(
    select row(${organizationId}::uuid, 'SEND_EMAIL', s.touchpoint_id, null, s.id, s.due_at, true, null, null, null, null, s.collection,
      s.contact_id, null, null)::cause
    from json_to_recordset(${JSON.stringify(sent)}::json) s (id text, touchpoint_id text, due_at timestamptz, collection text, contact_id text)
  ), ${eventIds}::uuid[]) r
  join touchpoint_event_listeners l on l.organization_id = r.organization_id and l.id = r.listener_id
  order by r.due_at, r.id
`;

/** Lists the contacts of an audience with the reason why they get no email, and their time zone. */
export const listJudged = (trx: Transaction, organizationId: string, audience: ValidatedAudience) =>
  rowsOf<{ id: string; reason: ReactionReason | null; zone: string | null }>(trx)`
    select contact.id, contact.reason, ${timeZoneOf(audience, 'contact')} as zone
    from (${selectValidated(organizationId, audience)}) contact
  `;
