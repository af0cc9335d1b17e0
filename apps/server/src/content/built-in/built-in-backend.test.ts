import { createContactRules } from '../../contacts/contact-rules.ts';
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Item } from '@reachout/contract/content.ts';
import { execute, rowsOf, inOrganization } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { useContentFixture } from '../../testing/content-fixture.ts';
import { updateRows } from '../../testing/rows.ts';
import { countWaiting } from '../../testing/wait-for-lock.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import type { ContentBackend } from '../backend/content-backend.ts';
import { createBuiltInBackend } from './built-in-backend.ts';
import { insertCollections } from './collections.queries.ts';

suite('built-in content backend', () => {
  const fixture = useContentFixture();

  before(async () => {
    await fixture.inTenant((trx) =>
      insertCollections(trx, fixture.organizationId, [
        {
          collection: 'books',
          hidden: false,
          fields: [
            { name: 'title', type: 'string', required: true },
            { name: 'isbn', type: 'string', unique: true },
            { name: 'pages', type: 'integer' },
            { name: 'out', type: 'date' },
            { name: 'price', type: 'decimal', defaultValue: '0' },
            { name: 'notes', type: 'json', hidden: true },
          ],
        },
      ]),
    );
  });

  const create = (data: Item, collection = 'books') =>
    fixture.withBackend((backend) => backend.createItem(collection, data));
  const update = (id: unknown, changes: Item) =>
    fixture.withBackend((backend) => backend.updateItem('books', String(id), changes));
  const remove = (id: unknown) => fixture.withBackend((backend) => backend.deleteItem('books', String(id)));
  const idOf = (item: Item): string => item['id'] as string;
  const dateOf = (item: Item): string => item['date_updated'] as string;
  const pathsOf = (error: unknown) =>
    (error as { data: { errors: { path: string }[] } }).data.errors.map(({ path }) => path);

  test('a new organization starts with contacts and newsletters', async () => {
    const collections = await fixture.withBackend((backend) => backend.listCollections());
    assertColumn(collections, 'collection', ['books', 'contacts', 'newsletters']);
    const fields = await fixture.withBackend((backend) => backend.listFields('contacts'));
    const email = fields.find(({ field }) => field === 'email');
    assert.deepEqual([email?.type, email?.required, email?.unique], ['string', true, true]);
    assertColumn(fields, 'field', fields.map(({ field }) => field).toSorted());
  });

  test('a created item has defaults and can be read', async () => {
    const created = await create({ title: 'Emma', pages: 474, nothing_we_know: 1 });
    assert.deepEqual(
      { ...created, id: '', date_created: '', date_updated: '' },
      {
        id: '',
        title: 'Emma',
        isbn: null,
        pages: 474,
        out: null,
        price: '0',
        notes: null,
        user_created: null,
        date_created: '',
        date_updated: '',
      },
    );
    assert.deepEqual(await fixture.withBackend((b) => b.getItem('books', idOf(created))), created);
  });

  test('missing and mistyped values are rejected by field', async () => {
    await assert.rejects(create({ pages: 'many', out: '2026-02-30', isbn: 'x'.repeat(256) }), (error) => {
      assert.deepEqual(pathsOf(error).toSorted(), ['isbn', 'out', 'pages', 'title']);
      return true;
    });
    await assert.rejects(create({ title: '' }), { code: 'validation_failed' });
    await assert.rejects(create({ title: 'NUL \0' }), { code: 'validation_failed' });
    await assert.rejects(create({ title: 'x', notes: { a: ['\ud800'] } }), { code: 'validation_failed' });
    await assert.rejects(create({ title: 'x', id: 'no-uuid' }), { code: 'validation_failed' });
    const { id } = await create({ title: 'Persuasion' });
    await assert.rejects(update(id, { title: null }), { code: 'validation_failed' });
  });

  test('JavaScript property names are valid field names and values', async () => {
    const notes = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as Item;
    const created = await create({
      ...(JSON.parse('{"__proto__":1,"constructor":2}') as Item),
      title: 'x',
      notes,
    });
    assert.equal(JSON.stringify(created['notes']), JSON.stringify(notes));
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });

  test('unique values ignore case and outer spaces', async () => {
    const first = await create({ title: 'A', isbn: 'Abc-x1' });
    await assert.rejects(create({ title: 'B', isbn: ' aBC-X1 ' }), {
      code: 'not_unique',
      data: { field: 'isbn' },
    });
    const second = await create({ title: 'B', isbn: 'abc-x2' });
    await assert.rejects(update(second['id'], { isbn: 'ABC-X1' }), { code: 'not_unique' });
    // Writing an item's own value with different case is no conflict.
    assert.equal((await update(second['id'], { isbn: 'ABC-X2' }))['isbn'], 'ABC-X2');
    // A released value can be used again.
    await update(first['id'], { isbn: null });
    await update(second['id'], { isbn: 'abc-x1' });
    await remove(second['id']);
    await create({ title: 'C', isbn: 'abc-x1' });
    await assert.rejects(create({ title: 'D', id: idOf(first) }), {
      code: 'not_unique',
      data: { field: 'id' },
    });
    // Several items without a value do not conflict.
    await create({ title: 'E' });
  });

  test('concurrent writers cannot share a unique value', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => create({ title: 'R', isbn: 'race' })),
    );
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  test('an update changes given fields and date_updated', async () => {
    const first = await create({ title: 'Old', pages: 1 });
    const once = await update(first['id'], { title: 'New' });
    const twice = await update(first['id'], {});
    assert.deepEqual([once['title'], once['pages']], ['New', 1]);
    assert.ok(dateOf(once) > dateOf(first));
    assert.ok(dateOf(twice) > dateOf(once));
    const known = { ifDateUpdated: dateOf(once) };
    await assert.rejects(
      fixture.withBackend((b) => b.updateItem('books', idOf(first), { title: 'X' }, known)),
      { code: 'changed_elsewhere' },
    );
  });

  test('a page of contacts reads the index up to its last item', async () => {
    const organizationId = await fixture.addOrganization();
    const all = 40_000;
    await execute(fixture.owner)`
      insert into content_items (organization_id, collection, id, data, date_created)
      select ${organizationId}, 'contacts', 'contact-' || n,
        jsonb_build_object('email', 'person' || n || '@mail.example', 'city', 'City ' || n % 7), now() - n * interval '1 second'
      from generate_series(1, ${all}::int) n
    `;
    await updateRows(
      fixture.owner,
      'content_collections',
      { organization_id: organizationId, collection: 'contacts' },
      { items_count: all },
    );
    await execute(fixture.owner)`vacuum analyze content_items`;
    const readFor = (query: { filter?: unknown; offset: number }) =>
      inOrganization(fixture.db, organizationId, async (trx) => {
        // The counts of a connection also have what its last transactions have not reported yet.
        const countReads = async () => {
          const rows = await rowsOf<{ scans: number; fetched: number }>(trx)`
            select seq_scan as scans, idx_tup_fetch as fetched
            from pg_stat_xact_user_tables where relname = 'content_items'
          `;
          return rows[0] ?? { scans: 0, fetched: 0 };
        };
        const { scans: scansBefore, fetched: fetchedBefore } = await countReads();
        const backend = createBuiltInBackend(trx, { organizationId, userId: null });
        const page = await backend.findItems('contacts', { sort: ['-date_created'], limit: 20, ...query });
        assert.equal(page.length, 20);
        const { scans, fetched } = await countReads();
        assert.equal(scans, scansBefore);
        return fetched - fetchedBefore;
      });
    assert.equal(await readFor({ offset: 0 }), 20);
    assert.equal(await readFor({ offset: 19_980 }), 20_000);
    assert.equal(await readFor({ filter: { city: 'City 3' }, offset: 0 }), 19 * 7 + 3);
  });

  test('batches in opposite order do not deadlock', async () => {
    const batch = <T>(work: (backend: ContentBackend) => Promise<T>) =>
      fixture.inTenant(async (trx) => {
        await execute(trx)`set local lock_timeout = '60s'`;
        return await work(
          createBuiltInBackend(trx, {
            organizationId: fixture.organizationId,
            userId: null,
            contacts: createContactRules(undefined),
          }),
        );
      });
    const change = (keys: readonly string[], pages: number) =>
      batch((backend) =>
        backend.updateItems(
          'books',
          keys.map((key) => ({ key, data: { pages } })),
        ),
      );
    /** Runs both concurrently: each proceeds until it waits for the last item or for the other. */
    const runBoth = async (keys: readonly string[], second: () => Promise<unknown>) => {
      const both = await fixture.owner.transaction().execute(async (holder) => {
        await execute(holder)`select from content_items where id = ${keys[1]} for update`;
        const running = Promise.allSettled([change(keys, 1), second()]);
        await waitUntil('both wait', async () => (await countWaiting(fixture.owner)) === 2);
        return { running };
      });
      return (await both.running).map((result) => (result.status === 'rejected' ? result.reason : 'done'));
    };
    const books = ['Persuasion', 'Sanditon', 'Lesley Castle'].map((title) => ({ title }));
    const keys = (await batch((backend) => backend.createItems('books', books))).map(idOf).toSorted();

    assert.deepEqual(await runBoth(keys, () => change(keys.toReversed(), 2)), ['done', 'done']);
    const found = await fixture.withBackend((backend) =>
      backend.findItems('books', { filter: { id: { _in: keys } }, limit: 10, offset: 0 }),
    );
    assert.equal(new Set(found.map(({ pages }) => pages)).size, 1, 'one after the other');
    const [first, second] = await runBoth(keys, () =>
      batch((backend) => backend.deleteItems('books', keys.toReversed())),
    );
    assert.equal(second, 'done');
    assert.ok(first === 'done' || (first as { code: string }).code === 'not_found', String(first));
  });

  test('an organization cannot read items of another', async () => {
    const item = await create({ title: 'Secret', isbn: 'mine' });
    const other = await fixture.addOrganization();
    const counts = await inOrganization(fixture.db, other, (trx) =>
      createBuiltInBackend(trx, { organizationId: other, userId: null }).listCollections(),
    );
    const shared = { label: null, hidden: false, sort: null, client_id: null, brand_id: null };
    assert.deepEqual(counts, [
      { collection: 'contacts', item_count: 0, has_contacts: true, ...shared },
      { collection: 'newsletters', item_count: 0, has_contacts: false, ...shared },
    ]);
    // Even a backend with the wrong organization id reads and changes nothing.
    await inOrganization(fixture.db, other, async (trx) => {
      const wrong = createBuiltInBackend(trx, { organizationId: fixture.organizationId, userId: null });
      await assert.rejects(wrong.getItem('books', idOf(item)), { code: 'not_found' });
    });
    await assert.rejects(
      inOrganization(fixture.db, other, (trx) =>
        insertCollections(trx, fixture.organizationId, [
          { collection: `c_${newId().slice(-12)}`, hidden: false, fields: [{ name: 'a', type: 'string' }] },
        ]),
      ),
      /row-level security/,
    );
  });
});
