import type { SendError } from '@reachout/contract/rules/send-errors.ts';
import {
  isAboutAddress,
  suppressBounced,
  type BouncedAddress,
} from '../../contacts/consent/suppress-addresses.ts';
import type { EventCondition, MessageEvent } from '../../events/event.ts';
import { eventSteps } from '../../events/store-events.ts';
import { aboutMessage } from '../../events/event.ts';
import { newId } from '../../platform/ids.ts';
import { processNow } from '../../platform/process-clock.ts';
import { countTry, type DeliveryResult, type Recipient } from '../../queue/delivery.ts';
import type { LeaseProgress } from '../../queue/held-chunk.queries.ts';
import type { ResultEffects } from '../../queue/result-statements.ts';
import type { SendKey } from '../../queue/send-statements.ts';
import type { ActiveSend } from './active-send.ts';

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
    result: { kind: 'final', state },
  };
  return { result: stored, bounce: undefined, settle: () => undefined };
}

/** A bounce is stored as an event. If it says something about its address, that is suppressed, at once or when it comes again. */
export interface Bounce {
  event: MessageEvent;
  suppressed: BouncedAddress | undefined;
}

/** @returns the event of a bounce, with the address if it is about that; undefined if none is stored */
export function toBounce(
  { seq, at, result, class: bounceClass }: DeliveryResult,
  { address }: Recipient,
  { ref, touchpointId, isTest }: ActiveSend,
): Bounce | undefined {
  if (isTest || result.kind !== 'final' || result.state !== 'bounced') return undefined;
  return {
    event: aboutMessage('BOUNCE', { ...ref, touchpointId, seq }, new Date(at)),
    suppressed:
      bounceClass !== undefined && isAboutAddress(bounceClass)
        ? { id: newId(), seq, addressKey: address.toLowerCase(), class: bounceClass }
        : undefined,
  };
}

/** @returns what is stored with the results of these bounces */
export function effectsOf({ organizationId, sendId }: SendKey, bounces: readonly Bounce[]): ResultEffects {
  const suppressed = bounces.flatMap((bounce) => bounce.suppressed ?? []);
  const events = bounces.map(({ event }) => event);
  return {
    steps: [
      ...(suppressed.length > 0 ? [suppressBounced(organizationId, sendId, suppressed)] : []),
      ...eventSteps(organizationId, events, isStoredAsBounced),
    ],
    suppresses: suppressed.length > 0,
  };
}

const result = `delivery_results r
    where r.organization_id = $1 and r.send_id = e.send_id and r.seq = e.seq`;

/**
 * Another worker may already have stored a different result of the same message. The event has the time of the result, which
 * is that of the database's clock.
 */
export const isStoredAsBounced: EventCondition = {
  name: 'bounced',
  text: `exists (select from ${result} and r.state = 'bounced')`,
  at: `(select r.at from ${result})`,
};
