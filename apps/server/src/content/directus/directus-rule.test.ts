import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, before, suite, test } from 'node:test';
import type { AudienceCount, Filter } from '@reachout/contract/filters.ts';
import type { Problem } from '../../platform/http/problem.ts';
import { createOutboundClient, outboundLimits } from '../../platform/outbound/outbound-client.ts';
import { signInGuest } from '../../testing/actors.ts';
import { useTestApp, type Person } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { buildClient } from '../../sample/records.ts';
import { createOrganization } from '../../testing/create-organization.ts';
import { runJobs } from '../../testing/job-worker.ts';
import { listen } from '../../testing/listen.ts';
import { updateRows } from '../../testing/rows.ts';
import { handleReadings } from '../../contacts/audiences/reading-jobs.ts';

const key = (collection: string, type = 'integer') => ({
  collection,
  field: 'id',
  type,
  schema: { is_primary_key: true },
});
const field = (collection: string, name: string, type = 'string') => ({ collection, field: name, type });
const toOne = (
  collection: string,
  name: string,
  related: string,
  list: string | null,
  junction?: string,
) => ({
  collection,
  field: name,
  related_collection: related,
  meta: { one_field: list, junction_field: junction ?? null },
});
const shown = (collection: string, hidden = false) => ({ collection, schema: {}, meta: { hidden } });

/** Contacts with a company, tags through a hidden junction, orders, and what rules must not reach. */
const schema: Record<string, unknown> = {
  '/users/me': { id: '01900000-0000-7000-8000-000000000001' },
  '/server/info': { version: '12.4.1' },
  '/collections': [
    ...['contacts', 'companies', 'tags', 'orders', 'rivals'].map((name) => shown(name)),
    ...['contacts_tags', 'contacts_rivals', 'salaries'].map((name) => shown(name, true)),
  ],
  '/fields': [
    ...['contacts', 'companies', 'tags', 'orders', 'rivals', 'contacts_tags', 'salaries'].map((name) =>
      key(name),
    ),
    field('contacts', 'email'),
    field('contacts', 'unsubscribed', 'boolean'),
    field('contacts', 'since', 'timestamp'),
    { ...field('contacts', 'company', 'integer'), schema: { foreign_key_table: 'companies' } },
    field('contacts', 'rival', 'integer'),
    field('companies', 'country'),
    field('companies', 'size', 'integer'),
    field('companies', 'founded', 'date'),
    field('tags', 'name'),
    field('orders', 'total', 'decimal'),
    field('orders', 'paid_at', 'dateTime'),
    field('contacts_tags', 'since', 'date'),
    field('contacts_tags', 'tags_id', 'integer'),
    field('rivals', 'name'),
    field('salaries', 'amount', 'integer'),
  ],
  '/relations': [
    toOne('contacts', 'company', 'companies', 'people'),
    toOne('contacts', 'user_created', 'directus_users', null),
    toOne('contacts', 'rival', 'rivals', null),
    toOne('contacts_tags', 'contacts_id', 'contacts', 'tags', 'tags_id'),
    toOne('contacts_tags', 'tags_id', 'tags', null, 'contacts_id'),
    toOne('contacts_tags', 'user_created', 'directus_users', null),
    toOne('contacts_rivals', 'contacts_id', 'contacts', 'rivals', 'rivals_id'),
    toOne('contacts_rivals', 'rivals_id', 'rivals', null, 'contacts_id'),
    toOne('orders', 'contact', 'contacts', 'orders'),
    toOne('salaries', 'contact', 'contacts', 'salaries'),
    {
      collection: 'pages',
      field: 'item',
      related_collection: null,
      meta: { one_allowed_collections: ['tags'] },
    },
  ],
};

const sent = [
  { company: { country: { _eq: 'DE' } } },
  { _or: [{ company: { country: { _in: ['DE', 'AT'] }, size: { _gt: 10 } } }, { company: { _null: true } }] },
  { company: { _and: [{ country: { _neq: 'DE' } }, { size: { _between: [1, 9] } }] } },
  { tags: { tags_id: { name: { _eq: 'vip' } } } },
  { tags: { _none: { tags_id: { name: { _eq: 'vip' } } } } },
  { tags: { _some: { _and: [{ since: { _gte: '2026-01-01' } }, { tags_id: { _eq: 7 } }] } } },
  { _and: [{ orders: { total: { _gte: 100 } } }, { email: { _ends_with: '.example' } }] },
  { company: { people: { orders: { _some: { 'year(paid_at)': { _eq: 2026 } } } } } },
  { 'count(orders)': { _gt: 3 }, 'year(since)': { _in: [2025, 2026] } },
  { 'count(tags)': { _eq: 0 } },
  { since: { _gt: '$NOW(-7 days)' } },
];

const nested = (levels: number): object =>
  levels === 0 ? { country: { _eq: 'DE' } } : { people: { company: nested(levels - 1) } };
const refused: [what: string, rule: object, reason: RegExp, place?: 'audiences' | 'gateway'][] = [
  ['users of the Directus', { user_created: { password: { _starts_with: 'a' } } }, /directus_users/],
  ['users behind a junction', { tags: { user_created: { email: { _nnull: true } } } }, /directus_users/],
  ['a hidden collection', { salaries: { amount: { _gt: 5 } } }, /salaries/],
  ['the number of hidden items', { 'count(salaries)': { _gt: 0 } }, /salaries/],
  ['contacts of another client', { rival: { name: { _eq: 'x' } } }, /rivals/],
  ['a junction to those of another client', { rivals: { rivals_id: { _nnull: true } } }, /contacts_rivals/],
  ['a field that is no relation', { email: { name: { _eq: 'x' } } }, /not a relation/],
  ['an unknown field', { company: { nope: { _eq: 'x' } } }, /no such field/],
  ['an unknown relation', { nope: { name: { _eq: 'x' } } }, /directus_relations/],
  ['an unknown operator', { company: { country: { _regex: 'x' } } }, /no operator _regex/],
  ['an operator of another type', { company: { size: { _contains: 'x' } } }, /integer do not have/],
  ['a text for a number', { company: { size: { _gt: 'x' } } }, /integer/],
  ['one value between, which a Directus ignores', { company: { size: { _between: [1] } } }, /two values/],
  ['no condition', { company: {} }, /how to compare/],
  ['an empty group', { company: { _and: [] } }, /at least one/],
  ['_none of anything', { tags: { _none: {} } }, /what the related items have/],
  ['_some beside others', { tags: { _some: { since: { _nnull: true } }, tags_id: { _eq: 1 } } }, /alone/],
  ['_some of one item', { company: { _some: { size: { _gt: 1 } } } }, /one item/],
  ['a comparison with a list', { tags: { _eq: 1 } }, /list of items/, 'audiences'],
  ['an unknown function', { 'upper(email)': { _eq: 'X' } }, /no such function/],
  ['a function of another type', { 'year(email)': { _eq: 2026 } }, /date or time/],
  ['a function over a path', { 'year(company.founded)': { _eq: 2026 } }, /no such function/],
  ['a text for a computed number', { 'year(since)': { _eq: 'x' } }, /integer/],
  ['the user of the token', { email: { _eq: '$CURRENT_USER.email' } }, /\$CURRENT_USER/],
  ['any collection', { 'item:tags': { name: { _eq: 'x' } } }, /no such field/],
  ['__proto__', { company: JSON.parse('{"__proto__":{"_eq":1}}') }, /operator/, 'gateway'],
  ['constructor', { company: { constructor: { name: { _eq: 'x' } } } }, /no such field/],
  ['a path in a name', { company: { '../users': { _eq: 'x' } } }, /no such field/],
  ['more than 10 levels', { company: nested(5) }, /10 levels/],
  [
    'too many conditions',
    { _and: Array.from({ length: 249 }, () => ({ company: { size: { _gt: 1 } } })) },
    /too many conditions/,
  ],
];

suite('rules of a Directus', () => {
  const app = useTestApp({ privateHosts: ['127.0.0.1'] });
  const asked: { kind: 'count' | 'items'; filter: unknown }[] = [];
  let isForbidden = false;
  let owner: Person;
  let guest: Person;
  let organization_id: string;
  let client_id: string;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, 'http://cms.example');
    const send = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (pathname === '/server/ping')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('pong');
    const fields = /^\/fields\/(\w+)$/.exec(pathname)?.[1];
    if (fields !== undefined)
      return send(200, {
        data: (schema['/fields'] as { collection: string }[]).filter((each) => each.collection === fields),
      });
    if (!pathname.startsWith('/items/')) return send(200, { data: schema[pathname] ?? [] });
    const body = (await request.toArray()).join('');
    const query = body === '' ? {} : (JSON.parse(body) as { query: Record<string, unknown> }).query;
    const filter: unknown = query['filter'] ?? JSON.parse(searchParams.get('filter') ?? 'null');
    const isCount = 'aggregate' in query || searchParams.has('aggregate');
    if (pathname === '/items/contacts') asked.push({ kind: isCount ? 'count' : 'items', filter });
    if (isForbidden && filter !== null)
      return send(403, { errors: [{ message: 'No permission.', extensions: { code: 'FORBIDDEN' } }] });
    const isLater = JSON.stringify(filter).includes('"_gt":"1"');
    const items = isLater ? [] : [{ id: 1, email: 'ada@x.example', unsubscribed: false }];
    return send(200, { data: isCount ? [{ count: '1' }] : items });
  }
  const server = createServer((request, response) => void respond(request, response));
  const outbound = createOutboundClient(['127.0.0.1'], { ...outboundLimits, pauseMs: 0 });

  before(async () => {
    const port = await listen(server);
    owner = await app.signIn();
    organization_id = await createOrganization(app, owner);
    ({ id: client_id } = await buildClient(app.owner, { organization_id }));
    guest = await signInGuest(app, organization_id, [client_id], 'admin');
    await owner.ok('PUT', `/api/organizations/${organization_id}/content_backend`, {
      endpoint: `http://127.0.0.1:${port}`,
      access_token: 'token-of-a-directus-0123456789',
    });
    await updateRows(
      app.owner,
      'directus_collections',
      { organization_id, collection: 'rivals' },
      { client_id },
    );
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await outbound.close();
  });

  const filters = <T = Problem>(path: string, rule: object, more: object = {}, as = owner) =>
    as.request<T>('POST', `/api/filters${path}`, { organization_id, collection: 'contacts', rule, ...more });
  const items = (rule: object, as = owner) =>
    as.request(
      'GET',
      `/api/content/${organization_id}/items/contacts?${new URLSearchParams({ filter: JSON.stringify(rule) }).toString()}`,
    );

  test('a rule over relations and functions is sent as it is', async () => {
    for (const [index, rule] of sent.entries()) {
      const what = JSON.stringify(rule);
      asked.length = 0;
      const counted = await filters<AudienceCount>('/count', rule);
      assert.equal(counted.status, 200, `${what}: ${JSON.stringify(counted.body)}`);
      assert.deepEqual([counted.body.reading?.live_count, counted.body.sample.length], [1, 1], what);
      const listed = await items(rule);
      assert.equal(listed.status, 200, `${what}: ${JSON.stringify(listed.body)}`);
      // The list also counts all items.
      const filtered = asked.filter(({ filter }) => filter !== null);
      assert.deepEqual(new Set(filtered.map(({ kind }) => kind)), new Set(['count', 'items']), what);
      for (const { filter } of filtered) assert.deepEqual(filter, rule);
      const created = await filters<Filter>('', rule, { name: `Audience ${index}` });
      assert.deepEqual([created.status, created.body.rule], [200, rule], what);
    }
  });

  test('a reading selects by the relations of the rule', async () => {
    const rule = sent[3]!;
    await filters('/count', rule, { read_contacts: true });
    asked.length = 0;
    const sends = { isWaiting: async () => true, onEnd: async () => {}, onDelay: async () => {} };
    const deps = { db: app.services.db, secrets: app.services.secrets, outbound, sends };
    await runJobs(app, app.owner, [handleReadings(deps)]);
    const { body } = await filters<AudienceCount>('/count', rule);
    assert.deepEqual([body.matched, body.will_receive, body.reading?.error_content], [1, 1, null]);
    assert.deepEqual(asked[0], { kind: 'count', filter: rule });
    assert.ok(asked.every(({ filter }) => JSON.stringify(filter).includes(JSON.stringify(rule))));
  });

  for (const [what, rule, reason, place] of refused)
    test(`${what} is rejected and not sent`, async () => {
      asked.length = 0;
      for (const path of place === 'gateway' ? [] : ['', '/count']) {
        const response = await filters(path, rule, path === '' ? { name: 'Refused' } : {});
        assertProblem(response, 422, 'invalid_rule', what);
        assert.match((response.body.data as { reason: string }).reason, reason);
      }
      if (place !== 'audiences') assertProblem(await items(rule), 400, 'invalid_query', what);
      assert.deepEqual(asked, []);
    });

  test('a relation leads only to what the owner of the contacts may use', async () => {
    const own = (collection: string, client: string) =>
      updateRows(app.owner, 'directus_collections', { organization_id, collection }, { client_id: client });
    const { id: other } = await buildClient(app.owner, { organization_id });
    await own('contacts', client_id);
    await own('tags', client_id);
    await own('companies', other);
    for (const as of [owner, guest]) {
      assert.equal((await filters('/count', sent[3]!, { client_id }, as)).status, 200);
      assert.equal((await items(sent[3]!, as)).status, 200);
      asked.length = 0;
      assertProblem(await filters('/count', sent[0]!, { client_id }, as), 422, 'invalid_rule');
      assertProblem(await items(sent[0]!, as), 400, 'invalid_query');
      assert.deepEqual(asked, []);
    }
  });

  test('what the Directus forbids is reported, and matches nobody', async () => {
    isForbidden = true;
    const response = await filters('/count', sent[3]!, { client_id });
    isForbidden = false;
    assertProblem(response, 422, 'invalid_rule');
    assert.match((response.body.data as { reason: string }).reason, /related.*token/);
  });

  test('the built-in backend says that only a Directus has relations', async () => {
    const elsewhere = await createOrganization(app, owner);
    const rule = { country: { name: { _eq: 'DE' } } };
    const response = await filters('/count', rule, { organization_id: elsewhere });
    assertProblem(response, 422, 'invalid_rule');
    assert.match((response.body.data as { reason: string }).reason, /Only a connected Directus/);
    const computed = await filters('/count', { 'year(date_created)': 2026 }, { organization_id: elsewhere });
    assertProblem(computed, 422, 'invalid_rule');
  });
});
