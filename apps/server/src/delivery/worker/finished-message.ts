import type { SendError } from '@reachout/contract/rules/send-errors.ts';
import type { Bounce } from '../queue/bounces.ts';
import { countTry, type DeliveryResult, type Recipient } from '../queue/delivery.ts';
import type { LeaseProgress } from '../queue/held-chunk.queries.ts';

/** What came of a message, to be stored. */
export interface FinishedMessage {
  result: DeliveryResult;
  /** Made once, so that a store that is repeated repeats the same event. */
  bounce: Bounce | undefined;
  /** Lets the next text leave (MailTransport). */
  settle: () => void;
}

/** What is being stored of a batch. */
export interface Unstored {
  finished: FinishedMessage[];
  /** Undefined for queued messages. */
  progress: LeaseProgress | undefined;
}

/** What became of a message that needed no mail server. */
export function withoutAttempt(
  recipient: Recipient,
  state: 'suppressed' | 'failed',
  error?: SendError,
): FinishedMessage {
  const now = new Date();
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
