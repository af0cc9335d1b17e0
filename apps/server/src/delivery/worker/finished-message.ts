import type { SendError } from '@reachout/contract/rules/send-errors.ts';
import { processNow } from '../../platform/process-clock.ts';
import { countTry, type DeliveryResult, type Recipient } from '../../queue/delivery.ts';
import type { LeaseProgress } from '../../queue/held-chunk.queries.ts';
import type { Bounce } from './bounce.ts';

/** The result of a message, to be stored. */
export interface FinishedMessage {
  result: DeliveryResult;
  /** Created once, so that a repeated store has the same event. */
  bounce: Bounce | undefined;
  /** Frees the text slot of the message (MailTransport). */
  settle: () => void;
}

/** The part of a batch that is being stored. */
export interface Unstored {
  finished: FinishedMessage[];
  /** Undefined for queued messages. */
  progress: LeaseProgress | undefined;
}

/** @returns the result of a message that was not handed to the mail server */
export function withoutAttempt(
  recipient: Recipient,
  state: 'suppressed' | 'failed',
  error?: SendError,
): FinishedMessage {
  const now = processNow();
  const tries = countTry(recipient.tries, undefined, now);
  const stored: DeliveryResult = {
    seq: recipient.seq,
    tries,
    reply: null,
    ...(error === undefined ? {} : { error }),
    at: now.toISOString(),
    result: { kind: 'final', state, suppress: false },
  };
  return { result: stored, bounce: undefined, settle: () => undefined };
}
