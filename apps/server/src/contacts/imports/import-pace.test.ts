import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ImportPace } from './import-pace.ts';

test('imports pause between batches while emails are sent', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const pace = new ImportPace();
  const stop = new AbortController();
  let rests = 0;
  const rest = async () => {
    rests += 1;
    await pace.rest(stop.signal);
    rests -= 1;
  };
  pace.begin();
  await rest();
  assert.equal(pace.yieldsToSends, false);

  pace.inform({ isSending: true });
  const first = rest();
  await nextTurn();
  assert.deepEqual([rests, pace.yieldsToSends], [1, true]);
  // The pause is bounded, so a send that never ends does not block the import.
  mock.timers.tick(5_000);
  await first;

  const second = rest();
  await nextTurn();
  assert.equal(rests, 1);
  pace.inform({ isSending: false });
  await second;
  await rest();
  assert.equal(pace.yieldsToSends, false);

  pace.inform({ isSending: true });
  const third = rest();
  await nextTurn();
  assert.equal(rests, 1);
  stop.abort();
  await third;
  await rest();
});
