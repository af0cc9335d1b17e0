import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createGroupCommit, QueueFull } from './group-commit.ts';
import { assertColumn } from '../testing/assert-column.ts';

interface Item {
  group: string;
  value: number;
}

/** Creates a store whose commits the test finishes one at a time. */
function createStore() {
  const commits: { group: string; values: number[]; finish: (error?: Error) => void }[] = [];
  return {
    commits,
    store: (group: string, items: Item[]) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const finish = (error?: Error) => (error === undefined ? resolve() : reject(error));
      commits.push({ group, values: items.map(({ value }) => value), finish });
      return promise;
    },
  };
}

const groupOf = ({ group }: Item) => group;
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

suite('group commit', () => {
  test('items of one turn share a commit', async () => {
    const { commits, store } = createStore();
    const queue = createGroupCommit({ groupOf, store, maxQueued: 100, maxBatch: 100 });
    const add = (value: number) => queue.add({ group: 'a', value });
    const first = [add(1), add(2)];
    await tick();
    const second = [add(3), add(4), add(5)];
    await tick();
    assertColumn(commits, 'values', [[1, 2]]);
    commits[0]!.finish();
    await Promise.all(first);
    await tick();
    assert.deepEqual(commits[1]?.values, [3, 4, 5]);
    commits[1].finish();
    await Promise.all(second);
  });

  test('the size of items counts for the limits', async () => {
    const { commits, store } = createStore();
    const sizeOf = ({ value }: Item) => value;
    const queue = createGroupCommit({ groupOf, store, sizeOf, maxQueued: 100, maxBatch: 60 });
    const add = (value: number) => queue.add({ group: 'a', value });
    const added = [add(30), add(20), add(50)];
    await assert.rejects(add(1), QueueFull);
    await tick();
    commits[0]!.finish();
    await tick();
    added.push(add(40));
    commits[1]!.finish();
    await tick();
    commits[2]!.finish();
    await Promise.all(added);
    assertColumn(commits, 'values', [[30, 20], [50], [40]]);
  });

  test('callers get no answer before the commit', async () => {
    const { commits, store } = createStore();
    const queue = createGroupCommit({ groupOf, store, maxQueued: 100, maxBatch: 100 });
    let answered = false;
    const added = queue.add({ group: 'a', value: 1 }).then(() => (answered = true));
    await tick();
    assert.equal(commits.length, 1);
    assert.equal(answered, false);
    commits[0]!.finish();
    await added;
    assert.equal(answered, true);
  });

  test('a failed group fails only its own items', async () => {
    const { commits, store } = createStore();
    const queue = createGroupCommit({ groupOf, store, maxQueued: 100, maxBatch: 100 });
    const [bad, good] = [queue.add({ group: 'a', value: 1 }), queue.add({ group: 'b', value: 2 })];
    await tick();
    commits[0]!.finish(new Error('no'));
    await assert.rejects(bad, /^Error: no$/);
    await tick();
    commits[1]!.finish();
    await good;
  });

  test('groups share a transaction, or run alone after a failure', async () => {
    const { commits, store } = createStore();
    const tried: string[][] = [];
    const responses = [true, false, new Error('gone')];
    const storeTogether = async (groups: ReadonlyMap<string, Item[]>) => {
      tried.push([...groups.keys()]);
      const response = responses.shift();
      if (response instanceof Error) throw response;
      return response ?? assert.fail();
    };
    const queue = createGroupCommit({ groupOf, store, storeTogether, maxQueued: 100, maxBatch: 100 });
    const add = () => ['a', 'b'].map((group) => queue.add({ group, value: 1 }));
    await Promise.all(add());
    assert.equal(commits.length, 0);

    const apart = add();
    await tick();
    commits[0]!.finish();
    await tick();
    commits[1]!.finish();
    await Promise.all(apart);

    await Promise.all(add().map((added) => assert.rejects(added, /^Error: gone$/)));
    const alone = queue.add({ group: 'a', value: 1 });
    await tick();
    commits[2]!.finish();
    await alone;
    assert.deepEqual(tried, [
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  test('batches and the queue have a maximum size', async () => {
    const { commits, store } = createStore();
    const queue = createGroupCommit({ groupOf, store, maxQueued: 3, maxBatch: 2 });
    const add = (value: number) => queue.add({ group: 'a', value });
    const waiting = [add(1), add(2), add(3)];
    await assert.rejects(add(4), QueueFull);
    await tick();
    assert.deepEqual(commits[0]?.values, [1, 2]);
    waiting.push(add(5));
    for (const index of [0, 1]) {
      commits[index]!.finish();
      await tick();
    }
    await Promise.all(waiting);
    assert.deepEqual(commits[1]?.values, [3, 5]);
  });

  test('closing commits everything, then rejects new items', async () => {
    const { commits, store } = createStore();
    const queue = createGroupCommit({ groupOf, store, maxQueued: 100, maxBatch: 1 });
    const waiting = [1, 2].map((value) => queue.add({ group: 'a', value }));
    let closed = false;
    const closing = queue.close().then(() => (closed = true));
    await assert.rejects(queue.add({ group: 'a', value: 3 }), QueueFull);
    for (const index of [0, 1]) {
      await tick();
      assert.equal(closed, false);
      commits[index]!.finish();
    }
    await Promise.all([...waiting, closing]);
  });
});
