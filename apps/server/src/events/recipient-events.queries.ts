import { sql } from 'kysely';
import type { Transaction } from '../platform/database/database.ts';

export interface MessageOfPerson {
  touchpoint_id: string;
  send_id: string;
  seq: number;
}

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

export interface EventOfPerson {
  send_id: string;
  seq: number;
  type: string;
  at: string;
  link_no: number | null;
  is_bot: boolean;
  user_agent: string | null;
  ip_prefix: string | null;
  country: string | null;
}

/** Lists the kept events of messages, the oldest first. */
export async function listEventsOf(
  trx: Transaction,
  organizationId: string,
  messages: readonly MessageOfPerson[],
  limit: number,
): Promise<EventOfPerson[]> {
  const { rows } = await sql<EventOfPerson>`
    select e.send_id, e.seq, e.type, e.at, e.link_no, e.is_bot, e.user_agent, e.ip_prefix, e.country
    from ${given(messages)}
    join current_events e on e.organization_id = ${organizationId} and e.touchpoint_id = g.touchpoint_id
      and e.type = any(${types}) and e.send_id = g.send_id and e.seq = g.seq
    order by e.at
    limit ${limit}
  `.execute(trx);
  return rows;
}
