import assert from 'node:assert/strict';
import { after, afterEach, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import type { ContentImport } from '@reachout/contract/content-imports.ts';
import type { Problem } from '../../platform/http/problem.ts';
import { createLog } from '../../platform/log.ts';
import { createTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { signInOwner } from '../../testing/create-organization.ts';
import { runJobs } from '../../testing/job-worker.ts';
import { openRemoteContacts, type RemoteContacts } from '../../testing/remote-contacts.ts';
import { listRows } from '../../testing/rows.ts';
import { handleDirectusImports } from './directus-import-jobs.ts';

interface Settings {
  collection?: string;
  mapping: Record<string, string>;
  key_field?: string;
  new_fields?: object[];
  check?: 'true' | 'false';
}

/** The Directus is the REST interface of an organization in another app. */
suite('imports into a Directus', () => {
  let remote: RemoteContacts;
  let app: TestApp;
  let owner: Person;
  let organizationId: string;

  before(async () => {
    remote = await openRemoteContacts();
    app = await createTestApp({ privateHosts: ['127.0.0.1'] }, { beside: remote.app });
    ({ owner, organizationId } = await signInOwner(app));
    await remote.connect(app, organizationId, owner);
  });
  after(async () => {
    await app.close();
    await remote.close();
  });
  afterEach(async () => {
    remote.restart();
    for (const table of [sql`content_items`, sql`content_unique_values`])
      await sql`delete from ${table}`.execute(remote.owner);
    for (const table of [sql`content_import_rejections`, sql`content_imports`, sql`jobs`])
      await sql`delete from ${table}`.execute(app.owner);
  });

  function formOf(
    { collection = 'contacts', mapping, new_fields, ...settings }: Settings,
    file: string,
  ): FormData {
    const form = new FormData();
    form.set('collection', collection);
    form.set('mapping', JSON.stringify(mapping));
    if (new_fields !== undefined) form.set('new_fields', JSON.stringify(new_fields));
    for (const [name, value] of Object.entries(settings)) form.set(name, value);
    form.set('file', new Blob([file]), 'people.csv');
    return form;
  }
  const path = () => `/api/content/${organizationId}/imports`;
  const upload = (settings: Settings, file: string) =>
    owner.request<ContentImport>('POST', path(), formOf(settings, file));
  const uploadInVain = (settings: Settings, file: string) =>
    owner.request('POST', path(), formOf(settings, file));
  const work = () => {
    const { db, outbound, secrets } = app.services;
    const log = createLog('silent');
    return runJobs(app, app.owner, [handleDirectusImports({ db, log, outbound, secrets })]);
  };
  const get = async (id: string) =>
    await owner.ok<ContentImport>('GET', `/api/content/${organizationId}/imports/${id}`);
  const start = (id: string) => owner.request('POST', `/api/content/${organizationId}/imports/${id}/start`);
  /** @returns the values of the remote items, by address */
  const stored = async (collection = 'contacts') =>
    (
      await remote.owner
        .selectFrom('content_items')
        .select('data')
        .where('organization_id', '=', remote.organizationId)
        .where('collection', '=', collection)
        .$castTo<{ data: Record<string, unknown> }>()
        .execute()
    )
      .map(({ data }) => data)
      .toSorted((a, b) => (String(a['email']) < String(b['email']) ? -1 : 1));
  const addThere = async (items: object[]) => {
    const response = await fetch(`${remote.endpoint}/items/contacts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${remote.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(items),
    });
    assert.equal(response.status, 200, await response.text());
  };
  const countsOf = (entry: ContentImport) => [
    entry.status,
    entry.created_count,
    entry.updated_count,
    entry.unchanged_count,
    entry.merged_count,
    entry.rejected_count,
  ];
  const people = (count: number) =>
    ['Email,Name', ...Array.from({ length: count }, (_, n) => `p${n}@x.example,Person ${n}`), ''].join('\n');
  const byName = { mapping: { Email: 'email', Name: 'first_name' } };

  test('an import is checked before contacts change by address', async () => {
    await addThere([
      { email: 'ada@x.example', first_name: 'Ada', vip: true, unsubscribed: true },
      { email: 'ben@x.example', first_name: 'Ben' },
      { email: 'Cem@x.example', first_name: 'Cem' },
    ]);
    const unchanged = await stored();
    const file = [
      'Email,Name,Out,Since',
      'ada@x.example,Ada L.,no,', // Changed; the opt-out stays.
      'ben@x.example,Ben,,', // The same.
      'new@x.example,First,,', // New.
      'new@x.example,Second,,', // The same person.
      'CEM@x.example,Other,,', // There the two addresses are one.
      'nobody,Nobody,,',
    ].join('\n');
    const mapping = { Email: 'email', Name: 'first_name', Out: 'unsubscribed' };
    const { status, body } = await upload({ mapping, check: 'true' }, file);
    assert.equal(status, 202, JSON.stringify(body));
    await work();
    assert.deepEqual(countsOf(await get(body.id)), ['checked', 2, 1, 1, 1, 1]);
    assert.deepEqual(await stored(), unchanged);

    assert.equal((await start(body.id)).status, 200);
    await work();
    const ended = await get(body.id);
    assert.deepEqual(countsOf(ended), ['completed', 1, 1, 1, 1, 2]);
    assert.deepEqual(
      ended.rejected.map(({ line, field, error }) => [line, field, error.code]),
      [
        [6, 'email', 'not_unique'],
        [7, 'email', 'not_an_address'],
      ],
    );
    const now = await stored();
    assert.deepEqual(
      now.map(({ email, first_name, unsubscribed }) => [email, first_name, unsubscribed]),
      [
        ['Cem@x.example', 'Cem', false],
        ['ada@x.example', 'Ada L.', true],
        ['ben@x.example', 'Ben', false],
        ['new@x.example', 'Second', false],
      ],
    );
    assert.equal(now[1]?.['vip'], true, 'what the file does not have stays');
    const again = await upload({ mapping }, file);
    await work();
    assert.deepEqual(countsOf(await get(again.body.id)), ['completed', 0, 1, 2, 1, 2]);
  });

  test('an import resumes after lost responses without duplicates', async () => {
    const { body } = await upload(byName, people(1_150));
    let isLost = false;
    remote.onDone = async ({ method }) => {
      if (method !== 'POST') return true;
      const { length } = await stored();
      if (length === 800) remote.isUp = false;
      // The second hundred was stored, but the response is lost.
      const isFirstLoss = length === 200 && !isLost;
      if (isFirstLoss) isLost = true;
      return remote.isUp && !isFirstLoss;
    };
    await work();
    const waiting = await get(body.id);
    assert.deepEqual(
      [waiting.status, waiting.created_count, waiting.error?.code],
      ['running', 500, 'backend_waiting'],
    );
    assert.equal((await stored()).length, 800);
    remote.restart();
    const reasons: (string | undefined)[] = [];
    remote.onPage = async () => void reasons.push((await get(body.id)).error?.code);
    await work();
    assert.equal(reasons[0], 'backend_waiting', 'told until there is progress');
    assert.equal(reasons.at(-1), undefined);
    const ended = await get(body.id);
    assert.deepEqual(countsOf(ended), ['completed', 1_150, 0, 0, 0, 0]);
    assert.equal(ended.error, null);
    const emails = (await stored()).map(({ email }) => email);
    assert.deepEqual([emails.length, new Set(emails).size], [1_150, 1_150]);
  });

  test('rows without a key are added once per import', async () => {
    const { status, body } = await upload(
      { collection: 'newsletters', mapping: { Title: 'title' }, key_field: '' },
      ['Title', 'One', 'One', 'Two'].join('\n'),
    );
    assert.equal(status, 202, JSON.stringify(body));
    let posts = 0;
    remote.onDone = ({ method }) => {
      posts += Number(method === 'POST');
      // Stored, but the worker gets no response until it has given up.
      remote.isUp = posts === 0;
      return remote.isUp;
    };
    await work();
    assert.equal((await get(body.id)).error?.code, 'backend_waiting');
    assert.equal((await stored('newsletters')).length, 3);
    remote.restart();
    await work();
    assert.deepEqual(countsOf(await get(body.id)), ['completed', 3, 0, 0, 0, 0]);
    assert.equal((await stored('newsletters')).length, 3);
  });

  test('unsuitable backends reject an import', async () => {
    const pathOf = ({ body }: { body: Problem }) => body.errors?.[0]?.path;
    const newField = { field: 'town', label: 'Town', type: 'string' };
    const mapping = { Email: 'email', Town: 'town' };
    const added = await uploadInVain({ mapping, new_fields: [newField] }, 'Email,Town\n');
    assert.deepEqual([added.status, pathOf(added)], [422, 'new_fields']);
    const missing = await uploadInVain({ mapping }, 'Email,Town\n');
    assert.deepEqual([missing.status, pathOf(missing)], [422, 'mapping']);
    for (const collection of ['nothing', 'reachout_brands']) {
      const nowhere = await uploadInVain({ ...byName, collection }, people(1));
      assert.deepEqual([nowhere.status, pathOf(nowhere)], [422, 'collection'], collection);
    }
    remote.isUp = false;
    const away = await uploadInVain(byName, people(1));
    assert.deepEqual([away.status, away.body.code], [424, 'backend_failed']);
    assert.deepEqual(await listRows(app.owner, 'content_imports', ['id'], {}), []);
  });

  test('a failed import stores its reason', async () => {
    const { body: first } = await upload({ ...byName, check: 'true' }, people(2));
    const { body: second } = await upload(byName, people(2));
    const settings = `/api/organizations/${organizationId}/content_backend`;
    const access_token = await remote.makeToken(['content:read']);
    await owner.ok('PUT', settings, { endpoint: remote.endpoint, access_token });
    await work();
    for (const { id } of [first, second]) {
      const { status, error } = await get(id);
      assert.deepEqual([status, error?.code], ['failed', 'no_write_access']);
    }
    await remote.connect(app, organizationId, owner);
    const { body: checked } = await upload({ ...byName, check: 'true' }, people(2));
    await work();
    const { body: queued } = await upload(byName, people(2));
    await owner.ok('DELETE', settings);
    const started = await start(checked.id);
    assert.deepEqual([started.status, started.body.code], [424, 'backend_failed']);
    await work();
    const { status, error_content } = await get(queued.id);
    assert.equal(status, 'failed');
    assert.match(error_content ?? '', /is another one by now/);
    assert.deepEqual(await stored(), []);
    await remote.connect(app, organizationId, owner);
  });
});
