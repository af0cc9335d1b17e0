import { setTimeout as delay } from 'node:timers/promises';
import type { Send } from '@reachout/contract/sends.ts';
import { hasEnded } from '@reachout/contract/states/send.ts';
import { LimitExceeded, retryAfter } from '../../platform/limit-exceeded.ts';
import { withWaitBudget } from '../../platform/wait-budget.ts';

/** A person sees no difference below this. */
const pollMs = 500;

/** More streams of one person ask as often as this many: none of their reads counts as a request. */
const streamsAtFullRate = 5;

/** Access is checked this often: somebody who loses it receives no more events. */
const reauthorizeMs = 2_000;

export interface WatchSend {
  /** The listening user. */
  userId: string;
  read: () => Promise<Send>;
  /** @throws when the listener may not listen any more: that ends the stream */
  confirm: () => Promise<void>;
}

/** Streams that one person may listen to at once: each still reads, and so checks the access, every two seconds. */
const streamsPerUser = 20;
const streams = new Map<string, number>();

/**
 * Gives the send now and whenever it changes, until it has ended or nobody listens any more. Counts as a stream from
 * this call on, so that one too many is an error response.
 * @param signal  aborted when nobody listens any more, also where nobody has begun to
 * @throws LimitExceeded when this person listens to too many already
 */
export function watchSend(
  { userId, read, confirm }: WatchSend,
  signal: AbortSignal | undefined,
): AsyncGenerator<Send, void> {
  const release = takeStream(userId);
  if (signal?.aborted === true) release();
  signal?.addEventListener('abort', release, { once: true });
  const pause = () => pollMs * Math.ceil((streams.get(userId) ?? 1) / streamsAtFullRate);
  return releaseAfter(poll({ read, confirm, pause }, signal), release);
}

/** @returns makes room for another one; a repeat does nothing */
function takeStream(userId: string): () => void {
  const open = streams.get(userId) ?? 0;
  if (open >= streamsPerUser)
    throw new LimitExceeded('open event streams of one person', 'unavailable', retryAfter(5_000));
  streams.set(userId, open + 1);
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    const left = (streams.get(userId) ?? 1) - 1;
    if (left === 0) streams.delete(userId);
    else streams.set(userId, left);
  };
}

async function* releaseAfter(events: AsyncGenerator<Send, void>, release: () => void) {
  try {
    yield* events;
  } finally {
    release();
  }
}

async function* poll(
  { read, confirm, pause }: Pick<WatchSend, 'read' | 'confirm'> & { pause: () => number },
  signal: AbortSignal | undefined,
): AsyncGenerator<Send, void> {
  let last = '';
  let confirmedAt = performance.now();
  // oxlint-disable-next-line no-unmodified-loop-condition -- the signal changes from outside
  while (signal?.aborted !== true) {
    if (performance.now() - confirmedAt >= reauthorizeMs) {
      await withWaitBudget(confirm);
      confirmedAt = performance.now();
    }
    const send = await withWaitBudget(read);
    const text = JSON.stringify(send);
    if (text !== last) yield send;
    last = text;
    if (hasEnded(send)) return;
    await delay(pause(), undefined, { signal }).catch(() => undefined);
  }
}
