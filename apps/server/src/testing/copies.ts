import assert from 'node:assert/strict';
import type { FaultyRelay } from './faulty-relay.ts';
import type { TakenMessage } from './smtp-sink.ts';

export interface Copies {
  /** Number of recipients that got the message at least once. */
  recipients: number;
  repeats: number;
  mostCopies: number;
}

/** Maximum repeats per kill of a worker (docs/sending.md): one for each connection, SMTP_CONNECTIONS. */
export const mostRepeatsPerKill = 16;
/** Maximum messages with an unknown result per kill: the in-flight limit, SEND_IN_FLIGHT_LIMIT. */
export const mostUncertainPerKill = 64;

/** @throws AssertionError when a repeat has another Message-ID or Date, so that receivers cannot deduplicate it */
export const tallyCopies = (
  messages: readonly Pick<TakenMessage, 'recipient' | 'messageId' | 'date'>[],
): Copies => tally(messages.map(({ recipient, messageId, date }) => [recipient, `${messageId} ${date}`]));

/** Counts the copies of all messages that a relay received completely, regardless of its reply. */
export const copiesAt = ({ copies }: FaultyRelay): Copies =>
  tally(
    [...copies].flatMap(([recipient, texts]) => texts.map((text): [string, string] => [recipient, text])),
  );

function tally(messages: [recipient: string, identity: string][]): Copies {
  const identityOf = new Map<string, string>();
  const copies = new Map<string, number>();
  for (const [recipient, identity] of messages) {
    assert.match(identity, /^<\S+> \S/);
    assert.equal(identity, identityOf.get(recipient) ?? identity);
    identityOf.set(recipient, identity);
    copies.set(recipient, (copies.get(recipient) ?? 0) + 1);
  }
  return {
    recipients: identityOf.size,
    repeats: messages.length - identityOf.size,
    mostCopies: Math.max(0, ...copies.values()),
  };
}
