import { sql } from 'kysely';
import type { Transaction } from '../platform/database/database.ts';
import type { MessageEvent } from './event.ts';

/** What a batch adds to the count of one delivery, type and link. */
export interface CountIncrement {
  sendId: string;
  touchpointId: string;
  type: string;
  seq: number;
  /** -1 for the message as a whole. */
  linkNo: number;
  humanCount: number;
  automaticCount: number;
  /** The earliest event by a person in the batch. */
  firstHumanAt: Date | null;
}

export interface CountAfter {
  send_id: string;
  type: string;
  seq: number;
  link_no: number;
  human_count: number;
  automatic_count: number;
}

/**
 * Adds to the counts and tells what they are now. A message's first event is the one that was stored first, whatever
 * the clocks of several processes say: the moment never changes again.
 * @param increments  each key once, in an order that is the same in every process: two that count the same deliveries
 * could block each other for good otherwise
 */
export async function addToCounts(
  trx: Transaction,
  organizationId: string,
  increments: readonly CountIncrement[],
): Promise<CountAfter[]> {
  const { rows } = await sql<CountAfter>`
    insert into delivery_event_counts as c
      (organization_id, send_id, type, seq, link_no, touchpoint_id, human_count, automatic_count, first_human_at)
    select ${organizationId}::uuid, * from unnest(
      ${increments.map((each) => each.sendId)}::uuid[],
      ${increments.map((each) => each.type)}::text[],
      ${increments.map((each) => each.seq)}::int[],
      ${increments.map((each) => each.linkNo)}::int[],
      ${increments.map((each) => each.touchpointId)}::uuid[],
      ${increments.map((each) => each.humanCount)}::bigint[],
      ${increments.map((each) => each.automaticCount)}::bigint[],
      ${increments.map((each) => each.firstHumanAt?.toISOString() ?? null)}::timestamptz[])
    on conflict (organization_id, send_id, type, seq, link_no) do update
    set human_count = c.human_count + excluded.human_count,
      automatic_count = c.automatic_count + excluded.automatic_count,
      first_human_at = coalesce(c.first_human_at, excluded.first_human_at)
    returning send_id, type, seq, link_no, human_count, automatic_count
  `.execute(trx);
  return rows;
}

/** What a batch adds to the total of a quarter of an hour. */
export interface TotalIncrement {
  touchpointId: string;
  sendId: string;
  type: string;
  at: Date;
  uniqueCount: number;
  humanCount: number;
  automaticCount: number;
}

/**
 * Stores single events and adds to the totals, in one statement.
 * @param totals  each key once, in an order that is the same in every process
 */
export async function insertEvents(
  trx: Transaction,
  organizationId: string,
  events: readonly MessageEvent[],
  totals: readonly TotalIncrement[],
): Promise<void> {
  await sql`
    with totals as (
      insert into delivery_event_totals as t
        (organization_id, touchpoint_id, send_id, type, at, unique_count, human_count, automatic_count)
      select ${organizationId}::uuid, * from unnest(
        ${totals.map((each) => each.touchpointId)}::uuid[],
        ${totals.map((each) => each.sendId)}::uuid[],
        ${totals.map((each) => each.type)}::text[],
        ${totals.map((each) => each.at.toISOString())}::timestamptz[],
        ${totals.map((each) => each.uniqueCount)}::bigint[],
        ${totals.map((each) => each.humanCount)}::bigint[],
        ${totals.map((each) => each.automaticCount)}::bigint[])
      on conflict (organization_id, touchpoint_id, type, at, send_id) do update
      set unique_count = t.unique_count + excluded.unique_count,
        human_count = t.human_count + excluded.human_count,
        automatic_count = t.automatic_count + excluded.automatic_count
    )
    insert into events
      (organization_id, id, touchpoint_id, send_id, seq, type, at, link_no, automatic, user_agent, network)
    select ${organizationId}::uuid, e.* from json_to_recordset(${JSON.stringify(events.map(toRow))}::json) as e (id uuid, touchpoint_id uuid, send_id uuid, seq int,
      type text, at timestamptz, link_no int, automatic boolean, user_agent text, network text)
  `.execute(trx);
}

const toRow = (event: MessageEvent) => ({
  id: event.id,
  touchpoint_id: event.touchpointId,
  send_id: event.sendId,
  seq: event.seq,
  type: event.type,
  at: event.at,
  link_no: event.linkNo,
  automatic: event.automatic,
  user_agent: event.userAgent,
  network: event.network,
});
