import type { UncertainPolicy } from '@reachout/contract/statuses.ts';
import type { BounceClass, TransportResult } from '../../email/transports/transport.ts';

/** One recipient of a send, as stored. */
export interface Recipient {
  seq: number;
  contact_id: string;
  address: string;
  variables: Record<string, unknown>;
  /** How often it was tried before. */
  attempts: number;
  is_suppressed: boolean;
}

/** How one attempt ended, ready to be stored. Without a `state` it will be tried again, or waits for a decision. */
export interface DeliveryResult {
  seq: number;
  /** Attempts so far, this one included. */
  attempts: number;
  reply: string | null;
  at: string;
  result:
    | { kind: 'final'; state: 'sent' | 'bounced' | 'failed' | 'suppressed'; suppress: boolean }
    | { kind: 'deferred'; dueAt: string }
    /** `dueAt` null: held until a person decides. */
    | { kind: 'uncertain'; dueAt: string | null };
}

/** Minutes until the next attempt after 1, 2, … transient rejections: then hourly to 6 h, then every 4 h. */
const firstDelaysMinutes = [1, 5, 15, 30, 60];
/** A campaign's message that still has not left after a day would arrive out of place. */
const giveUpAfterMs = 24 * 3_600_000;
const uncertainRetryMs = 60_000;

/**
 * When to try again after a transient rejection, spread by ±20 % so that a relay that comes back is not overrun.
 * @param startedAt when the send started
 * @param random 0 to 1
 * @returns undefined when the message has waited long enough
 */
export function nextAttempt(attempts: number, startedAt: Date, now: Date, random: number): Date | undefined {
  const ageMs = now.getTime() - startedAt.getTime();
  const minutes = firstDelaysMinutes[attempts - 1] ?? (ageMs < 6 * 3_600_000 ? 60 : 240);
  const due = new Date(now.getTime() + minutes * 60_000 * (0.8 + 0.4 * random));
  return due.getTime() - startedAt.getTime() > giveUpAfterMs ? undefined : due;
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

/**
 * Turns the reply of the mail server into the stored result. `not_sent` is no result: the caller requeues the message.
 * @see docs/sending.md
 */
export function toDeliveryResult(
  result: Exclude<TransportResult, { outcome: 'not_sent' }>,
  delivery: { seq: number; attempts: number },
  send: { startedAt: Date; uncertainPolicy: UncertainPolicy },
  now: Date,
  random: number,
): DeliveryResult {
  const base = { seq: delivery.seq, attempts: delivery.attempts, at: now.toISOString() };
  if (result.outcome === 'accepted')
    return { ...base, reply: result.reply, result: { kind: 'final', state: 'sent', suppress: false } };
  if (result.outcome === 'uncertain') {
    const dueAt =
      send.uncertainPolicy === 'retry' ? new Date(now.getTime() + uncertainRetryMs).toISOString() : null;
    return { ...base, reply: result.reason, result: { kind: 'uncertain', dueAt } };
  }
  // The text is the server's own, shown as text only.
  const reply = `${result.code} ${result.text}`.slice(0, 500);
  const canRetry = !result.permanent || retried.has(result.class);
  const due = canRetry ? nextAttempt(delivery.attempts, send.startedAt, now, random) : undefined;
  if (due !== undefined) return { ...base, reply, result: { kind: 'deferred', dueAt: due.toISOString() } };
  const state = bounces.has(result.class) ? 'bounced' : 'failed';
  return { ...base, reply, result: { kind: 'final', state, suppress: result.class === 'address_hard' } };
}

/** Rejections of the sender, not of one recipient: many in a row pause the send. */
export const isSenderRejection = (result: TransportResult): boolean =>
  result.outcome === 'rejected' &&
  (result.class === 'reputation' || result.class === 'authentication' || result.class === 'protocol');

/** Recipients in one lease: enough to spare the database, few enough that several workers share a send of thousands. */
export const chunkSize = 250;
