import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Item } from '@reachout/contract/content.ts';
import type { SuppressionReason, ChoiceSource } from '@reachout/contract/statuses.ts';
import { sql } from 'kysely';
import { makeKeyOf, signInGuest } from '../../testing/actors.ts';
import { newId } from '../../platform/ids.ts';
import { buildBrand, buildClient } from '../../sample/records.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { insertRows } from '../../sample/rows.ts';
import { deleteRows, listRows } from '../../testing/rows.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { useWorld } from '../../testing/world.ts';
import { createPageReader } from '../../identity/access/file-exports.ts';
import { toStartedStream } from '../../platform/http/started-stream.ts';
import { LimitExceeded, retryAfter } from '../../platform/limit-exceeded.ts';

suite('item export', () => {
  const app = useSharedApp();
  const { owner, organizationId, base } = useWorld(app);

  before(async () => {
    for (const data of [
      { email: 'ada@x.example', company: '=cmd()', tags: ['Press', 'VIP'], vip: true },
      { email: 'emmy@x.example', city: 'Köln, Rhein' },
      { email: 'lise@x.example', city: 'Wien' },
    ])
      await owner.request('POST', `${base}/items/contacts`, data);
  });

  const download = async (query: Record<string, string>, collection = 'contacts') => {
    const path = `${base}/exports/${collection}?${new URLSearchParams(query).toString()}`;
    const { status, body, headers } = await owner.request<string>('GET', path);
    assert.equal(status, 200, JSON.stringify(body));
    return { body, headers };
  };

  test('an invalid filter is rejected before the export starts', async () => {
    for (const filter of ['1', '"x"', 'true', '[1]', '{"no_such":{"_eq":1}}', '{']) {
      const path = `${base}/exports/contacts?${new URLSearchParams({ filter }).toString()}`;
      const { status } = await owner.request('GET', path);
      assert.ok(status === 400 || status === 422, `${filter}: ${status}`);
    }
  });

  test('an export escapes spreadsheet formulas and has all columns', async () => {
    const { body, headers } = await download({ search: 'ada' });
    assert.match(String(headers['content-type']), /^text\/csv/);
    assert.equal(headers['content-disposition'], 'attachment; filename="contacts.csv"');
    assert.equal(headers['cache-control'], 'no-store');
    const [head, row, end] = body.split('\r\n');
    assert.equal(
      head,
      '\u{feff}id,birthday,city,company,country,email,first_name,language,last_name,tags,unsubscribed,vip,date_created,date_updated,subscription state,subscription reason,subscription since',
    );
    // CSV-2: user input is escaped so that it is no formula.
    assert.match(
      row ?? '',
      /^[0-9a-f-]{36},,,'=cmd\(\),,ada@x\.example,,,,"Press, VIP",false,true,\d{4}-.*Z,\d{4}-.*Z,subscribed,,$/,
    );
    assert.equal(end, '');
    const json = await download({ format: 'json', filter: '{"city":{"_nnull":true}}' });
    assert.match(String(json.headers['content-type']), /^application\/json/);
    const items = json.body as unknown as Item[];
    assert.deepEqual(
      items.map(({ email, city }) => [email, city]),
      [
        ['emmy@x.example', 'Köln, Rhein'],
        ['lise@x.example', 'Wien'],
      ],
    );
    assert.deepEqual((await download({ format: 'json', search: 'nobody' })).body, []);
  });

  test('an export has the subscription of each contact by brand', async () => {
    const client = await buildClient(app.owner, { organization_id: organizationId, name: 'North' });
    const brands = await Promise.all(
      ['Aurora', 'Boreas'].map((name) => buildBrand(app.owner, { client_id: client.id, name })),
    );
    const at = '2026-03-01T08:00:00.000Z';
    const suppress = (
      name: string,
      brand_id: string | null,
      reason: SuppressionReason = 'unsubscribe',
      send_id?: string,
    ) =>
      insertRows(app.owner, 'choices', {
        kind: 'suppression',
        id: newId(),
        organization_id: organizationId,
        address_key: `${name}@x.example`,
        brand_id,
        value: reason,
        changed_at: at,
        ...(send_id === undefined ? {} : { send_id, seq: 1 }),
      });
    const send = newId();
    for (const { id } of brands) await suppress('ada', id, 'unsubscribe', send);
    await suppress('emmy', brands[1]!.id, 'unsubscribe', send);
    await suppress('emmy', null, 'bounce');
    await suppress('lise', brands[0]!.id, 'complaint');
    const pause = (name: string, brand_id: string, until: string, source: ChoiceSource = 'preferences') =>
      insertRows(app.owner, 'choices', {
        kind: 'pause',
        value: 'paused',
        organization_id: organizationId,
        address_key: `${name}@x.example`,
        brand_id,
        until,
        source,
        changed_at: at,
      });
    await pause('emmy', brands[0]!.id, '2026-03-31T08:00:00.000Z');
    await pause('lise', brands[1]!.id, '2999-01-01T00:00:00.000Z', 'member');
    const { body } = await download({ format: 'json' });
    const items = Object.fromEntries(
      (body as unknown as Item[]).map((item) => [(item['email'] as string).split('@')[0], item]),
    );
    const told = (name: string, ...columns: string[]) => columns.map((column) => items[name]?.[column]);
    const ofBrand = (brand: string) =>
      ['state', 'reason', 'since'].map((part) => `North / ${brand}: ${part}`);
    const overall = ['unsubscribed', ...['state', 'reason', 'since'].map((part) => `subscription ${part}`)];
    assert.deepEqual(told('ada', ...overall), [true, 'unsubscribed', 'link', at], 'from each brand');
    assert.deepEqual(told('ada', ...ofBrand('Aurora')), ['unsubscribed', 'link', at]);
    assert.deepEqual(told('emmy', ...overall), [false, 'bounced', 'bounce', at]);
    assert.deepEqual(told('emmy', ...ofBrand('Aurora')), ['bounced', 'bounce', at]);
    assert.deepEqual(told('emmy', ...ofBrand('Boreas')), ['unsubscribed', 'link', at]);
    assert.deepEqual(told('lise', ...overall), [false, 'paused', 'office', at]);
    assert.deepEqual(told('lise', ...ofBrand('Aurora')), ['complained', 'complaint', at]);
    assert.deepEqual(told('lise', ...ofBrand('Boreas')), ['paused', 'office', at]);
    const guest = await signInGuest(app, organizationId, [client.id]);
    const own = await owner.request<{ collection: string }>('POST', `${base}/collections`, {
      name: 'North',
      client_id: client.id,
    });
    const file = await guest.ok<string>('GET', `${base}/exports/${own.body.collection}`);
    assert.ok(!file.includes('subscription'), 'guests do not read consent');
  });

  test('an export contains each item once', async () => {
    await sql`
      insert into content_items (organization_id, collection, id, data)
      select ${organizationId}::uuid, 'newsletters', gen_random_uuid(), jsonb_build_object('title', 'n' || n)
      from generate_series(1, 4100) n`.execute(app.owner);
    const { body } = await download({ format: 'json' }, 'newsletters');
    const titles = (body as unknown as Item[]).map(({ title }) => title);
    assert.deepEqual([titles.length, new Set(titles).size], [4_100, 4_100]);
  });

  test('an export page has at most 4 MB (RATE-1)', async () => {
    const sizes = 'repeat(md5(n::text), 25000)';
    await deleteRows(app.owner, 'content_items', {
      organization_id: organizationId,
      collection: 'newsletters',
    });
    await sql`
      insert into content_items (organization_id, collection, id, data)
      select ${organizationId}::uuid, 'newsletters', gen_random_uuid(), jsonb_build_object('title', ${sql.raw(sizes)})
      from generate_series(1, 12) n`.execute(app.owner);
    const key = await makeKeyOf(app, organizationId, owner.userId, ['content:read', 'content:write']);
    const items = `${base}/items/newsletters`;
    const rest = `/content/${organizationId}/items/newsletters`;
    const fits = /larger than 4 MB, which has room for 4 of these items/;
    const all = { query: { filter: { title: { _nnull: true } } }, data: { teaser: 'New' } };
    const grouped = 'aggregate={"count":"*"}&groupBy=title';
    const table: [path: string, as: Person, method: 'GET' | 'SEARCH' | 'PATCH', body?: object][] = [
      [items, owner, 'GET'],
      [`${items}?fields=title`, owner, 'GET'],
      [`${items}?${grouped}`, owner, 'GET'],
      [items, owner, 'PATCH', all],
      [rest, key, 'GET'],
      [rest, key, 'SEARCH', { query: { limit: -1 } }],
      [`${rest}?${grouped}`, key, 'GET'],
      [rest, key, 'PATCH', all],
    ];
    for (const [path, as, method, body] of table) {
      const refused = await as.request<unknown>(method, path, body);
      assert.equal(refused.status, 400, `${method} ${path}`);
      assert.match(JSON.stringify(refused.body), fits, `${method} ${path}`);
    }
    const read = async (path: string, as: Person) => (await as.ok<{ data: Item[] }>('GET', path)).data.length;
    assert.equal(await read(`${items}?limit=4`, owner), 4);
    assert.equal(await read(`${items}?fields=id`, owner), 12);
    assert.equal(await read(`${rest}?limit=4`, key), 4);
    const { body } = await download({ format: 'json' }, 'newsletters');
    assert.equal(
      new Set((body as unknown as Item[]).map(({ title }) => title)).size,
      12,
      'nothing was changed',
    );
  });

  test('an export waits for its turn or returns 503 (RATE-1)', async (t) => {
    const pages = ['head', 'first', 'second'];
    let turns = 0;
    const read = createPageReader(app.services.expensiveDb, {});
    t.mock.method(app.services.expensiveDb, 'transaction', () => {
      turns += 1;
      throw new LimitExceeded('connections', 'unavailable', retryAfter(1_000));
    });
    async function* busy() {
      yield pages[0];
      yield await read(() => Promise.resolve(pages[1]));
    }
    await assert.rejects(toStartedStream(busy()), LimitExceeded);
    assert.equal(turns, 1);
    const next = read(() => Promise.resolve(pages[2]));
    await waitUntil('it asks again', () => turns > 2);
    t.mock.restoreAll();
    assert.equal(await next, 'second');
  });

  test('exports need read access and are audited', async () => {
    await deleteRows(app.owner, 'audit_log', {
      organization_id: organizationId,
      action: 'content.exportItems',
    });
    const path = `${base}/exports/contacts`;
    const client = await owner.request<{ id: string }>('POST', '/api/clients', {
      organization_id: organizationId,
      name: 'North',
    });
    const guest = await signInGuest(app, organizationId, [client.body.id]);
    const own = await owner.request<{ collection: string }>('POST', `${base}/collections`, {
      name: 'Others',
    });
    const other = await owner.request<{ id: string }>('POST', '/api/clients', {
      organization_id: organizationId,
      name: 'South',
    });
    const { collection } = own.body;
    await owner.request('PATCH', `${base}/collections/${collection}`, { client_id: other.body.id });
    assertProblem(await app.request('GET', path), 401, 'not_signed_in');
    assertProblem(await app.request('GET', path, { as: await app.signIn() }), 404, 'not_found');
    assertProblem(await guest.request('GET', `${base}/exports/${collection}`), 404, 'not_found');
    for (const name of ['no_such', 'reachout_templates'])
      assertProblem(await owner.request('GET', `${base}/exports/${name}`), 404, 'not_found');
    assertInvalid(await owner.request('GET', `${path}?format=xml`), 'format');
    assertProblem(await owner.request('GET', `${path}?filter={`), 400, 'invalid_query');
    const nobody = await listRows(app.owner, 'audit_log', ['id'], {
      organization_id: organizationId,
      action: 'content.exportItems',
    });
    assert.deepEqual(nobody, []);
    const analyst = await app.signInMember(organizationId, 'analyst');
    await analyst.ok('GET', `${path}?search=ada`);
    const entries = await listRows(app.owner, 'audit_log', ['user_id', 'record_name', 'details'], {
      organization_id: organizationId,
      action: 'content.exportItems',
    });
    assert.deepEqual(entries, [
      {
        user_id: analyst.userId,
        record_name: 'contacts',
        details: { format: 'csv', count: 1, filters: ['search'] },
      },
    ]);
  });
});
