import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import type { BounceClass, UncertainPolicy } from '@reachout/contract/statuses.ts';
import type { SmtpStage } from '../email/rejections/rejection.ts';
import type { TransportResult } from '../email/transports/transport.ts';

/** One recipient of a send, as stored. */
export interface Recipient {
  seq: number;
  contact_id: string;
  address: string;
  variables: Record<string, unknown>;
  is_suppressed: boolean;
  /** Whether opens and clicks are measured. */
  tracked: boolean;
  tries: Tries;
  /** Times that the mail server began with this message to take nothing; not stored. */
  refusals?: number;
  /** Messages that its transport had accepted when this one was last not sent; not stored. */
  acceptedBefore?: number;
  /**
   * The Date of the message, ISO 8601: when the API accepted a single message, or the time of a chunk that starts later than
   * its send. Without it, the Date is the start of the send.
   */
  created_at?: string | null;
}

/** Attempts of a message so far. */
export interface Tries {
  attempts: number;
  /** Attempts whose connection was lost before the server had the message text. */
  interruptions: number;
  /** Attempts after which it is unknown whether the server accepted the message. */
  uncertain: number;
  /** ISO 8601; undefined before the first attempt has ended. */
  first_attempt_at?: string;
}

/** The result of one attempt, ready to be stored. If it is not `final`, the message is retried or waits for a decision. */
export interface DeliveryResult {
  seq: number;
  /** False: opens and clicks of the message are not measured. Default true. */
  tracked?: boolean;
  /** Index of the transport among those of the send; default 0. */
  transportNo?: number | undefined;
  /** Including this attempt. */
  tries: Required<Tries>;
  /** Reply of the mail server. */
  reply: string | null;
  /** Only set if there is no reply. */
  error?: SendError;
  at: string;
  /** Stage and class are set for a rejection. */
  stage?: SmtpStage;
  class?: BounceClass;
  result:
    | { kind: 'final'; state: 'sent' | 'bounced' | 'failed' | 'suppressed' }
    | { kind: 'deferred'; dueAt: string }
    /** `dueAt` null: on hold until a user decides. */
    | { kind: 'uncertain'; dueAt: string | null };
}

/** Minutes until the next attempt after 1, 2, … transient rejections; then hourly up to 6 h, then every 4 h. */
const firstDelaysMinutes = [1, 5, 15, 30, 60];
/** A campaign message that is still unsent after a day would arrive too late to make sense. */
const giveUpAfterMs = 24 * 3_600_000;
const uncertainRetryMs = 60_000;
/** After two uncertain attempts a recipient may have the message twice: a user has to decide about a third. */
export const maxUncertain = 2;
const maxInterruptions = 5;

/**
 * Computes when to try again, with ±20 % jitter so that a recovering mail server is not overloaded.
 * @param random 0 to 1
 * @returns undefined when the message has waited long enough, counted from its first attempt
 */
export function nextAttempt(
  { attempts, first_attempt_at }: Pick<Required<Tries>, 'attempts' | 'first_attempt_at'>,
  now: Date,
  random: number,
): Date | undefined {
  const ageMs = now.getTime() - Date.parse(first_attempt_at);
  const minutes = firstDelaysMinutes[attempts - 1] ?? (ageMs < 6 * 3_600_000 ? 60 : 240);
  const waitMs = minutes * 60_000 * (0.8 + 0.4 * random);
  return ageMs + waitMs > giveUpAfterMs ? undefined : new Date(now.getTime() + waitMs);
}

// A rejection of the address or the mailbox is a bounce; a rejection of the sender or the message is a failure.
const bounces = new Set<BounceClass>([
  'address_hard',
  'address_likely',
  'domain_hard',
  'mailbox_full',
  'routing_soft',
]);
const retried = new Set<BounceClass>(['transient', 'routing_soft', 'mailbox_full']);

/** What the result of a message depends on beside itself. */
export interface SentBy {
  uncertainPolicy: UncertainPolicy;
  /** Of `DeliveryResult`; left out for the first. */
  transportNo?: number | undefined;
  /** As of the transport (MailTransport). */
  evidenceMs?: number | undefined;
}

/**
 * Converts the transport result of one attempt into the result to store. A message that was not sent has no result: the
 * caller requeues it.
 * @param recipient  its `tries` do not include this attempt
 * @see docs/sending.md
 */
export function toDeliveryResult(
  result: Exclude<TransportResult, { outcome: 'not_sent' | 'withdrawn' }>,
  { seq, tries, tracked }: Pick<Recipient, 'seq' | 'tries' | 'tracked'>,
  { uncertainPolicy, transportNo, evidenceMs }: SentBy,
  now: Date,
  random: number,
): DeliveryResult {
  const counted = countTry(tries, result.outcome, now);
  // The first attempt is now.
  const at = tries.first_attempt_at === undefined ? counted.first_attempt_at : now.toISOString();
  const base = { seq, tracked, transportNo, tries: counted, at };
  const deferOr = (due: Date | undefined, state: 'bounced' | 'failed') =>
    due === undefined
      ? ({ kind: 'final', state } as const)
      : ({ kind: 'deferred', dueAt: due.toISOString() } as const);
  if (result.outcome === 'accepted')
    return { ...base, reply: result.reference, result: { kind: 'final', state: 'sent' } };
  if (result.outcome === 'uncertain') {
    const dueAt = new Date(now.getTime() + (evidenceMs ?? uncertainRetryMs));
    const isLate = dueAt.getTime() - Date.parse(counted.first_attempt_at) > giveUpAfterMs;
    // Where evidence may come, the policy decides after it.
    const isDue = uncertainPolicy === 'retry' || evidenceMs !== undefined;
    const isRetried = isDue && counted.uncertain < maxUncertain && !isLate;
    return {
      ...base,
      reply: null,
      error: sendError('unconfirmed', { detail: result.reason }),
      result: { kind: 'uncertain', dueAt: isRetried ? dueAt.toISOString() : null },
    };
  }
  if (result.outcome === 'interrupted') {
    const error = sendError('connection_lost', { stage: result.stage, detail: result.reason });
    const due = counted.interruptions < maxInterruptions ? nextAttempt(counted, now, random) : undefined;
    return { ...base, reply: null, error, result: deferOr(due, 'failed') };
  }
  // The reply comes from the mail server and is untrusted: it is only shown as plain text.
  const said =
    result.local === undefined
      ? { reply: cutText(`${result.code} ${result.text}`, 500) }
      : { reply: null, error: result.local };
  const canRetry = !result.permanent || retried.has(result.class);
  const due = canRetry ? nextAttempt(counted, now, random) : undefined;
  const state = bounces.has(result.class) ? 'bounced' : 'failed';
  const { stage, class: bounceClass } = result;
  return {
    ...base,
    ...said,
    stage,
    class: bounceClass,
    result: deferOr(due, state),
  };
}

/** Adds one attempt. @param outcome  undefined for a message that needed no mail server */
export const countTry = (
  tries: Tries,
  outcome: TransportResult['outcome'] | undefined,
  now: Date,
): Required<Tries> => ({
  attempts: tries.attempts + 1,
  interruptions: tries.interruptions + (outcome === 'interrupted' ? 1 : 0),
  uncertain: tries.uncertain + (outcome === 'uncertain' ? 1 : 0),
  first_attempt_at: tries.first_attempt_at ?? now.toISOString(),
});

/** Classes of rejections that are about the sender, not one recipient: many in a row pause the send. */
export const senderClasses: readonly BounceClass[] = ['reputation', 'authentication', 'protocol'];

export const isSenderRejection = (result: TransportResult): boolean =>
  result.outcome === 'rejected' && senderClasses.includes(result.class);

/** This many rejections of the sender pause a send. */
export const senderRejectionsToPause = 20;
/** With fewer results, it is too early to say that nearly all are rejected. */
export const resultsToJudge = 30;
/** With fewer bounces, the addresses are more likely the cause than the mail server. */
export const bouncesToLift = 10;

/** Nine of ten: hardly any list explains that, but a mail server that rejects everybody does. */
export const isNearlyAll = (rejected: number, accepted: number): boolean => rejected >= 9 * accepted;

/** Maximum recipients per chunk: large enough to limit database load, small enough that workers share a medium send. */
export const chunkSize = 250;
