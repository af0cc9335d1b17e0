import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Item } from '@reachout/contract/content.ts';
import { sql } from 'kysely';
import { inOrganization } from '../../platform/database/database.ts';
import type { JobRow } from '../../platform/jobs/leases.queries.ts';
import { createLog } from '../../platform/log.ts';
import { buildItems } from '../../sample/items.ts';
import { useContentFixture } from '../../testing/content-fixture.ts';
import { insertCollections } from './collections.queries.ts';
import { handleSearchIndex, indexItems } from './search-index-jobs.ts';

const collection = 'books';

suite('search index', () => {
  const fixture = useContentFixture();

  before(async () => {
    await fixture.inTenant((trx) =>
      insertCollections(trx, fixture.organizationId, [
        {
          collection,
          hidden: false,
          fields: [
            { name: 'title', type: 'string' },
            { name: 'text', type: 'text' },
            { name: 'tags', type: 'csv' },
            { name: 'pages', type: 'integer' },
            { name: 'price', type: 'decimal' },
            { name: 'lent', type: 'boolean' },
            { name: 'notes', type: 'json' },
          ],
        },
      ]),
    );
  });

  const create = (data: Item) => fixture.withBackend((backend) => backend.createItem(collection, data));
  const update = (item: Item, data: Item) =>
    fixture.withBackend((backend) => backend.updateItem(collection, item['id'] as string, data));
  const remove = (item: Item) =>
    fixture.withBackend((backend) => backend.deleteItem(collection, item['id'] as string));
  const index = () => indexItems({ db: fixture.db, log: createLog('silent') }, new AbortController().signal);
  /** @returns the titles of the found items, and the count */
  const find = (search: string) =>
    fixture.withBackend(async (backend) => {
      const query = { search, sort: ['title'], limit: 100, offset: 0 };
      const titles = (await backend.findItems(collection, query)).map(({ title }) => title as string);
      assert.equal(await backend.countItems(collection, query), titles.length);
      return titles;
    });
  const numberOf = async (table: 'content_search_queue' | 'content_search_texts') =>
    (await fixture.owner.selectFrom(table).select('organization_id').execute()).length;
  /** @returns the number of items that a search for the pattern scans, with the server's own role */
  const candidatesOf = async (pattern: string, organizationId = fixture.organizationId) => {
    const ask = sql`select * from search_candidates(${collection}, ${pattern}, 100)`;
    return (await inOrganization(fixture.db, organizationId, (trx) => ask.execute(trx))).rows.length;
  };

  test('indexed searches find the same as full scans', async () => {
    const items: Item[] = [
      { title: 'Größe', text: 'STRASSE und Straße', tags: ['red', 'dark blue'], pages: 7 },
      { title: '100%_\\', text: "o'clock\n\tnext line", price: '007.50', pages: -1200 },
      { title: 'ab', text: 'ΟΔΟΣ İstanbul 日本語テキスト', tags: ['a,b'], price: '-0.5' },
      { title: 'a.b@mail-example.com', text: '🙂 emoji', lent: true, notes: { hidden: 'in notes' } },
      { title: 'x'.repeat(200), text: `${'y'.repeat(9_999)}zfar`, pages: 120_000 },
    ];
    for (const item of items) await create(item);
    const searches = [
      String.raw`größe|GRÖSSE|strasse|straße|red,dark|dark blue|blue,|e|ß|ab|b@m|@|mail-ex|a.b@mail|%|_|\|100%_\|o'clock|next line`,
      '7|7.5|7.50|007.5|07.500|-1200|1200|-0.5|0.5|.5|0.50|-7|120000|120000.0|12000|a,b|in notes|true|xxxx|yyyz|zfar|ber',
      'οδος|οδοσ|istanbul|日本|日本語|テキスト|🙂|   |\n',
    ].flatMap((line) => line.split('|'));
    const unindexed = await Promise.all(searches.map(find));
    assert.ok(unindexed.filter((titles) => titles.length > 0).length > 25);
    assert.equal(await numberOf('content_search_queue'), items.length);
    assert.equal(await candidatesOf('%nowhere%'), items.length);

    assert.equal(await index(), 0);
    assert.equal(await numberOf('content_search_queue'), 0);
    assert.equal(await candidatesOf('%nowhere%'), 0);
    assert.equal(await candidatesOf('%strasse%'), 1);
    for (const [place, search] of searches.entries())
      assert.deepEqual(await find(search), unindexed[place], JSON.stringify(search));
    const other = await fixture.addOrganization();
    assert.equal(await candidatesOf('%', other), 0, 'of another organization');
  });

  test('searches include changes that are not indexed yet', async () => {
    const item = await create({ title: 'Emma', tags: ['novel'] });
    assert.deepEqual(await find('emma'), ['Emma']);
    await index();
    assert.deepEqual(await find('emma'), ['Emma']);
    await update(item, { title: 'Persuasion' });
    for (const isIndexed of [false, true]) {
      if (isIndexed) await index();
      assert.deepEqual(await find('emma'), []);
      assert.deepEqual(await find('persuasion'), ['Persuasion']);
      assert.deepEqual(await find('novel'), ['Persuasion']);
    }
    const texts = await numberOf('content_search_texts');
    await remove(item);
    assert.deepEqual(await find('persuasion'), []);
    assert.equal(await numberOf('content_search_texts'), texts - 1);

    // Also within the same transaction.
    await fixture.withBackend(async (backend) => {
      const count = () => backend.countItems(collection, { search: 'sanditon' });
      assert.equal(await count(), 0);
      const { id } = await backend.createItem(collection, { title: 'Sanditon' });
      assert.equal(await count(), 1);
      await backend.deleteItem(collection, id as string);
      assert.equal(await count(), 0);
    });
    await index();
    assert.equal(await numberOf('content_search_queue'), 0);
    assert.equal(await numberOf('content_search_texts'), texts - 1);
  });

  test('locked rows are indexed in the next run', async () => {
    const [held, free] = [await create({ title: 'Held' }), await create({ title: 'Free' })];
    const texts = await numberOf('content_search_texts');
    await fixture.withBackend(async (backend) => {
      await backend.updateItem(collection, held['id'] as string, { title: 'Held longer' });
      assert.equal(await index(), 0);
      assert.equal(await numberOf('content_search_texts'), texts + 1);
    });
    assert.deepEqual(await find('held longer'), ['Held longer']);
    await index();
    assert.equal(await numberOf('content_search_queue'), 0);
    assert.deepEqual(await find('held longer'), ['Held longer']);
    await remove(held);
    await remove(free);
  });

  test('the job indexes items with dates in the past', async () => {
    const { organizationId } = fixture;
    const id = '01900000-0000-7000-8000-000000000001';
    const past = { id, at: new Date('2026-01-01'), data: { title: 'Long ago' } };
    await fixture.inTenant((trx) => buildItems(trx, { organization_id: organizationId, collection }, [past]));
    assert.deepEqual(await find('long ago'), ['Long ago']);
    const job = { payload: {}, attempts: 1 } as JobRow;
    await handleSearchIndex({ db: fixture.db, log: createLog('silent') }).run(
      job,
      new AbortController().signal,
    );
    assert.equal(await numberOf('content_search_queue'), 0);
    assert.equal(await candidatesOf('%long ago%'), 1);
    assert.deepEqual(await find('long ago'), ['Long ago']);
  });
});
