import { setTimeout as delay } from 'node:timers/promises';
import type { Send } from '@reachout/contract/sends.ts';
import { hasEnded } from '@reachout/contract/states/send.ts';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';

/** A person sees no difference below this, and a thousand viewers ask the database two thousand times a second at most. */
const pollMs = 500;

/** Access is checked this often: somebody who loses it receives no more events. */
const reauthorizeMs = 2_000;

export interface WatchSend {
  /** The listening user. */
  userId: string;
  read: () => Promise<Send>;
  /** @throws when the listener may not listen any more: that ends the stream */
  confirm: () => Promise<void>;
}

/** Streams that one person may listen to at once: more than anybody has tabs, and too few to keep a process busy. */
const streamsPerUser = 50;
const streams = new Map<string, number>();

/**
 * Gives the send now and whenever it changes, until it has ended or nobody listens any more.
 * @throws LimitExceeded when this person listens to too many already
 */
export async function* watchSend(
  { userId, read, confirm }: WatchSend,
  signal: AbortSignal | undefined,
): AsyncGenerator<Send, void> {
  const open = streams.get(userId) ?? 0;
  if (open >= streamsPerUser)
    throw new LimitExceeded('open event streams of one person', 'unavailable', 5_000);
  streams.set(userId, open + 1);
  try {
    yield* poll({ read, confirm }, signal);
  } finally {
    const left = (streams.get(userId) ?? 1) - 1;
    if (left === 0) streams.delete(userId);
    else streams.set(userId, left);
  }
}

async function* poll(
  { read, confirm }: Pick<WatchSend, 'read' | 'confirm'>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Send, void> {
  let last = '';
  let confirmedAt = performance.now();
  // oxlint-disable-next-line no-unmodified-loop-condition -- the signal changes from outside
  while (signal?.aborted !== true) {
    if (performance.now() - confirmedAt >= reauthorizeMs) {
      await confirm();
      confirmedAt = performance.now();
    }
    const send = await read();
    const text = JSON.stringify(send);
    if (text !== last) yield send;
    last = text;
    if (hasEnded(send)) return;
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
}
