import type { AudienceBreakdown } from '@reachout/contract/filters.ts';
import type { SendError } from '@reachout/contract/rules/send-errors.ts';
import { openSendStatuses, type SendStatus } from '@reachout/contract/states/send.ts';
import type { Audience } from '../../content/audiences/audience.ts';
import type { EmailSnapshot } from '../../email/email-content.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { DeliveryResult } from '../../queue/delivery.ts';
import {
  insertPastResults,
  insertPastSend,
  insertPastSnapshot,
  type PastSnapshot,
} from '../../queue/past-sends.queries.ts';

export interface NewPastSend {
  /** Generated for the time when the send was confirmed: its rows are in the partition of that month. */
  id: string;
  touchpoint_id: string;
  brand_id: string;
  status: SendStatus;
  confirmedAt: Date;
  startsAt: Date;
  endedAt: Date | null;
  error: SendError | null;
  userId: string;
  content: EmailSnapshot;
  audience: Audience;
  audienceName: string;
  recipientsConfirmed: number;
  /** Undefined if the send has not started. */
  snapshot: (PastSnapshot & { breakdown: AudienceBreakdown }) | undefined;
  /** Results of the recipients that were started. */
  results: readonly DeliveryResult[];
}

/**
 * Stores a send from the past with all rows that a worker would have stored, so that its counters equal its rows. An open
 * send continues with the remaining recipients. The touchpoint must already have the matching status.
 */
export async function storePastSend(
  trx: Transaction,
  organizationId: string,
  send: NewPastSend,
): Promise<void> {
  const { id, touchpoint_id, brand_id, status, error, snapshot, results } = send;
  const countOf = (state: string, of = results) =>
    of.filter(({ result }) => result.kind === 'final' && result.state === state).length;
  const sent = countOf('sent');
  await insertPastSend(
    trx,
    organizationId,
    {
      id,
      touchpoint_id,
      brand_id,
      topic_id: send.audience.topicId,
      status,
      error,
      send_date: send.startsAt,
      end_date: send.endedAt,
      next_due_at: nextDueAt(send),
      audience_breakdown: snapshot?.breakdown ?? null,
      recipients_confirmed_count: send.recipientsConfirmed,
      recipients_total_count: snapshot?.recipients.length ?? 0,
      recipients_accepted_count: sent,
      recipients_total_sent_count: sent,
      recipients_total_delivery_failed_count: countOf('bounced'),
      recipients_not_measured_count: countOf(
        'sent',
        results.filter(({ tracked }) => tracked === false),
      ),
      user_created: send.userId,
      created_at: send.confirmedAt,
      updated_at: send.endedAt ?? send.startsAt,
    },
    send,
  );
  if (snapshot === undefined) return;
  const key = { organizationId, sendId: id };
  await insertPastSnapshot(trx, key, snapshot);
  await insertPastResults(trx, key, results);
}

/** When the send is due: at its start, or for its first deferred message; null for a paused or ended send. */
function nextDueAt({ status, startsAt, results }: NewPastSend): Date | null {
  if (status === 'paused' || !openSendStatuses.includes(status)) return null;
  const waiting = results.flatMap(({ result }) =>
    result.kind === 'deferred' ? [Date.parse(result.dueAt)] : [],
  );
  return waiting.length === 0 ? startsAt : new Date(Math.min(...waiting));
}
