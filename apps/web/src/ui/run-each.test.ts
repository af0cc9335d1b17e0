import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { networkProblem, Problem } from '#web/platform/problem.ts';
import { runBatches } from './run-each.ts';

suite('batches of records', () => {
  const problem = (status: number) => new Problem({ status, code: 'no', title: 'No' });
  /** Processes ten records in batches of four. @returns the requests and the result */
  async function run(
    refuse: (rows: readonly number[]) => unknown,
    isStopped: (requests: readonly number[][]) => boolean = () => false,
  ) {
    const requests: number[][] = [];
    const progress: number[] = [];
    const send = async (rows: readonly number[]) => {
      requests.push([...rows]);
      const error = refuse(rows);
      if (error !== undefined) throw error;
    };
    const outcome = await runBatches(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      { size: 4, operation: send },
      (row) => send([row]),
      { onProgress: (done) => progress.push(done), isStopped: () => isStopped(requests) },
    );
    const { done, failed, left } = outcome;
    return { requests: requests.map((rows) => rows.join(' ')), progress, done, failed, left };
  }

  test('batches need few requests', async () => {
    const { requests, progress, done, failed, left } = await run(() => undefined);
    assert.deepEqual(requests, ['1 2 3 4', '5 6 7 8', '9 10']);
    assert.deepEqual(progress, [4, 8, 10]);
    assert.deepEqual([done, failed, left], [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [], []]);
  });

  test('a refused batch is split to find the record', async () => {
    const gone = problem(404);
    const { requests, done, failed, left } = await run((rows) => (rows.includes(6) ? gone : undefined));
    assert.deepEqual(requests, ['1 2 3 4', '5 6 7 8', '5', '6', '7', '8', '9 10']);
    assert.deepEqual(done, [1, 2, 3, 4, 5, 7, 8, 9, 10]);
    assert.deepEqual([failed, left], [[{ row: 6, error: gone }], []]);
  });

  test('general failures fail the batch, and later ones continue', async () => {
    const unusable = problem(424);
    const { requests, done, failed } = await run((rows) => (rows.includes(6) ? unusable : undefined));
    assert.deepEqual(requests, ['1 2 3 4', '5 6 7 8', '9 10']);
    assert.deepEqual(done, [1, 2, 3, 4, 9, 10]);
    assert.deepEqual(
      failed,
      [5, 6, 7, 8].map((row) => ({ row, error: unusable })),
    );
  });

  test('repeated failures stop, and count untried records', async () => {
    for (const error of [networkProblem(), problem(401), problem(429), problem(503), new Error('?')]) {
      const { requests, done, failed, left } = await run((rows) => (rows.includes(6) ? error : undefined));
      assert.deepEqual(requests, ['1 2 3 4', '5 6 7 8']);
      assert.deepEqual([done, failed.length, left], [[1, 2, 3, 4], 4, [9, 10]]);
    }
    // Also within a batch whose records are tried one by one.
    const late = await run((rows) =>
      rows.length > 1 && rows.includes(6) ? problem(404) : rows[0] === 6 ? problem(503) : undefined,
    );
    assert.deepEqual(late.requests, ['1 2 3 4', '5 6 7 8', '5', '6']);
    assert.deepEqual(
      [late.done, late.failed.map(({ row }) => row), late.left],
      [[1, 2, 3, 4, 5], [6], [7, 8, 9, 10]],
    );
  });

  test('batches can be stopped between requests', async () => {
    const { requests, done, left } = await run(
      () => undefined,
      (sent) => sent.length === 1,
    );
    assert.deepEqual(requests, ['1 2 3 4']);
    assert.deepEqual(
      [done, left],
      [
        [1, 2, 3, 4],
        [5, 6, 7, 8, 9, 10],
      ],
    );
  });
});
