import { sql } from 'kysely';
import type { AudienceBreakdown } from '@reachout/contract/filters.ts';
import type { SendError } from '@reachout/contract/rules/send-errors.ts';
import type { SendStatus } from '@reachout/contract/states/send.ts';
import type { ExclusionReason } from '@reachout/contract/statuses.ts';
import type { Audience } from '../content/audiences/audience.ts';
import type { EmailSnapshot } from '../email/email-content.ts';
import type { Transaction } from '../platform/database/database.ts';
import { runSteps, type PreparedStatement } from '../platform/database/pipelined.ts';
import { hashAndSeq, insertContactDeliveries } from './contact-deliveries-sql.ts';
import type { DeliveryResult } from './delivery.ts';
import { insertQueued, insertResults, outcomes, toStored } from './result-statements.ts';
import { addDoneChunksToTotals } from './result-totals.ts';
import type { SendKey } from './send-statements.ts';

/** A row of touchpoint_sends, with all its counters. */
export interface PastSend {
  id: string;
  touchpoint_id: string;
  brand_id: string;
  topic_id: string | null;
  status: SendStatus;
  send_date: Date;
  end_date: Date | null;
  next_due_at: Date | null;
  error: SendError | null;
  audience_breakdown: AudienceBreakdown | null;
  recipients_confirmed_count: number;
  recipients_total_count: number;
  recipients_accepted_count: number;
  recipients_total_sent_count: number;
  recipients_total_delivery_failed_count: number;
  recipients_not_measured_count: number;
  user_created: string;
  created_at: Date;
  updated_at: Date;
}

export async function insertPastSend(
  trx: Transaction,
  organizationId: string,
  send: PastSend,
  { content, audience, audienceName }: { content: EmailSnapshot; audience: Audience; audienceName: string },
): Promise<void> {
  await sql`
    with given as (
      select * from json_populate_record(null::touchpoint_sends, ${JSON.stringify(send)}::json)
    ), content as (
      insert into touchpoint_send_contents (organization_id, send_id, content, audience, audience_name, confirmed_at)
      values (${organizationId}::uuid, ${send.id}::uuid, ${JSON.stringify(content)}::jsonb, ${JSON.stringify(audience)}::jsonb,
        ${audienceName}, ${send.created_at.toISOString()}::timestamptz)
    )
    insert into touchpoint_sends (organization_id, id, touchpoint_id, brand_id, topic_id, status, send_date, end_date, next_due_at, error,
      audience_breakdown, recipients_confirmed_count, recipients_total_count, recipients_accepted_count,
      recipients_total_sent_count, recipients_total_delivery_failed_count, recipients_not_measured_count, user_created, created_at,
      updated_at)
    select ${organizationId}::uuid, id, touchpoint_id, brand_id, topic_id, status, send_date, end_date, next_due_at, error,
      audience_breakdown, recipients_confirmed_count, recipients_total_count, recipients_accepted_count,
      recipients_total_sent_count, recipients_total_delivery_failed_count, recipients_not_measured_count, user_created, created_at,
      updated_at
    from given
  `.execute(trx);
}

/** Both lists are in the order of `seq`. */
export interface PastSnapshot {
  recipients: readonly {
    contact_id: string;
    address: string;
    variables: Record<string, unknown>;
    tracked: boolean;
  }[];
  exclusions: readonly { contact_id: string; address: string; reason: ExclusionReason }[];
  /** The first recipients, up to this number, have a result or are queued; the rest forms one chunk. */
  startedCount: number;
}

export async function insertPastSnapshot(
  trx: Transaction,
  { organizationId, sendId }: SendKey,
  { recipients, exclusions, startedCount }: PastSnapshot,
): Promise<void> {
  await sql`
    with written as (
      insert into deliveries (organization_id, send_id, seq, contact_id, address, variables, tracked)
      select ${organizationId}::uuid, ${sendId}::uuid, seq, contact_id, address, variables, tracked
      from rows from (json_to_recordset(${JSON.stringify(recipients)}::json)
          as (contact_id text, address text, variables jsonb, tracked boolean))
        with ordinality as r(contact_id, address, variables, tracked, seq)
      returning ${hashAndSeq}
    ), by_contact as (
      ${insertContactDeliveries(organizationId, sendId, { source: sql`written`, count: sql`${recipients.length}` })}
    ), excluded as (
      insert into delivery_exclusions (organization_id, send_id, seq, contact_id, address, reason)
      select ${organizationId}::uuid, ${sendId}::uuid, seq, contact_id, address, reason
      from rows from (json_to_recordset(${JSON.stringify(exclusions)}::json) as (contact_id text, address text, reason text))
        with ordinality as e(contact_id, address, reason, seq)
    )
    insert into delivery_chunks (organization_id, send_id, first_seq, last_seq, marked_up_to, done, counted, lease_token)
    select ${organizationId}::uuid, ${sendId}::uuid, first_seq, last_seq, case when done then last_seq else first_seq - 1 end,
      done, done, done::int
    from (values (1, ${startedCount}::int, true), (${startedCount}::int + 1, ${recipients.length}::int, false))
      as c(first_seq, last_seq, done)
    where first_seq <= last_seq
  `.execute(trx);
}

const epoch = new Date(0);

/** Stores results as a worker does, at their own times, and adds those of finished chunks to the totals. */
export const insertPastResults = (
  trx: Transaction,
  { organizationId, sendId }: SendKey,
  results: readonly DeliveryResult[],
): Promise<void> => {
  const waiting = results.flatMap(({ seq, result }) => (result.kind === 'final' ? [] : [seq]));
  return runSteps(trx, [
    {
      ...storePastResults,
      values: [
        organizationId,
        sendId,
        JSON.stringify(results.map((result) => toStored(result, epoch))),
        waiting,
      ],
    },
    { ...addDoneChunksToTotals, values: [organizationId, sendId] },
  ]);
};

const storePastResults: PreparedStatement = {
  name: 'store_past_results',
  text: `
    with outcome as materialized (${outcomes('$3', "timestamptz 'epoch'")}
    ), stored as (
      ${insertResults('outcome')}
    )
    ${insertQueued('$4')}`,
};
