import assert from 'node:assert/strict';
import { mock, suite, test, type TestContext } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { createFairLimiter, type Account, type Terms } from './fair-limiter.ts';
import { LimitExceeded } from './limit-exceeded.ts';
import { assertColumn } from '../testing/assert-column.ts';

const accountOf = (id: string): Account[] => [{ id, maxConcurrent: 1 }];
const settings = { bound: 'tests', maxConcurrent: 3, reserved: 1, maxQueuedPerAccount: 20, maxQueued: 100 };
const waits = { usualMs: 1_500, ownMs: 6_000, patientMs: 6_000 };
const statementMs = 5_000;

/** A limiter on a clock of its own, which `pass` moves. */
function createClock(t: TestContext) {
  mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  t.after(() => mock.timers.reset());
  const limit = createFairLimiter(settings);
  return {
    now: () => now,
    pass: async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 50) {
        now += 50;
        mock.timers.tick(50);
        await immediate();
      }
    },
    /** Holds a slot for the time, unless it is cut off. @returns how long it waited, and whether it was cut off */
    use: (
      id: string,
      ms: number,
      { accounts = accountOf(id), ...terms }: Partial<Terms> & { accounts?: Account[] } = {},
    ) => {
      const asked = now;
      return limit(accounts, { ...waits, ...terms }, async (cutOff) => {
        const startedAt = now;
        const { promise, resolve } = Promise.withResolvers<void>();
        cutOff.addEventListener('abort', () => resolve());
        setTimeout(resolve, ms);
        await promise;
        return { waited: startedAt - asked, usedMs: now - startedAt };
      });
    },
  };
}

suite('fair limiter', () => {
  for (const hostile of [3, 10, 30]) {
    test(`a new user gets a slot beside ${hostile} heavy users`, async (t) => {
      const { use, pass, now } = createClock(t);
      const askWithoutEnd = async (id: string) => {
        while (now() < 60_000) {
          await Promise.allSettled([use(id, statementMs), use(id, statementMs)]);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      };
      const asked = Array.from({ length: hostile }, (_, index) => askWithoutEnd(`hostile ${index}`));
      await pass(50);
      const waited: number[] = [];
      const newcomer = (async () => {
        for (let request = 0; request < 10; request += 1) waited.push((await use('newcomer', 50)).waited);
      })();
      await pass(59_000);
      await newcomer;
      assert.equal(waited.length, 10);
      assert.ok(Math.max(...waited) <= 6_000, waited.join(', '));
      t.diagnostic(waited.join(', '));
      await pass(10_000);
      await Promise.all(asked);
    });
  }

  test('slots go to the lightest users, and some stay reserved', async (t) => {
    const { use, pass } = createClock(t);
    const heavy = ['a', 'b', 'c'].map((id) => use(id, 2 * statementMs));
    await pass(2 * statementMs);
    await Promise.all(heavy);
    const again = ['a', 'b', 'c'].map((id) => use(id, 1_000));
    assert.equal((await passing(pass, use('light', 50))).waited, 0);
    const done = await passing(pass, Promise.all(again));
    assertColumn(done, 'waited', [0, 0, 1_000]);
  });

  test('bulk work leaves a slot to light users, and comes after them', async (t) => {
    const { use, pass } = createClock(t);
    const bulk = ['a', 'b', 'c'].map((id) => use(id, 1_000, { isBulk: true, usualMs: 10_000 }));
    const light = ['v', 'w', 'x', 'y'].map((id) => use(id, 1_000));
    const waitedMs = (await passing(pass, Promise.all([...bulk, ...light]))).map(({ waited }) => waited);
    assert.deepEqual(waitedMs, [0, 0, 2_000, 0, 1_000, 1_000, 1_000]);
  });

  test('bulk work is debited apart, within the slots of its organization', async (t) => {
    const { use, pass } = createClock(t);
    const organization = { id: 'organization', maxConcurrent: 2 };
    const bulkIn = (id: string) => ({
      isBulk: true,
      accounts: [
        { id, maxConcurrent: 1 },
        { ...organization, isUndebited: true },
      ],
    });
    const page = { accounts: [organization] };
    await passing(pass, use('', 2 * statementMs, bulkIn('bulk')));
    const others = ['a', 'b'].map((id) => use(id, 500));
    assert.equal((await passing(pass, use('', 500, page))).waited, 0, 'the page is still light');
    await passing(pass, Promise.all(others));
    const bulk = ['bulk', 'bulk'].map((id) => use('', 1_000, { usualMs: 10_000, ...bulkIn(id) }));
    const pages = [1, 2].map(() => use('', 500, page));
    const waitedMs = (await passing(pass, Promise.all([...bulk, ...pages]))).map(({ waited }) => waited);
    assert.deepEqual(waitedMs, [0, 1_000, 0, 500]);
  });

  test('programs that used little are served beside heavy users', async (t) => {
    const { use, pass, now } = createClock(t);
    const heavy = Array.from({ length: 3 }, (_, index) => `heavy ${index}`);
    await passing(pass, Promise.all(heavy.map((id) => use(id, 2 * statementMs))));
    const askWithoutEnd = async (id: string) => {
      while (now() < 60_000) {
        await Promise.allSettled([use(id, statementMs), use(id, statementMs)]);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const asked = heavy.map(askWithoutEnd);
    await pass(50);
    let served = 0;
    const program = (async () => {
      while (served < 10) served += (await use('program', 50, { isBulk: true })).waited <= 6_000 ? 1 : 0;
    })();
    await pass(60_000);
    await program;
    await Promise.all(asked);
  });

  test('requests of one page wait for each other', async (t) => {
    const { use, pass } = createClock(t);
    const page = await passing(pass, Promise.all([1, 2, 3, 4].map(() => use('page', 1_000))));
    assertColumn(page, 'waited', [0, 1_000, 2_000, 3_000]);
  });

  test('a full queue rejects the heaviest users', async (t) => {
    const { use, pass } = createClock(t);
    const running = ['a', 'b', 'c'].map((id) => use(id, 1_000));
    const many = Array.from({ length: 100 }, (_, index) => use(`many ${index % 5}`, 10));
    const refused = assert.rejects(many[99]!, LimitExceeded);
    assert.ok((await passing(pass, use('newcomer', 10))).waited < 1_500);
    await refused;
    await passing(pass, Promise.allSettled([...running, ...many]));
  });

  test('waiting users keep their place before heavier ones', async (t) => {
    const { use, pass } = createClock(t);
    const earlier = ['a', 'b', 'c'].map((id) => use(id, 4_500));
    await pass(4_500);
    await Promise.all(earlier);
    const lighter = ['x', 'y', 'z'].map((id) => use(id, 4_000));
    const waiting = Array.from({ length: 9 }, (_, index) => use('abc'[index % 3]!, 4_000));
    void Promise.allSettled(waiting);
    await pass(4_000);
    for (const { usedMs } of await Promise.all(lighter)) assert.equal(usedMs, 4_000);
    await pass(20_000);
  });
});

/** Lets time pass until the promise settles. */
async function passing<T>(pass: (ms: number) => Promise<void>, promise: Promise<T>): Promise<T> {
  const settled = new AbortController();
  void promise.finally(() => settled.abort()).catch(() => {});
  while (!settled.signal.aborted) await pass(50);
  return await promise;
}
