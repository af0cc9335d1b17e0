import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Send } from '@reachout/contract/sends.ts';
import { watchSend } from './watch-send.ts';

const running = { end_date: null } as Send;

test('a person can watch twenty sends at once (TMO-2)', async () => {
  const abort = new AbortController();
  const watch = (userId: string) =>
    watchSend(
      { userId, read: () => Promise.resolve(running), confirm: () => Promise.resolve() },
      abort.signal,
    );
  const streams = Array.from({ length: 20 }, () => watch('ada'));
  for (const stream of streams) assert.equal((await stream.next()).value, running);
  assert.throws(() => watch('ada'), { code: 'unavailable' });
  const other = watch('bob');
  assert.equal((await other.next()).value, running);

  await streams[0]?.return();
  const next = watch('ada');
  assert.equal((await next.next()).value, running);
  for (const stream of [...streams, other, next]) await stream.return();
});

test('streams of one person share ten reads a second (RATE-1)', async () => {
  const abort = new AbortController();
  let reads = 0;
  const read = () => {
    reads += 1;
    return Promise.resolve(running);
  };
  const streams = Array.from({ length: 20 }, () =>
    watchSend({ userId: 'eve', read, confirm: () => Promise.resolve() }, abort.signal),
  );
  for (const stream of streams) await stream.next();
  // Nothing changes, so each stream waits for its next event, and polls every two seconds.
  const waiting = streams.map((stream) => stream.next());
  await delay(1_500);
  abort.abort();
  await Promise.all(waiting);
  assert.equal(reads, 20);
});
