import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Collection } from '@reachout/contract/content.ts';
import type { ContentImport, ImportDetails } from '@reachout/contract/content-imports.ts';
import { execute, firstRowOf } from '../../platform/database/database.ts';
import type { Problem } from '../../platform/http/problem.ts';
import { useTestApp, type Person } from '../../testing/app.ts';
import { signInWithRules } from '../../testing/sign-in-with-rules.ts';
import { listRows } from '../../testing/rows.ts';
import { createOrganization } from '../../testing/create-organization.ts';
import { runJobs } from '../../testing/job-worker.ts';
import { useWorld } from '../../testing/world.ts';
import { handleImports } from './import-jobs.ts';

interface Part {
  name: string;
  value: string | Buffer<ArrayBuffer>;
  fileName?: string;
}

suite('CSV uploads', () => {
  const app = useTestApp();
  const { owner, organizationId, base } = useWorld(app);

  const settings: Part[] = [
    { name: 'collection', value: 'contacts' },
    { name: 'mapping', value: JSON.stringify({ Email: 'email', Name: 'first_name' }) },
  ];
  const file = (value: string | Buffer<ArrayBuffer>): Part => ({
    name: 'file',
    value,
    fileName: 'people.csv',
  });

  const upload = (parts: Part[], as: Person | undefined = owner, path = organizationId) => {
    const form = new FormData();
    for (const { name, value, fileName } of parts) {
      if (fileName === undefined) form.append(name, String(value));
      else form.append(name, new Blob([value], { type: 'text/csv' }), fileName);
    }
    return app.request<ContentImport & Omit<Problem, 'status'>>('POST', `/api/content/${path}/imports`, {
      as,
      body: form,
    });
  };
  const work = () => runJobs(app, app.owner, [handleImports(app.services)]);
  const countParts = () => firstRowOf<{ parts: number; imports: number }>(app.owner)`
      select (select count(*) from content_import_parts) as parts,
        (select count(*) from content_imports where status = 'uploading') as imports
    `;

  test('an upload needs the ability and a same-origin request', async () => {
    const parts = [...settings, file('Email,Name\n')];
    assert.equal((await upload(parts, { ...owner, headers: {} })).status, 401);
    const stranger = await app.signIn();
    const foreign = await upload(parts, stranger);
    assert.deepEqual([foreign.status, foreign.body.code], [404, 'not_found']);
    assert.deepEqual((await upload(parts, owner, 'x')).body, foreign.body);
    assert.deepEqual((await upload(parts, owner, '01900000-0000-7000-8000-000000000000')).body, foreign.body);
    const analyst = await app.signInMember(organizationId, 'analyst');
    const forbidden = await upload(parts, analyst);
    assert.deepEqual([forbidden.status, forbidden.body.code], [403, 'forbidden']);
    assert.match(String(forbidden.headers['content-type']), /problem\+json/);
    const elsewhere = { ...owner, headers: { ...owner.headers, origin: 'https://evil.example' } };
    assert.equal((await upload(parts, elsewhere)).status, 403);
    assert.deepEqual(await countParts(), { parts: 0, imports: 0 });
  });

  test('rejected rows can be downloaded with localized reasons', async () => {
    const content = Buffer.from('Größe;Email;Geprüft\r\nä;anna@a.example;vielleicht\r\n', 'latin1');
    const answer = await upload([
      { name: 'collection', value: 'contacts' },
      { name: 'mapping', value: JSON.stringify({ Geprüft: 'vip', Email: 'email' }) },
      { name: 'separator', value: ';' },
      { name: 'encoding', value: 'windows-1252' },
      { name: 'reject_fields', value: '["vip"]' },
      file(content),
    ]);
    await work();
    const response = await app.app.inject({
      method: 'GET',
      url: `${base}/imports/${answer.body.id}/rejected?language=de`,
      headers: owner.headers,
    });
    assert.equal(
      new TextDecoder('windows-1252').decode(response.rawPayload),
      'Größe;Email;Geprüft;Zeile;Spalte;Grund\r\n' +
        'ä;anna@a.example;vielleicht;2;Geprüft;Verwenden Sie eines dieser Wörter: true, 1, yes, y, wahr, ja, x, false, 0, no, n, falsch, nein.\r\n',
    );
    assert.match(String(response.headers['content-type']), /windows-1252/);
    await execute(app.owner)`delete from content_imports`;
    await execute(app.owner)`delete from audit_log where organization_id = ${organizationId}`;
  });

  test('an upload is stored, processed and reported', async () => {
    const answer = await upload([
      ...settings,
      {
        ...file('Email,Name\nanna@a.example,Anna\nbroken,=cmd()\n"x\ny@z.example","+1 ""a"""\n'),
        // Without cleaning, the second half would be displayed from right to left.
        fileName: 'peo\u202eple.csv',
      },
    ]);
    assert.equal(answer.status, 202);
    assert.deepEqual([answer.body.status, answer.body.file_name], ['queued', 'people.csv']);
    await work();
    const path = `${base}/imports`;
    const body = await owner.ok<ImportDetails>('GET', `${path}/${answer.body.id}`);
    assert.deepEqual([body.status, body.created_count, body.rejected_count], ['completed', 1, 2]);
    const list = await owner.request<{ data: ContentImport[] }>('GET', path);
    const { reasons: _reasons, ...listed } = body;
    assert.deepEqual(list.body.data, [listed]);

    // CSV-2: cells that a spreadsheet would interpret as formulas are escaped as text.
    const rejected = await owner.request<string>('GET', `${path}/${body.id}/rejected`);
    assert.equal(rejected.status, 200);
    assert.match(String(rejected.headers['content-disposition']), /^attachment/);
    assert.match(
      String(rejected.headers['content-disposition']),
      /people%20%E2%80%93%20rejected%20rows\.csv$/,
    );
    assert.equal(
      rejected.body,
      '\u{feff}Email,Name,Line,Column,Reason\r\n' +
        "broken,'=cmd(),3,Email,This is not an email address.\r\n" +
        '"x\ny@z.example","\'+1 ""a""",4,Email,This is not an email address.\r\n',
    );
    const stranger = await app.signIn();
    assert.equal((await stranger.request('GET', `${path}/${body.id}/rejected`)).status, 404);
    assert.equal((await owner.request('GET', `${path}/x/rejected`)).status, 404);

    // AUD-1: uploads and downloads are logged, rejected ones are not.
    const entries = await app.owner
      .selectFrom('audit_log')
      .select(['action', 'user_id', 'record_id', 'record_name', 'ip_address'])
      .where('organization_id', '=', organizationId)
      .where('action', 'like', 'content.%')
      .orderBy('at')
      .execute();
    const common = {
      user_id: owner.userId,
      record_id: body.id,
      record_name: 'people.csv',
      ip_address: '127.0.0.1',
    };
    assert.deepEqual(entries, [
      { action: 'content.import', ...common },
      { action: 'content.exportRejected', ...common },
    ]);
  });

  test('imports of organizations are interleaved round robin (JOB-3)', async () => {
    const other = await app.signIn();
    const parts = [...settings, file('Email,Name\nanna@a.example,Anna\n')];
    const statuses: number[] = [];
    for (let count = 0; count < 22; count += 1) statuses.push((await upload(parts)).status);
    assert.deepEqual(statuses, [...Array.from({ length: 20 }, () => 202), 429, 429]);
    const late = await upload(parts, other, await createOrganization(app, other, 'Other'));
    assert.equal(late.status, 202);
    await work();
    const ended = await app.owner
      .selectFrom('content_imports')
      .select('id')
      .where('status', '=', 'completed')
      .orderBy('end_date', 'desc')
      .limit(21)
      .execute();
    assert.ok(ended.toReversed().findIndex(({ id }) => id === late.body.id) <= 1);
    assert.equal((await upload(parts)).status, 202);
    await work();
  });

  test('an import for a client creates one list of its contacts', async () => {
    const client = await owner.ok<{ id: string }>('POST', '/api/clients', {
      organization_id: organizationId,
      name: 'Nordwind Outdoor',
    });
    const parts = [
      { name: 'client_id', value: client.id },
      settings[1]!,
      file('Email,Name\nanna@a.example,Anna\n'),
    ];
    // What is rejected leaves no list behind.
    const unmapped = await upload([parts[0]!, { name: 'mapping', value: '{"Email":"nope"}' }, parts[2]!]);
    assert.equal(unmapped.status, 422);
    const both = await Promise.all([upload(parts), upload(parts)]);
    assert.deepEqual(
      both.map(({ status, body }) => [status, body.collection]),
      [
        [202, 'contacts_nordwind_outdoor'],
        [202, 'contacts_nordwind_outdoor'],
      ],
    );
    await work();
    const path = `${base}/collections`;
    const body = await owner.ok<{ data: Collection[] }>('GET', path);
    assert.deepEqual(
      body.data
        .filter(({ has_contacts }) => has_contacts)
        .map(({ label, client_id, brand_id, item_count }) => [label, client_id, brand_id, item_count]),
      [
        [null, null, null, 1],
        ['Nordwind Outdoor', client.id, null, 1],
      ],
    );
    assert.deepEqual(
      await listRows(app.owner, 'audit_log', ['record_name'], { action: 'content.createCollection' }),
      [{ record_name: 'Nordwind Outdoor' }],
    );
  });

  test('an import for a client stays within the access scope', async () => {
    const [own, other] = await Promise.all(
      ['North', 'South'].map(async (name) => {
        const body = { organization_id: organizationId, name };
        return (await owner.ok<{ id: string }>('POST', '/api/clients', body)).id;
      }),
    );
    const conditions = { client_id: { $in: '${client_ids}' } };
    const limited = await signInWithRules(
      app,
      organizationId,
      ['create', 'read', 'update'].map((action) => ({ action, subject: 'Content', conditions })),
      [own!],
    );
    const parts = (client: string) => [
      { name: 'client_id', value: client },
      settings[1]!,
      file('Email,Name\nanna@a.example,Anna\n'),
    ];
    const foreign = await upload(parts(other!), limited);
    assert.deepEqual([foreign.status, foreign.body.errors?.[0]?.path], [422, 'client_id']);
    const made = await upload(parts(own!), limited);
    assert.deepEqual([made.status, made.body.collection], [202, 'contacts_north']);
    // Nobody else sees a list of the client, and nobody gets a second one.
    assert.equal((await upload(parts(own!))).body.collection, 'contacts_north');
    await work();
  });

  /** @param changes  of the settings; undefined leaves one out */
  const withSettings = (changes: Record<string, string | object | undefined>): Part[] => {
    const given = { collection: 'contacts', mapping: { Email: 'email', Name: 'first_name' }, ...changes };
    const parts = Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, value: typeof value === 'string' ? value : JSON.stringify(value) }],
    );
    return [...parts, file('a')];
  };
  const refused: [what: string, parts: Part[], path: string][] = [
    ['no file', settings, 'file'],
    ['a file before its settings', [file('Email\n'), ...settings], 'mapping'],
    ['an empty file', [...settings, file('')], 'file'],
    ['an unknown setting', withSettings({ organization_id: 'x' }), 'organization_id'],
    ['a mapping that is no JSON', withSettings({ mapping: '{' }), 'mapping'],
    ['a heading that cannot be stored (INP-2)', withSettings({ mapping: { 'e\0': 'email' } }), 'mapping.e\0'],
    ['a separator that is none', withSettings({ separator: 'x' }), 'separator'],
    ['a file under another name', [...settings, { ...file('a'), name: 'upload' }], 'upload'],
    ['both a collection and a client', withSettings({ client_id: organizationId }), 'collection'],
    ['neither a collection nor a client', withSettings({ collection: undefined }), 'collection'],
    ['an unknown client', withSettings({ collection: undefined, client_id: organizationId }), 'client_id'],
    ['an unknown collection', withSettings({ collection: 'nope' }), 'collection'],
    ["the platform's own collection", withSettings({ collection: 'reachout_templates' }), 'collection'],
    ['an unknown field', withSettings({ mapping: { email: 'email', x: 'nope' } }), 'mapping'],
    ['two columns into one field', withSettings({ mapping: { email: 'email', b: 'email' } }), 'mapping'],
    ['a key that is not unique', withSettings({ key_field: 'first_name' }), 'key_field'],
    ['a key that no column goes into', withSettings({ mapping: { n: 'first_name' } }), 'mapping'],
  ];
  for (const [what, parts, path] of refused) {
    test(`an upload with ${what} is rejected`, async () => {
      const answer = await upload(parts);
      assert.equal(answer.status, 422, JSON.stringify(answer.body));
      assert.equal(answer.body.errors?.[0]?.path, path);
      assert.deepEqual(await countParts(), { parts: 0, imports: 0 });
    });
  }

  test('an upload has at most 50 MB', async () => {
    const tooLarge = await upload([...settings, file(Buffer.alloc(50_000_001, 'x'))]);
    assert.deepEqual([tooLarge.status, tooLarge.body.code], [413, 'too_large']);
    assert.deepEqual(await countParts(), { parts: 0, imports: 0 });
    const largest = await upload([...settings, file(Buffer.alloc(50_000_000, 'x'))]);
    assert.deepEqual([largest.status, largest.body.bytes_total], [202, 50_000_000]);
    await work();
    const path = `${base}/imports/${largest.body.id}`;
    const body = await owner.ok<ContentImport>('GET', path);
    assert.match(body.error_content ?? '', /longer than 1 MB/);
    assert.deepEqual(await countParts(), { parts: 0, imports: 0 });
  });

  test('an upload must be multipart/form-data', async () => {
    const path = `${base}/imports`;
    const json = await owner.request('POST', path, { collection: 'contacts' });
    assert.deepEqual([json.status, json.body.code], [415, 'unsupported_media_type']);
    const compressed = await app.request('POST', path, {
      as: owner,
      body: 'compressed',
      headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-encoding': 'gzip' },
    });
    assert.deepEqual([compressed.status, compressed.body.code], [415, 'unsupported_media_type']);
    assert.equal(compressed.headers['accept-encoding'], 'identity');
    const start =
      '--b\r\ncontent-disposition: form-data; name="file"; filename="people.csv"\r\n\r\nEmail,Name\n';
    const fields = settings.map(
      ({ name, value }) =>
        `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
    );
    for (const [type, payload] of [
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=b', 'x'],
      [`multipart/form-data; boundary=${'b'.repeat(300)}`, 'x'],
      ['multipart/form-data; boundary=b', `${fields.join('')}${start}`],
    ] as const) {
      const response = await app.app.inject({
        method: 'POST',
        url: path,
        headers: { ...owner.headers, 'content-type': type },
        payload,
      });
      assert.equal(response.statusCode, 400, `${type} ${payload} ${response.body}`);
      assert.equal(response.json<Problem>().code, 'bad_request');
    }
    assert.deepEqual(await countParts(), { parts: 0, imports: 0 });
  });
});
