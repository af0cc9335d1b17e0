import assert from 'node:assert/strict';
import test from 'node:test';
import type { Send } from '@reachout/contract/sends.ts';
import { watchSend } from './watch-send.ts';

const running = { end_date: null } as Send;

test('one person listens to fifty streams at most, and an ended one makes room (TMO-2)', async () => {
  const abort = new AbortController();
  const watch = (userId: string) =>
    watchSend(
      { userId, read: () => Promise.resolve(running), confirm: () => Promise.resolve() },
      abort.signal,
    );
  const streams = Array.from({ length: 50 }, () => watch('ada'));
  for (const stream of streams) assert.equal((await stream.next()).value, running);
  await assert.rejects(watch('ada').next(), { code: 'unavailable' });
  const other = watch('bob');
  assert.equal((await other.next()).value, running);

  await streams[0]?.return();
  const next = watch('ada');
  assert.equal((await next.next()).value, running);
  for (const stream of [...streams, other, next]) await stream.return();
});
