import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sql } from 'kysely';
import { useSharedApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { copyRow } from '../../testing/copy-row.ts';
import { useWorld } from '../../testing/world.ts';

type Row = { id: string; updated_at: string } & Record<string, unknown>;
type List = { items: Row[]; count: number };

const unknownId = '01900000-0000-7000-8000-000000000000';

/** Valid values, the maximum lengths of fields, and invalid values. */
const kinds = {
  addresses: {
    good: {
      line1: ' Hauptstr. 1 ',
      line2: '',
      postal_code: '10827',
      city: 'Berlin',
      region: null,
      country_id: 'DE',
    },
    shown: {
      line1: 'Hauptstr. 1',
      line2: null,
      postal_code: '10827',
      city: 'Berlin',
      region: null,
      country_id: 'DE',
      country: 'Germany',
    },
    change: { city: 'Bonn', country_id: 'AT' },
    changed: { city: 'Bonn', country_id: 'AT', country: 'Austria' },
    limits: { line1: 200, line2: 200, postal_code: 20, city: 120, region: 120 },
    filled: (length: number) => 'x'.repeat(length),
    bad: [
      ['line1', ' '],
      ['city', ''],
      ['city', 'a\u0000b'],
      ['country_id', 'ZZ'],
      ['country_id', 'Germany'],
      ['country_id', null],
    ],
  },
  contacts: {
    good: { contact_type_id: 'billing', full_name: 'Grete Hermann', email: 'grete@hermann.example' },
    shown: {
      contact_type_id: 'billing',
      contact_type: 'Billing',
      full_name: 'Grete Hermann',
      email: 'grete@hermann.example',
      phone: null,
    },
    change: { phone: '+49 30 901820', contact_type_id: 'technical', email: '' },
    changed: { phone: '+49 30 901820', contact_type_id: 'technical', contact_type: 'Technical', email: null },
    limits: { full_name: 120, phone: 40 },
    filled: (length: number) => '1'.repeat(length),
    bad: [
      ['full_name', ''],
      ['contact_type_id', 'none_of_ours'],
      ['contact_type_id', 'a\u0000b'],
      ['contact_type_id', null],
      ['email', 'nobody'],
      ['phone', 'call me'],
    ],
  },
  socials: {
    good: { network: 'linkedin', url: 'https://linkedin.example/grete' },
    shown: { network: 'linkedin', url: 'https://linkedin.example/grete' },
    change: { network: 'mastodon' },
    changed: { network: 'mastodon' },
    limits: { url: 500 },
    filled: (length: number) => 'https://x.example/'.padEnd(length, 'x'),
    bad: [
      ['network', 'myspace'],
      ['url', 'javascript:alert(1)'],
      ['url', 'ftp://x.example'],
      ['url', ''],
    ],
  },
} as const;
type Kind = keyof typeof kinds;

const shelves = [
  ['me', 'addresses', 'user_addresses'],
  ['me', 'socials', 'user_socials'],
  ['organizations', 'addresses', 'organization_addresses'],
  ['organizations', 'contacts', 'organization_contacts'],
  ['clients', 'addresses', 'client_addresses'],
  ['clients', 'contacts', 'client_contacts'],
  ['clients', 'socials', 'client_socials'],
] as const satisfies [string, Kind, string][];

for (const [whose, kind, table] of shelves) {
  /** All of a kind have one schema, which need not be proven again. */
  const isFirst = shelves.find((shelf) => shelf[1] === kind)?.[2] === table;
  const { good, shown, change, changed, limits, filled, bad } = kinds[kind];
  const isRestorable = kind !== 'socials';

  suite(`${kind} of ${whose}`, () => {
    const app = useSharedApp();
    const { organizationId, clientId, admin: editor, analyst, owner: colleague, branch } = useWorld(app);
    const elsewhere = useWorld(app);
    const [path, otherPath] = {
      me: ['/api/me', '/api/me'],
      organizations: [organizationId, elsewhere.organizationId].map((id) => `/api/organizations/${id}`),
      clients: [clientId, branch('Südwind').clientId].map((id) => `/api/clients/${id}`),
    }[whose].map((start) => `${start}/${kind}`) as [string, string];

    const list = async (as = editor, at = path) => await as.ok<List>('GET', at);
    const add = async (body: object = good) => await editor.ok<Row>('POST', path, body);
    /** @returns every operation on one record */
    const callsFor = (id: string, at = path) => [
      ['PATCH', `${at}/${id}`, change] as const,
      ['DELETE', `${at}/${id}`, undefined] as const,
      ...(isRestorable ? [['POST', `${at}/${id}/restore`, undefined] as const] : []),
    ];

    test('changes require a member with permission', async () => {
      const { id } = await add();
      assertProblem(await app.request('GET', path), 401, 'not_signed_in');
      for (const [method, url, body] of [['POST', path, good] as const, ...callsFor(id)]) {
        assertProblem(await app.request(method, url, { body }), 401, 'not_signed_in');
        if (whose !== 'me') assertProblem(await analyst.request(method, url, body), 403, 'forbidden');
      }
      if (whose !== 'me') assert.ok((await list(analyst)).items.some((item) => item.id === id));
    });

    test('invalid fields are rejected by name', async () => {
      const { id } = await add();
      for (const [field, value] of isFirst ? bad : bad.slice(0, 1)) {
        const body = { ...good, [field]: value };
        assertInvalid(await editor.request('POST', path, body), field);
        assertInvalid(await editor.request('PATCH', `${path}/${id}`, { [field]: value }), field);
      }
      for (const [field, limit] of Object.entries(limits)) {
        const at = (length: number) => ({ ...good, [field]: filled(length) });
        assert.equal((await add(at(limit)))[field], filled(limit));
        if (isFirst) assertInvalid(await editor.request('POST', path, at(limit + 1)), field);
      }
      const serverFields = ['organization_id', 'user_id', 'client_id', 'deleted', 'created_at'];
      for (const key of isFirst ? serverFields : serverFields.slice(0, 1))
        assertInvalid(await editor.request('POST', path, { ...good, [key]: id }), key);
    });

    test('fields change one by one, in stable order', async () => {
      const { count } = await list();
      const added = await add();
      const { id, created_at: _, updated_at, ...fields } = added;
      assert.deepEqual(fields, shown);
      const second = await add();
      const listed = await list();
      assert.equal(listed.count, count + 2);
      assert.deepEqual(listed.items.slice(-2), [added, second]);

      const same = await editor.request<Row>('PATCH', `${path}/${id}`, {});
      assert.deepEqual(same.body, added);
      const response = await editor.ok<Row>('PATCH', `${path}/${id}`, change);
      assert.ok(response.updated_at > updated_at);
      assert.deepEqual(response, { ...added, ...changed, updated_at: response.updated_at });
      assert.deepEqual((await list()).items.at(-1), second);
    });

    test(`deletion is ${isRestorable ? 'soft' : 'permanent'}`, async () => {
      const added = await add();
      const url = `${path}/${added.id}`;
      assert.deepEqual((await editor.request('DELETE', url)).body, { id: added.id });
      assert.ok((await list()).items.every(({ id }) => id !== added.id));
      assertProblem(await editor.request('PATCH', url, change), 404, 'not_found');
      assertProblem(await editor.request('PATCH', url, {}), 404, 'not_found');
      assertProblem(await editor.request('DELETE', url), 404, 'not_found');
      if (!isRestorable) return;

      const restored = await editor.request<Row>('POST', `${url}/restore`);
      assert.deepEqual(restored.body, { ...added, updated_at: restored.body.updated_at });
      assert.ok((await list()).items.some(({ id }) => id === added.id));
      // A repeat changes nothing.
      const again = await editor.request('POST', `${url}/restore`);
      assert.deepEqual(again.body, restored.body);
    });

    if (isRestorable) {
      test('records can be restored for thirty days', async () => {
        const { id } = await add();
        const url = `${path}/${id}`;
        await editor.request('DELETE', url);
        const deletedAgo = (days: string) =>
          app.owner
            .updateTable(table)
            .set({ deleted_at: sql<string>`now() - ${days}::interval` })
            .where('id', '=', id)
            .execute();
        await deletedAgo('30 days 1 minute');
        assertProblem(await editor.request('POST', `${url}/restore`), 404, 'not_found');
        await deletedAgo('29 days 23 hours');
        await editor.ok('POST', `${url}/restore`);
      });
    }

    test('there are at most a hundred, also with concurrent additions', async () => {
      const { id } = await add();
      const { count } = await list();
      await copyRow(app.owner, table, id, { count: 98 - count });
      const post = (at: string, body?: object) => editor.request<Row>('POST', at, body);
      const responses = await Promise.all(Array.from({ length: 5 }, () => post(path, good)));
      const refused = responses.filter(({ status }) => status !== 200);
      assert.equal(refused.length, 3);
      for (const response of refused) assertProblem(response, 409, 'too_many_records');
      assert.equal((await list()).count, 100);
      if (isRestorable) {
        await editor.request('DELETE', `${path}/${id}`);
        assert.equal((await post(path, good)).status, 200);
        assertProblem(await post(`${path}/${id}/restore`), 409, 'too_many_records');
      }
      const ids = (await list()).items.map((item) => item.id);
      await app.owner.deleteFrom(table).where('id', 'in', ids).execute();
    });

    test('records of others are unknown (TEN-2)', async () => {
      const { id } = await add();
      const untouched = await list();
      const as = whose === 'me' ? colleague : editor;
      const unknown = await editor.request('PATCH', `${path}/${unknownId}`, change);
      assertProblem(unknown, 404, 'not_found');
      for (const [method, url, body] of [...callsFor(id, otherPath), ...callsFor(unknownId)])
        assert.deepEqual((await as.request(method, url, body)).body, unknown.body);
      if (whose === 'me') assert.deepEqual(await list(colleague), { items: [], count: 0 });
      assert.deepEqual(await list(), untouched);
    });

    if (whose === 'clients') {
      test('records follow their client into and out of deletion', async () => {
        const { id } = await add();
        const untouched = await list();
        const client = path.replace(`/${kind}`, '');
        await editor.ok('DELETE', client);
        assertProblem(await editor.request('GET', path), 404, 'not_found');
        for (const [method, url, body] of [['POST', path, good] as const, ...callsFor(id)])
          assertProblem(await editor.request(method, url, body), 404, 'not_found');
        await editor.ok('POST', `${client}/restore`);
        assert.deepEqual(await list(), untouched);
      });

      test('the audit log records changes under the client (AUD-1)', async () => {
        await add();
        const entry = await app.owner
          .selectFrom('audit_log as a')
          .innerJoin('clients as c', (on) => on.on(sql`c.id::text`, '=', sql.ref('a.record_id')))
          .select(['a.action', 'a.record_type', 'a.record_name', 'c.name', 'a.details'])
          .orderBy('a.at', 'desc')
          .limit(1)
          .executeTakeFirstOrThrow();
        assert.deepEqual(
          { action: entry.action, record_type: entry.record_type, record_name: entry.record_name },
          { action: `clients.${kind}.create`, record_type: 'clients', record_name: entry.name },
        );
        assert.ok(!JSON.stringify(entry.details).includes('Grete'));
      });
    }
  });
}
