import { setTimeout as delay } from 'node:timers/promises';
import type { Send } from '@reachout/contract/sends.ts';
import { hasEnded } from './send.ts';

/** A person sees no difference below this, and a thousand viewers ask the database two thousand times a second at most. */
const lookEveryMs = 500;

/**
 * Gives the send now and whenever it changes, until it has ended or nobody listens any more.
 * @param read made anew each time, as the person who asked: what that person cannot see ends the stream
 */
export async function* watchSend(
  read: () => Promise<Send>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Send, void> {
  let last = '';
  // oxlint-disable-next-line no-unmodified-loop-condition -- the signal changes from outside
  while (signal?.aborted !== true) {
    const send = await read();
    const text = JSON.stringify(send);
    if (text !== last) yield send;
    last = text;
    if (hasEnded(send)) return;
    await delay(lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}
