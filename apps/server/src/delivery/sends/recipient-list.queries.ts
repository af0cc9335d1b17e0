import { describeSendError } from '@reachout/contract/rules/send-errors.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Recipient, RecipientFilters } from '@reachout/contract/sends.ts';
import type { DeliveryState, EventType, Reaction } from '@reachout/contract/statuses.ts';
import { onlyValueOf, withoutNestedLoops, type Transaction } from '../../platform/database/database.ts';

export interface Slice {
  offset: number;
  limit: number;
  /** By descending number. */
  isNewestFirst: boolean;
}

const inOrder = (isNewestFirst: boolean) => (isNewestFirst ? sql`desc` : sql`asc`);

export interface RecipientPage {
  /** Total over all pages. */
  count: number;
  /** Seqs of deliveries. */
  seqs: number[];
  /** Seqs of exclusions, ascending; they come after all deliveries. */
  excludedSeqs: number[];
}

const ofSend = (sendId: string) =>
  sql`organization_id = current_organization_id() and send_id = ${sendId}::uuid`;

type RecipientRow = Omit<Recipient, 'error_content'>;

const toRecipient = (row: RecipientRow): Recipient => ({
  ...row,
  error_content: row.error && describeSendError(row.error),
});

/**
 * Reads the deliveries with these numbers, each with its state. Each table is filtered by the numbers: while a send is new,
 * PostgreSQL estimates it as small, and a join would read all of its results.
 */
export async function readDeliveries(
  trx: Transaction,
  sendId: string,
  seqs: number[],
  isNewestFirst = false,
): Promise<Recipient[]> {
  if (seqs.length === 0) return [];
  const { rows } = await sql<RecipientRow>`
    with leased as materialized (
      select first_seq, marked_up_to from delivery_chunks
      where ${ofSend(sendId)} and not done and worker_id is not null
    )
    select d.seq, d.contact_id, d.address,
      case
        when r.state is not null then r.state
        when w.kind = 'uncertain' then 'uncertain'
        when s.end_date is not null then 'cancelled'
        when w.worker_id is not null then 'sending'
        when w.seq is null and exists (select from leased where d.seq between first_seq and marked_up_to) then 'sending'
        else 'queued'
      end as state,
      null as exclusion_reason, case when s.kind = 'triggered' then cause_of_message(d.organization_id, d.send_id, d.seq) end as cause,
      coalesce(r.attempts, w.attempts, 0) as attempts,
      case when r.accepted_at is not null or r.stage is not null then (
        select nullif(c.transports -> coalesce(r.transport_no, 0)::int ->> 'name', '') from touchpoint_send_contents c
        where c.organization_id = d.organization_id and c.send_id = d.send_id) end as transport,
      coalesce(r.reply, w.reply) as reply,
      coalesce(r.error, w.error) as error, w.due_at as next_attempt_at, r.at
    from deliveries d
    join touchpoint_sends s on s.organization_id = d.organization_id and s.id = d.send_id
    left join delivery_results r
      on r.organization_id = d.organization_id and r.send_id = d.send_id and r.seq = d.seq and r.seq = any(${seqs}::int[])
    left join delivery_queue w
      on w.organization_id = d.organization_id and w.send_id = d.send_id and w.seq = d.seq and w.seq = any(${seqs}::int[])
    where d.organization_id = current_organization_id() and d.send_id = ${sendId}::uuid and d.seq = any(${seqs}::int[])
    order by d.seq ${inOrder(isNewestFirst)}
  `.execute(trx);
  return rows.map(toRecipient);
}

/** Reads the excluded contacts with these numbers. */
export async function readExclusions(trx: Transaction, sendId: string, seqs: number[]): Promise<Recipient[]> {
  if (seqs.length === 0) return [];
  const { rows } = await sql<RecipientRow>`
    select null as seq, contact_id, address, 'excluded' as state, reason as exclusion_reason, null as cause, 0 as attempts, null as transport, null as reply,
      null as error, null as next_attempt_at, null as at
    from delivery_exclusions
    where ${ofSend(sendId)} and seq = any(${seqs}::int[])
    order by delivery_exclusions.seq
  `.execute(trx);
  return rows.map(toRecipient);
}

/** @param states  without duplicates, at least one */
export async function listSeqsInStates(
  trx: Transaction,
  sendId: string,
  states: readonly DeliveryState[],
  { offset, limit, isNewestFirst }: Slice,
): Promise<number[]> {
  const { rows } = await withoutNestedLoops(trx, () =>
    sql<{ seq: number }>`
      ${seqsInStates(sendId, states)} order by seq ${inOrder(isNewestFirst)} limit ${limit} offset ${offset}
    `.execute(trx),
  );
  return rows.map(({ seq }) => seq);
}

/** Counts messages in progress. The cost is bounded by the in-flight limits of the workers. */
export const countSending = (trx: Transaction, sendId: string) => onlyValueOf<number>(trx)`
  select count(*)::int as count from (${seqsInState(sendId, 'sending')}) sending
`;

/**
 * Finds recipients by all of the filters: `search` is a part of the address, case-insensitive, or the whole id of the contact.
 * Excluded contacts got no message, so they have no reactions.
 */
export async function findRecipients(
  trx: Transaction,
  sendId: string,
  { state, search, ...reactions }: RecipientFilters,
  { offset, limit, isNewestFirst }: Slice,
): Promise<RecipientPage> {
  const matches =
    search === undefined
      ? sql`true`
      : sql`(strpos(lower(address), lower(${search}::text)) > 0 or contact_id = ${search}::text)`;
  const reacted = listReacted(sendId, reactions);
  const states =
    state === 'not_sent' ? notSentStates : state === undefined || state === 'excluded' ? [] : [state];
  const inState = states.length === 0 ? sql`` : sql`and seq in (${seqsInStates(sendId, states)})`;
  const deliveries =
    state === 'excluded'
      ? none
      : search === undefined && reacted.length > 0
        ? sql`select seq from (${reacted[0]}) r where true ${sql.join(reacted.slice(1).map(among), sql``)} ${inState}`
        : sql`select seq from deliveries where ${ofSend(sendId)} and ${matches} ${sql.join(reacted.map(among), sql``)} ${inState}`;
  const exclusions =
    reacted.length === 0 && (state === undefined || state === 'excluded')
      ? sql`select seq from delivery_exclusions where ${ofSend(sendId)} and ${matches}`
      : none;
  // Arrays of numbers: a search may match all of a large send, but needs only the count and one page.
  const { rows } = await withoutNestedLoops(trx, () =>
    sql<RecipientPage>`
      with found as materialized (
        select array(select seq from (${deliveries}) d order by seq ${inOrder(isNewestFirst)}) as seqs,
          array(select seq from (${exclusions}) x order by seq) as excluded
      ), counted as (
        select *, cardinality(seqs) as deliveries, ${offset}::int as first, ${offset + limit}::int as last from found
      )
      select deliveries + cardinality(excluded) as count, seqs[first + 1 : last] as seqs,
        excluded[greatest(first - deliveries, 0) + 1 : last - deliveries] as "excludedSeqs"
      from counted
    `.execute(trx),
  );
  return rows[0]!;
}

const none = sql`select null::int as seq where false`;

const among = (seqs: RawBuilder<unknown>) => sql` and seq in (${seqs})`;

const eventTypeOf = {
  opened: 'OPEN_EMAIL',
  clicked: 'CLICK',
  unsubscribed: 'UNSUBSCRIBE',
  complained: 'COMPLAINT',
} as const satisfies Record<Exclude<Reaction, 'converted'>, EventType>;

type Reactions = Pick<RecipientFilters, 'reaction' | 'link'>;

/** Selects the numbers of the messages with each of these reactions by a person. */
function listReacted(sendId: string, { reaction, link }: Reactions): RawBuilder<unknown>[] {
  const seqsWith = (type: EventType, linkNo: number) => sql`
    select seq from delivery_event_counts
    where ${ofSend(sendId)} and type = ${type} and link_no = ${linkNo} and first_human_at is not null`;
  return [
    ...(reaction === undefined
      ? []
      : [
          reaction === 'converted'
            ? sql`select seq from converted_messages where ${ofSend(sendId)}`
            : seqsWith(eventTypeOf[reaction], -1),
        ]),
    ...(link === undefined ? [] : [seqsWith('CLICK', link)]),
  ];
}

/** @param seqs  consecutive, at least one @returns those with all of these reactions; undefined if there is no such filter */
export async function findReacted(
  trx: Transaction,
  sendId: string,
  reactions: Reactions,
  seqs: readonly number[],
): Promise<ReadonlySet<number> | undefined> {
  const reacted = listReacted(sendId, reactions);
  if (reacted.length === 0) return undefined;
  const { rows } = await sql<{ seq: number }>`
    select seq from (${sql.join(reacted, sql` intersect `)}) reacted
    where seq between ${seqs[0]}::int and ${seqs.at(-1)}::int
  `.execute(trx);
  return new Set(rows.map(({ seq }) => seq));
}

/** @returns the collection of the contacts of a send; null for single messages */
export async function findContactCollection(trx: Transaction, sendId: string): Promise<string | null> {
  const { rows } = await sql<{ collection: string | null }>`
    select audience ->> 'collection' as collection from touchpoint_send_contents where ${ofSend(sendId)}
  `.execute(trx);
  return rows[0]?.collection ?? null;
}

/** States of deliveries that were not sent; an uncertain one may have been. */
export const notSentStates = [
  'uncertain',
  'bounced',
  'failed',
  'suppressed',
  'skipped',
  'cancelled',
] as const satisfies readonly DeliveryState[];

const seqsInStates = (sendId: string, states: readonly DeliveryState[]): RawBuilder<unknown> =>
  sql.join(
    states.map((state) => sql`(${seqsInState(sendId, state)})`),
    sql` union all `,
  );

/** Selects the numbers of deliveries in a state: the rules of `readDeliveries`, one state at a time. */
function seqsInState(sendId: string, state: DeliveryState): RawBuilder<unknown> {
  // Subqueries instead of joins: while a send is new, PostgreSQL estimates its tables as empty, and would scan them per row.
  const isIn = (table: string, seq: RawBuilder<unknown>) =>
    sql`(select true from ${sql.table(table)} found where ${ofSend(sendId)} and found.seq = ${seq}) is not null`;
  switch (state) {
    case 'queued':
      return sql`
        select seq from delivery_queue where ${ofSend(sendId)} and kind <> 'uncertain' and worker_id is null
        union all
        select number as seq
        from delivery_chunks,
          generate_series(case when worker_id is null then first_seq else marked_up_to + 1 end, last_seq) number
        where ${ofSend(sendId)} and not done
          and (lease_token = 0
            or not (${isIn('delivery_results', sql`number`)} or ${isIn('delivery_queue', sql`number`)}))`;
    case 'sending':
      return sql`
        select seq from delivery_queue where ${ofSend(sendId)} and kind <> 'uncertain' and worker_id is not null
        union all
        select number as seq
        from delivery_chunks, generate_series(first_seq, marked_up_to) number
        where ${ofSend(sendId)} and not done and worker_id is not null
          and not (${isIn('delivery_results', sql`number`)} or ${isIn('delivery_queue', sql`number`)})`;
    case 'uncertain':
      return sql`select seq from delivery_queue where ${ofSend(sendId)} and kind = 'uncertain'`;
    case 'cancelled':
      return sql`
        select seq from deliveries d
        where ${ofSend(sendId)}
          and (select end_date from touchpoint_sends where organization_id = current_organization_id() and id = ${sendId}::uuid) is not null
          and not exists (select from delivery_results r where ${ofSend(sendId)} and r.seq = d.seq)
          and not exists (select from delivery_queue w where ${ofSend(sendId)} and w.seq = d.seq)`;
    default:
      return sql`select seq from delivery_results where ${ofSend(sendId)} and state = ${state}`;
  }
}
