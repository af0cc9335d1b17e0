import { sql, type RawBuilder } from 'kysely';
import type { Row, Transaction } from '../platform/database/database.ts';

export type MessageOfPerson = Row<'delivery_event_counts', 'touchpoint_id' | 'send_id' | 'seq'>;

const types = sql`array['SEND_EMAIL', 'OPEN_EMAIL', 'CLICK', 'VISIT', 'BOUNCE', 'COMPLAINT', 'UNSUBSCRIBE']`;

const given = (messages: readonly MessageOfPerson[]) =>
  sql`json_to_recordset(${JSON.stringify(messages.map(({ touchpoint_id, send_id, seq }) => ({ touchpoint_id, send_id, seq })))}::json)
    as g (touchpoint_id uuid, send_id uuid, seq integer)`;

/** Removes from the events of messages which program, network and country they came from. Counts stay. */
export async function anonymizeEvents(
  trx: Transaction,
  organizationId: string,
  messages: readonly MessageOfPerson[],
): Promise<void> {
  if (messages.length === 0) return;
  // Waits for a fold, which has read what is not folded yet, and blocks others until the transaction ends.
  await sql`select pg_advisory_xact_lock(message_fold_lock())`.execute(trx);
  await sql`
    update unfolded_message_events u set user_agent = null, ip_prefix = null, country = null
    from ${given(messages)}
    where u.organization_id = ${organizationId} and u.touchpoint_id = g.touchpoint_id and u.send_id = g.send_id and u.seq = g.seq
  `.execute(trx);
  await sql`
    update events e set user_agent = null, ip_prefix = null, country = null
    from ${given(messages)}
    where e.organization_id = ${organizationId} and e.touchpoint_id = g.touchpoint_id and e.type = any(${types})
      and e.send_id = g.send_id and e.seq = g.seq
  `.execute(trx);
}

/**
 * SQL that selects the kept events of messages, by `send_id` and `seq`, as JSON.
 * @param limit  maximum events of each message: the oldest; `events_count` has all
 */
export const selectEventsOf = (
  organizationId: string,
  messages: readonly MessageOfPerson[],
  limit: number,
): RawBuilder<unknown> => sql`
  select e.send_id, e.seq, count(*) as events_count,
    json_agg(json_build_object('type', e.type, 'at', e.at, 'link_no', e.link_no, 'is_bot', e.is_bot, 'moved_by', e.moved_by,
      'user_agent', e.user_agent, 'ip_prefix', e.ip_prefix, 'country', e.country) order by e.at) filter (where e.place <= ${limit}) as events
  from (
    select e.*, row_number() over (partition by e.send_id, e.seq order by e.at) as place
    from ${given(messages)}
    join events e on e.organization_id = ${organizationId} and e.touchpoint_id = g.touchpoint_id
      and e.type = any(${types}) and e.send_id = g.send_id and e.seq = g.seq
  ) e
  group by e.send_id, e.seq`;
