import type { Step } from '../platform/database/pipelined.ts';
import type { DeliveryResult } from './delivery.ts';
import { ofSend, sendRow } from './send-statements.ts';

// Parts of the statements that store results, for chunks (`store-chunk.queries.ts`) and for single messages
// (`store-results.queries.ts`). $1 is the organization, $2 the send.

/** What results cause elsewhere, in the transaction that stores them. */
export interface ResultEffects {
  /** Run after the results are stored. */
  steps: readonly Step[];
  /** Whether they suppress addresses: the send is then locked first, so that it is not paused meanwhile. */
  suppresses: boolean;
}

export const noEffects: ResultEffects = { steps: [], suppresses: false };

/** @param now  time of the clock by which the result has its times */
export function toStored(
  { seq, tracked, transportNo, tries, reply, error, at, stage, class: bounceClass, result }: DeliveryResult,
  now: Date,
) {
  const msFromNow = (time: string | null) => (time === null ? null : Date.parse(time) - now.getTime());
  // PostgreSQL rejects NUL and lone surrogates; an error here would block the whole batch permanently.
  const text = reply?.toWellFormed().replaceAll('\0', '') ?? null;
  return result.kind === 'final'
    ? {
        seq,
        attempts: tries.attempts,
        reply: text,
        error,
        at_ms: msFromNow(at),
        stage,
        class: bounceClass,
        state: result.state,
        // Most are: left out of the JSON, it costs nothing.
        tracked: tracked === false ? false : undefined,
        transport_no: transportNo === 0 ? undefined : transportNo,
      }
    : {
        seq,
        attempts: tries.attempts,
        interruptions: tries.interruptions,
        uncertain: tries.uncertain,
        first_attempt_ms: msFromNow(tries.first_attempt_at),
        reply: text,
        error,
        kind: result.kind,
        due_ms: msFromNow(result.dueAt),
      };
}

/**
 * The results with times of the database's clock. Each worker only says how long ago or in which time something is: its own
 * clock may be wrong, and the next worker, the totals and the lists rely on these times.
 * @param parameter  parameter with the results as JSON (`toStored`)
 */
export const outcomes = (parameter: string) => `
  select seq, attempts, interruptions, uncertain, now() + first_attempt_ms * interval '1 ms' as first_attempt_at, reply, error,
    now() + at_ms * interval '1 ms' as at, stage, class, state,
    coalesce(tracked, true) as tracked, transport_no, kind, now() + due_ms * interval '1 ms' as due_at
  from json_to_recordset(${parameter}::json)
    as o(seq int, attempts smallint, interruptions smallint, uncertain smallint, first_attempt_ms float8,
      reply text, error jsonb, at_ms float8, stage text, class text, state text, tracked boolean, transport_no smallint, kind text, due_ms float8)`;

/** @param source  a table expression with the columns of `outcomes` */
export const insertResults = (source: string) => `
  insert into delivery_results
    (organization_id, send_id, seq, state, attempts, reply, error, at, accepted_at, stage, class, tracked, transport_no)
  select $1::uuid, $2::uuid, seq, state, attempts, reply, error, at, case when state = 'sent' then at end, stage, class, tracked,
    transport_no
  from ${source}
  where state is not null`;

/** Counts rows of the statement's `stored`. */
export const countOf = (state: string) => `(select count(*) from stored where state = '${state}')`;

/** Counts accepted messages of the statement's `stored` whose opens and clicks are not measured. */
export const countNotMeasured = `(select count(*) from stored where state = 'sent' and not tracked)`;

/** The lane of a message's chunk. A single message has no chunk, but is already queued. */
const laneOf = (seq: string) => `coalesce(
    (select lane from delivery_chunks where ${ofSend} and first_seq <= ${seq} order by first_seq desc limit 1),
    (select lane from delivery_queue where ${ofSend} and seq = ${seq}))`;

/** Queues the messages of `outcome` that are to be retried. @param seqs  parameter with their seqs */
export const insertQueued = (seqs: string) => `
  insert into delivery_queue as r
    (organization_id, send_id, seq, lane, kind, attempts, interruptions, uncertain, first_attempt_at, due_at, reply,
     error)
  select $1::uuid, $2::uuid, seq, ${laneOf('outcome.seq')}, kind, attempts, interruptions, uncertain, first_attempt_at,
    due_at, reply, error
  from outcome
  where kind is not null and (select end_date from ${sendRow}) is null
    and seq <> all(array(select seq from delivery_results where ${ofSend} and seq = any(${seqs}::int[])))`;
