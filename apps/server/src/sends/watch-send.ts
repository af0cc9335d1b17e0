import { setTimeout as delay } from 'node:timers/promises';
import type { Send } from '@reachout/contract/sends.ts';
import { hasEnded } from './send.ts';

/** A person sees no difference below this, and a thousand viewers ask the database two thousand times a second at most. */
const lookEveryMs = 500;

/** SES-4 allows five seconds. */
const confirmEveryMs = 2_000;

export interface WatchSend {
  read: () => Promise<Send>;
  /** @throws when whoever listens may not do so any more: that ends the stream */
  confirm: () => Promise<void>;
}

/** Gives the send now and whenever it changes, until it has ended or nobody listens any more. */
export async function* watchSend(
  { read, confirm }: WatchSend,
  signal: AbortSignal | undefined,
): AsyncGenerator<Send, void> {
  let last = '';
  let confirmedAt = performance.now();
  // oxlint-disable-next-line no-unmodified-loop-condition -- the signal changes from outside
  while (signal?.aborted !== true) {
    if (performance.now() - confirmedAt >= confirmEveryMs) {
      await confirm();
      confirmedAt = performance.now();
    }
    const send = await read();
    const text = JSON.stringify(send);
    if (text !== last) yield send;
    last = text;
    if (hasEnded(send)) return;
    await delay(lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}
