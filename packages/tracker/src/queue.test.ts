import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createQueue, toBatches, type Entry } from './queue.ts';

const prefix = 'q ';
const nameOf = (i: number) => String(i).padStart(4, '0');
const namesIn = (entries: readonly Entry[]) => entries.map(([key]) => key.slice(prefix.length));

suite('queue of events', () => {
  test('has the events of all tabs in the order of their names', () => {
    const storage: Record<string, string> = { other: 'of the page' };
    const one = createQueue(prefix, storage);
    const two = createQueue(prefix, storage);
    two.add('0002', '{}');
    one.add('0001', '{}');
    assert.deepEqual(namesIn(two.entries()), ['0001', '0002']);
    one.remove(one.entries().slice(0, 1));
    assert.deepEqual(namesIn(two.entries()), ['0002']);
    assert.equal(storage['other'], 'of the page');
  });

  test('drops the oldest beyond 200 events or 100,000 characters', () => {
    const many = createQueue(prefix, {});
    for (let i = 0; i < 250; i += 1) many.add(nameOf(i), '{}');
    assert.deepEqual(
      namesIn(many.entries()),
      Array.from({ length: 200 }, (_, i) => nameOf(i + 50)),
    );
    const large = createQueue(prefix, {});
    for (let i = 0; i < 20; i += 1) large.add(nameOf(i), 'x'.repeat(9_990));
    assert.deepEqual(
      namesIn(large.entries()),
      Array.from({ length: 10 }, (_, i) => nameOf(i + 10)),
    );
  });

  test('is in memory without storage, and beside a full one', () => {
    const full = new Proxy<Record<string, string>>(
      { [`${prefix}0001`]: '{"stored":1}' },
      {
        set: () => {
          throw new DOMException('full', 'QuotaExceededError');
        },
      },
    );
    for (const [storage, names] of [
      [undefined, ['0002']],
      [null, ['0002']],
      [full, ['0001', '0002']],
    ] as const) {
      const queue = createQueue(prefix, storage);
      queue.add('0002', '{}');
      assert.deepEqual(namesIn(queue.entries()), names);
      queue.remove(queue.entries());
      assert.deepEqual(queue.entries(), []);
    }
  });

  test('batches have at most 50 events and 60,000 bytes', () => {
    const entriesOf = (count: number, json: string) =>
      Array.from({ length: count }, (_, i): Entry => [nameOf(i), json]);
    const sizes = (entries: Entry[]) => toBatches(entries).map((batch) => batch.length);
    assert.deepEqual(sizes([]), []);
    assert.deepEqual(sizes(entriesOf(120, '{}')), [50, 50, 20]);
    // Two bytes each.
    assert.deepEqual(sizes(entriesOf(5, 'ö'.repeat(14_000))), [2, 2, 1]);
    for (const batch of toBatches(entriesOf(200, 'ö'.repeat(900)))) {
      assert.ok(Buffer.byteLength(`[${batch.map(([, json]) => json).join()}]`) <= 60_000);
    }
    assert.deepEqual(sizes(entriesOf(2, 'x'.repeat(70_000))), [1, 1]);
  });
});
