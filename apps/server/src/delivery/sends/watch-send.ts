import { setTimeout as delay } from 'node:timers/promises';
import type { Send } from '@reachout/contract/sends.ts';
import { hasEnded } from '@reachout/contract/states/send.ts';
import { LimitExceeded, retryAfter } from '../../platform/limit-exceeded.ts';
import { withWaitBudget } from '../../platform/wait-budget.ts';

/** Shorter intervals make no visible difference. */
const pollMs = 500;

/** Above this number, all streams of a user together poll no more often, because reads do not count as requests. */
const streamsAtFullRate = 5;

/** Interval of access checks: a user who loses access receives no more events. */
const reauthorizeMs = 2_000;

export interface WatchSend {
  /** The listening user. */
  userId: string;
  read: () => Promise<Send>;
  /** @throws if the user has lost access, which ends the stream */
  confirm: () => Promise<void>;
}

/** Maximum concurrent streams of a user: each still reads, and so checks access, every two seconds. */
const streamsPerUser = 20;
const streams = new Map<string, number>();

/**
 * Yields the send now and whenever it changes, until it has ended or the client disconnects. Counts as a stream from
 * this call on, so that exceeding the limit is an error response.
 * @param signal  aborted when the client disconnects, even if it has not read anything yet
 * @throws LimitExceeded if the user has too many streams already
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

/** @returns a function that frees the stream; repeated calls do nothing */
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
