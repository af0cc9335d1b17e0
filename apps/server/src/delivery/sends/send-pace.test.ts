import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SendPace } from '@reachout/contract/sends.ts';
import type { SendStatus } from '@reachout/contract/states/send.ts';
import { createPaces } from './send-pace.ts';

interface Seen {
  status?: SendStatus;
  processed?: number;
  uncertain?: number;
  waits_until?: string | null;
  error_content?: string | null;
}

const total = 10_000;

/** Observes a send at these seconds. @returns the result of each observation */
function watch(
  looks: [second: number, seen: Seen][],
  id = 'send',
  clock = { now: 0 },
  paces = newPaces(clock),
) {
  return looks.map(([second, seen]) => {
    clock.now = second * 1_000;
    return paces.look(sendOf(id, seen));
  });
}

const newPaces = (clock: { now: number }) => createPaces(() => clock.now);

function sendOf(id: string, { processed = 0, uncertain = 0, ...seen }: Seen) {
  return {
    id,
    kind: 'campaign',
    status: 'sending',
    waits_until: null,
    error_content: null,
    recipients_total_count: total,
    recipients_queued_count: total - processed - uncertain,
    recipients_uncertain_count: uncertain,
    ...seen,
  } as unknown as Parameters<ReturnType<typeof createPaces>['look']>[0];
}

/** Observations every second from `from` to `to`; the counter starts at `processed` and grows by `perSecond`. */
const moving = (from: number, to: number, perSecond: number, processed = 0): [number, Seen][] =>
  Array.from({ length: to - from + 1 }, (_, index) => [
    from + index,
    { processed: processed + index * perSecond },
  ]);

const told = (pace: SendPace | null | undefined) =>
  pace && `${pace.per_minute} a minute, ${pace.seconds_left} s`;

suite('pace of a send', () => {
  test('there is no pace before three seconds', () => {
    const seen = watch([...moving(0, 2, 100)]);
    assert.deepEqual(seen, [null, null, null]);
    assert.equal(told(watch(moving(0, 3, 100)).at(-1)), '6000 a minute, 97 s');
  });

  test('the time before sending does not count', () => {
    const waiting: [number, Seen][] = [
      [0, { status: 'queued' }],
      [30, { status: 'queued' }],
      [60, { status: 'preparing' }],
      [62, { status: 'sending' }],
      // It is sending, without progress yet.
      [70, { status: 'sending' }],
    ];
    const seen = watch([...waiting, ...moving(71, 75, 1_000)]);
    assert.deepEqual(seen.slice(0, 8), Array(8).fill(null));
    assert.equal(told(seen.at(-1)), '60000 a minute, 6 s');
  });

  test('the pace averages about ten seconds', () => {
    const fast = moving(0, 20, 200);
    const slow = moving(20, 34, 20, 4_000).slice(1);
    const seen = watch([...fast, ...slow]);
    assert.equal(told(seen[20]), '12000 a minute, 30 s');
    assert.equal(seen.at(-1)?.per_minute, 1_200);
  });

  test('the pace restarts after a pause', () => {
    const before = moving(0, 12, 100);
    const paused: [number, Seen][] = [
      [13, { status: 'paused', processed: 1_200 }],
      [3_600, { status: 'paused', processed: 1_200 }],
    ];
    const seen = watch([...before, ...paused, ...moving(3_601, 3_604, 50, 1_200)]);
    assert.deepEqual(seen.slice(13, 18), Array(5).fill(null));
    assert.equal(told(seen.at(-1)), '3000 a minute, 173 s');
  });

  test('there is no pace while a send waits', () => {
    const held = { processed: 1_200, waits_until: '2027-03-09T08:00:00Z', error_content: 'Google is busy.' };
    const seen = watch([
      ...moving(0, 12, 100),
      [13, held],
      [14, { processed: 1_200 }],
      [15, { processed: 1_300 }],
    ]);
    assert.ok(seen[12]);
    assert.deepEqual(seen.slice(13), [null, null, null]);
  });

  test('there is no pace while a problem stops a send', () => {
    const stuck = { processed: 1_200, error_content: 'The mail server cannot be reached.' };
    const looks = Array.from({ length: 12 }, (_, index): [number, Seen] => [13 + index, stuck]);
    const seen = watch([...moving(0, 12, 100), ...looks]);
    assert.ok(seen[13]);
    assert.equal(seen.at(-1), null);
  });

  test('the pace of a slow send looks back longer', () => {
    // One message every six seconds.
    const looks = Array.from({ length: 200 }, (_, second): [number, Seen] => [
      second,
      { processed: Math.floor(second / 6) },
    ]);
    const rates = watch(looks)
      .slice(60)
      .map((pace) => pace?.per_minute);
    assert.ok(
      rates.every((rate) => rate !== undefined && rate >= 9 && rate <= 11),
      String(rates),
    );
  });

  test('the pace is known when a page reloads', () => {
    const clock = { now: 0 };
    const paces = newPaces(clock);
    watch(moving(0, 12, 100), 'send', clock, paces);
    assert.equal(told(watch([[13, { processed: 1_300 }]], 'send', clock, paces)[0]), '6000 a minute, 87 s');
    assert.equal(watch([[13, { processed: 1_300 }]], 'other', clock, paces)[0], null);
  });

  test('old observations give no pace', () => {
    assert.equal(watch([...moving(0, 12, 100), [300, { processed: 1_300 }]]).at(-1), null);
  });

  test('a decreasing counter restarts the pace', () => {
    const seen = watch([...moving(0, 12, 100), [13, { processed: 1_000, uncertain: 0 }]]);
    assert.equal(seen.at(-1), null);
  });

  test('the paces of a thousand sends are kept', () => {
    const clock = { now: 0 };
    const paces = newPaces(clock);
    watch(moving(0, 12, 100), 'first', clock, paces);
    for (let index = 0; index < 1_000; index += 1) watch([[12, {}]], `send ${index}`, clock, paces);
    assert.equal(watch([[13, { processed: 1_300 }]], 'first', clock, paces)[0], null);
  });
});
