import { internalOrigin } from '../../identity/access/caller.ts';
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { Client } from 'pg';
import { ImportSettings, type ContentImport } from '@reachout/contract/content-imports.ts';
import { findQuota, setQuota } from '../../identity/organizations/quotas.ts';
import { execute, rowsOf } from '../../platform/database/database.ts';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import { newId } from '../../platform/ids.ts';
import { recordProgress } from '../../platform/jobs/enqueue-job.ts';
import type { Job, JobHandler } from '../../platform/jobs/job-kind.ts';
import { createLog } from '../../platform/log.ts';
import { buildBrand, buildUser } from '../../sample/records.ts';
import { useContentFixture } from '../../testing/content-fixture.ts';
import { runJobs, startJobWorker } from '../../testing/job-worker.ts';
import { insertRows } from '../../sample/rows.ts';
import { listRows, updateRows } from '../../testing/rows.ts';
import { testSecrets } from '../../testing/test-secrets.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { waitUntilSomebodyWaits } from '../../testing/wait-for-lock.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { parseAudience } from '../audiences/audience.ts';
import { countAudience } from '../audiences/count-audience.ts';
import { getImport } from './imports.ts';
import { insertCollections } from '../../content/built-in/collections.queries.ts';
import { receiveImport } from './receive-import.ts';
import { handleImportFiles, handleImports } from './import-jobs.ts';
import { dropImport, startCheckedImport } from './start-import.ts';

suite('CSV import', () => {
  const fixture = useContentFixture();
  let userId: string;
  const log = createLog('silent');

  before(async () => {
    userId = (await buildUser(fixture.owner)).id;
    await fixture.inTenant((trx) =>
      insertCollections(trx, fixture.organizationId, [
        {
          collection: 'things',
          hidden: false,
          fields: [
            { name: 'code', type: 'string', unique: true },
            { name: 'size', type: 'integer' },
            { name: 'day', type: 'date' },
            { name: 'good', type: 'boolean', defaultValue: true },
            { name: 'tags', type: 'csv' },
            { name: 'extra', type: 'json' },
            { name: 'second_code', type: 'string', unique: true },
          ],
        },
      ]),
    );
  });
  afterEach(async () => {
    await clean();
    for (const table of ['content_import_rejections', 'content_imports', 'jobs'])
      await sql`delete from ${sql.table(table)}`.execute(fixture.owner);
  });

  const clean = async () => {
    for (const table of ['content_items', 'content_unique_values'])
      await sql`delete from ${sql.table(table)}`.execute(fixture.owner);
  };

  const contacts = {
    collection: 'contacts',
    mapping: { email: 'email', name: 'first_name', out: 'unsubscribed' },
  };
  const upload = (content: string | Buffer | Iterable<Buffer>, settings: object = contacts) =>
    receiveImport(
      { db: fixture.db, log },
      {
        userId,
        apiKey: undefined,
        organizationId: fixture.organizationId,
        accessScope: undefined,
        origin: internalOrigin,
        settings: ImportSettings.parse(settings),
        fileName: 'people.csv',
        file: Readable.from(
          typeof content === 'string' || Buffer.isBuffer(content) ? [Buffer.from(content)] : content,
        ),
        isTruncated: () => false,
      },
    );
  /** @param signal  replaces the worker's own signal */
  const work = async (signal?: AbortSignal) => {
    const handler = handleImports({ db: fixture.db, log, secrets: testSecrets });
    if (signal === undefined) return await runJobs(fixture.database, fixture.owner, [handler]);
    const interrupted = Promise.withResolvers<void>();
    const run: JobHandler['run'] = (row) => handler.run(row, signal).catch(fail);
    const fail = (error: unknown) => {
      interrupted.resolve();
      throw error;
    };
    await runJobs(fixture.database, fixture.owner, [{ ...handler, run }], interrupted.promise);
  };
  const find = (id: string) => fixture.inTenant((trx) => getImport(trx, fixture.organizationId, id));
  const run = async (
    content: string | Buffer | Iterable<Buffer>,
    settings?: object,
  ): Promise<ContentImport> => {
    const { id } = await upload(content, settings);
    await work();
    return await find(id);
  };
  const countsOf = (entry: ContentImport) => ({
    status: entry.status,
    rows: entry.rows_done,
    created: entry.created_count,
    updated: entry.updated_count,
    unchanged: entry.unchanged_count,
    merged: entry.merged_count,
    rejected: entry.rejected_count,
  });
  const completed = (counts: Partial<ReturnType<typeof countsOf>>) => ({
    status: 'completed',
    rows: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    merged: 0,
    rejected: 0,
    ...counts,
  });
  const items = (collection = 'contacts', field = 'email') =>
    fixture.withBackend((backend) => backend.findItems(collection, { sort: [field], limit: 500, offset: 0 }));
  const countRows = async (
    table: 'content_import_parts' | 'content_import_rejections' | 'content_items' | 'content_unique_values',
  ) => {
    const rows = await rowsOf<{ count: number }>(fixture.owner)`
      select count(*) as count from ${sql.table(table)}`;
    return rows[0]?.count;
  };

  test('an import brings nobody back into a topic', async () => {
    const of = { organization_id: fixture.organizationId };
    const brand = await buildBrand(fixture.owner, of);
    const ids = { brand_id: brand.id, topic_id: newId() };
    await insertRows(fixture.owner, 'topics', {
      ...of,
      id: ids.topic_id,
      brand_id: ids.brand_id,
      name: 'News',
      is_default: true,
      position: 1,
    });
    await insertRows(fixture.owner, 'choices', {
      kind: 'topic',
      ...of,
      ...ids,
      address_key: 'ada@x.example',
      value: 'not_subscribed',
      source: 'preferences',
    });
    await run('email,name,out\nAda@X.example,Ada,no\nbob@x.example,Bob,no\n');
    const fields = [
      { name: 'email', type: 'string', unique: true },
      { name: 'unsubscribed', type: 'boolean', unique: false },
    ] as const;
    const audience = parseAudience(
      {
        collection: 'contacts',
        rule: {},
        field_mapping: { email: 'email', unsubscribed: 'unsubscribed' },
        brandId: ids.brand_id,
        topicId: ids.topic_id,
      },
      fields,
    );
    const { breakdown } = await fixture.inTenant((trx) =>
      countAudience(trx, fixture.organizationId, audience),
    );
    assert.deepEqual([breakdown.will_receive, breakdown.excluded.not_subscribed], [1, 1]);
  });

  test('people who said no are imported as unsubscribed', async () => {
    const text =
      'email,news\nanna@a.example,ja\nbob@b.example,nein\ncleo@c.example,\ndora@d.example,vielleicht\nemmy@e.example,opt-out\n';
    const read = async (consent: object) => {
      await clean();
      await execute(fixture.owner)`delete from choices where kind = 'suppression'`;
      const entry = await run(text, {
        collection: 'contacts',
        mapping: { email: 'email', news: 'unsubscribed' },
        consent,
      });
      const found = await items();
      const rows = await rowsOf<{ address_key: string }>(fixture.owner)`
        select address_key from choices where kind = 'suppression' and brand_id is null order by 1`;
      return {
        unsubscribed: Object.fromEntries(
          found.map(({ email, unsubscribed }) => [(email as string).slice(0, 1), unsubscribed]),
        ),
        suppressed: rows.map(({ address_key }) => address_key.slice(0, 1)),
        rejected: entry.rejected.map(({ line, field, error }) => [line, field, error.code]),
        leftOut: entry.left_out.map(({ line, error }) => [line, error.code]),
      };
    };
    const decided = { a: false, b: true, e: true };
    const unclear = [
      [4, 'consent_missing'],
      [5, 'no_consent_answer'],
    ];
    assert.deepEqual(await read({ yes_means: 'subscribed' }), {
      unsubscribed: decided,
      suppressed: ['b', 'e'],
      rejected: unclear.map(([line, code]) => [line, 'unsubscribed', code]),
      leftOut: [],
    });
    assert.deepEqual(await read({ yes_means: 'subscribed', unclear: 'unsubscribe' }), {
      unsubscribed: { ...decided, c: true, d: true },
      suppressed: ['b', 'c', 'd', 'e'],
      rejected: [],
      leftOut: [],
    });
    assert.deepEqual(await read({ yes_means: 'subscribed', unclear: 'leave_out' }), {
      unsubscribed: { ...decided, c: false, d: false },
      suppressed: ['b', 'e'],
      rejected: [],
      leftOut: unclear,
    });
    // An empty cell says nothing where “yes” means unsubscribed.
    assert.deepEqual(await read({ yes_means: 'unsubscribed' }), {
      unsubscribed: { a: true, b: false, c: false, e: true },
      suppressed: ['a', 'e'],
      rejected: [[5, 'unsubscribed', 'no_consent_answer']],
      leftOut: [],
    });
    await execute(fixture.owner)`delete from choices where kind = 'suppression'`;
  });

  test('a contact who said no in the words of a file is never mailable', async () => {
    const files: [heading: string, mailable: string[], others: string[]][] = [
      [
        'Unsubscribed',
        ['', 'no', 'FALSE', '0', 'subscribed'],
        [
          'unsubscribed',
          'Cleaned',
          'opted out',
          'opt-out',
          'Abgemeldet',
          'x',
          'ja',
          'pending',
          'NULL',
          '?',
          '-',
        ],
      ],
      ['Unsubscribed at', [''], ['2024-05-01', '01.05.2024', '2024-05-01 10:00:00', '1714521600', 'gestern']],
      ['Newsletter', ['ja', '1', 'x'], ['nein', '0', 'no', 'off', '', 'maybe', 'abgemeldet', '2024-05-01']],
      ['Status', ['subscribed'], ['bounced', 'complained', 'unconfirmed', 'non-subscribed', 'nein', '0', '']],
      ['Double-Opt-In', ['confirmed'], ['pending', 'nicht best\u00e4tigt', 'nein', 'abgemeldet&nbsp;', '']],
    ];
    const settings = (heading: string) => ({
      collection: 'contacts',
      mapping: { email: 'email', [heading]: 'unsubscribed' },
    });
    for (const [heading, mailable, others] of files)
      for (const format of ['csv', 'json']) {
        await clean();
        const rows = [...mailable.map((cell) => ['yes', cell]), ...others.map((cell) => ['no', cell])].map(
          ([who, cell], index) => ({ email: `${who}${index}@x.example`, [heading]: cell }),
        );
        const text =
          format === 'json'
            ? JSON.stringify(rows)
            : ['email,' + heading, ...rows.map((row) => `${row.email},"${row[heading]}"`)].join('\n');
        const entry = await run(text, { ...settings(heading), format });
        const found = await items();
        const reached = found.filter(({ unsubscribed }) => unsubscribed !== true);
        assert.deepEqual(
          reached.map(({ email }) => (email as string).replace(/\d+@.*/, '')),
          mailable.map(() => 'yes'),
          `${heading}, ${format}: ${JSON.stringify(reached)}`,
        );
        assert.equal(found.length + entry.rejected_count, rows.length);
        assert.equal(entry.left_out_count, 0);
      }
    // The words of other states are an opt-out even for a user who imports the unclear ones.
    await clean();
    await run('email,news\nada@x.example,pending\n', {
      ...settings('news'),
      consent: { yes_means: 'subscribed', unclear: 'leave_out' },
    });
    assertColumn(await items(), 'unsubscribed', [true]);
    await execute(fixture.owner)`delete from choices where kind = 'suppression'`;
  });

  test('a value by which an audience selects is never left out', async () => {
    await clean();
    const fields = [
      ...['tracking_consent', 'do_not_contact', 'measured', 'quiet', 'other'].map(
        (field) => ({ field, type: 'boolean' }) as const,
      ),
      { field: 'left_on', type: 'date' } as const,
    ];
    await insertRows(
      fixture.owner,
      'content_fields',
      fields.map((field, index) => ({
        ...field,
        organization_id: fixture.organizationId,
        collection: 'contacts',
        sort: 50 + index,
      })),
    );
    await insertRows(fixture.owner, 'filters', {
      organization_id: fixture.organizationId,
      id: newId(),
      name: 'Reachable',
      collection: 'contacts',
      rule: JSON.stringify({
        _and: [
          { _or: [{ quiet: { _eq: false } }, { quiet: { _null: true } }] },
          { left_on: { _null: true } },
        ],
      }),
      field_mapping: JSON.stringify({
        email: 'email',
        unsubscribed: 'unsubscribed',
        tracking_consent: 'measured',
      }),
    });
    const read = async (field: string, cells: string[]) => {
      await clean();
      const entry = await run(
        ['email,value', ...cells.map((cell, index) => `p${index}@x.example,${cell}`)].join('\n'),
        { collection: 'contacts', mapping: { email: 'email', value: field } },
      );
      assert.equal(entry.status, 'completed', JSON.stringify(entry.error));
      const byAddress = new Map((await items()).map((item) => [item['email'], item[field]]));
      return cells.map((_cell, index) => {
        const email = `p${index}@x.example`;
        return byAddress.has(email) ? byAddress.get(email) : 'rejected';
      });
    };
    const rejected = 'rejected';
    assert.deepEqual(await read('tracking_consent', ['ja', 'abgelehnt', 'pending', 'vielleicht', '']), [
      true,
      false,
      false,
      rejected,
      null,
    ]);
    assert.deepEqual(await read('measured', ['granted', 'opted out', '2024-05-01']), [true, false, rejected]);
    assert.deepEqual(await read('do_not_contact', ['nein', 'opted out', '2024-05-01', 'bitte nicht']), [
      false,
      true,
      true,
      rejected,
    ]);
    assert.deepEqual(await read('quiet', ['yes', 'opted out']), [true, rejected]);
    assert.deepEqual(await read('left_on', ['2024-05-01', 'gestern']), ['2024-05-01', rejected]);
    assert.deepEqual(await read('other', ['yes', 'perhaps']), [true, null]);
    await execute(fixture.owner)`delete from filters`;
    await execute(fixture.owner)`delete from content_fields where field = any (${[...fields, 'left_on']})`;
  });

  test('a consent in a file never reverts an opt-out', async () => {
    const settings = {
      collection: 'contacts',
      mapping: { email: 'email', news: 'unsubscribed' },
      consent: { yes_means: 'subscribed' },
    };
    await run('email,news\nanna@a.example,no\n', settings);
    const again = await run('email,news\nanna@a.example,yes\n', settings);
    assert.equal(again.unchanged_count, 1);
    assertColumn(await items(), 'unsubscribed', [true]);
    const boolean = { ...settings, mapping: { email: 'email', news: 'vip' } };
    await assert.rejects(upload('email,news\n', boolean), { code: 'invalid_input' });
    await assert.rejects(upload('email,news\n', { ...settings, reject_fields: ['unsubscribed'] }), {
      code: 'invalid_input',
    });
    await execute(fixture.owner)`delete from choices where kind = 'suppression'`;
  });

  test('rejected rows are grouped by reason with their values', async () => {
    const bad = Array.from({ length: 4 }, (_, index) => `nobody${index},1`);
    const entry = await run(
      [
        'email,birthday',
        ...bad,
        'bu\u015fra@a.example,',
        'anna@a.example,someday',
        'bob@b.example,31.02.2020',
      ].join('\n'),
      { collection: 'contacts', mapping: { email: 'email', birthday: 'birthday' } },
    );
    const { reasons } = await find(entry.id);
    assert.deepEqual(
      reasons.map(({ kind, field, error, count, examples }) => [kind, field, error, count, examples]),
      [
        [
          'rejected',
          'email',
          { code: 'not_an_address', values: {} },
          4,
          [
            { line: 2, value: 'nobody0' },
            { line: 3, value: 'nobody1' },
            { line: 4, value: 'nobody2' },
          ],
        ],
        ['left_out', 'birthday', { code: 'no_such_date', values: {} }, 1, [{ line: 8, value: '31.02.2020' }]],
        ['left_out', 'birthday', { code: 'not_a_date', values: {} }, 1, [{ line: 7, value: 'someday' }]],
        [
          'rejected',
          'email',
          { code: 'sign_in_address', values: { sign: '\u015f' } },
          1,
          [{ line: 6, value: 'bu\u015fra@a.example' }],
        ],
      ],
    );
  });

  test('an import creates, updates and counts unchanged rows', async () => {
    const first = await run('email,name,out\nanna@a.example,Anna,\nbob@b.example,Bob,yes\n');
    assert.deepEqual(countsOf(first), completed({ rows: 2, created: 2 }));
    assert.equal(first.bytes_done, first.bytes_total);
    const second = await run(
      'email,name\nANNA@a.example,Anna Maria\nbob@b.example,Bob\ncleo@c.example,Cleo\n',
      {
        ...contacts,
        mapping: { email: 'email', name: 'first_name' },
      },
    );
    assert.deepEqual(countsOf(second), completed({ rows: 3, created: 1, updated: 1, unchanged: 1 }));
    assert.deepEqual(
      (await items()).map(({ email, first_name, unsubscribed, vip }) => [
        email,
        first_name,
        unsubscribed,
        vip,
      ]),
      [
        ['ANNA@a.example', 'Anna Maria', false, false],
        ['bob@b.example', 'Bob', true, false],
        ['cleo@c.example', 'Cleo', false, false],
      ],
    );
    assert.equal(await countRows('content_import_parts'), 0);
  });

  test('an import never removes an unsubscription (CSV-1)', async () => {
    await run('email,name,out\nanna@a.example,Anna,yes\n');
    const lifting = 'email,name,out\nanna@a.example,Anna 2,no\nbob@b.example,Bob,yes\nbob@b.example,Bob,no\n';
    const entry = await run(`${lifting}anna@a.example,Anna 3,no\n`);
    assert.deepEqual([entry.created_count, entry.updated_count, entry.merged_count], [1, 1, 2]);
    assert.deepEqual(
      (await items()).map(({ first_name, unsubscribed }) => [first_name, unsubscribed]),
      [
        ['Anna 3', true],
        ['Bob', true],
      ],
    );
  });

  test('imported opt-outs store their address and import', async () => {
    await execute(fixture.owner)`delete from choices where kind = 'suppression'`;
    const { id } = await run('email,name,out\nAnna@a.example,Anna,yes\nbob@b.example,Bob,no\n');
    await run('email,name,out\nanna@a.example,Anna,yes\n');
    const suppressed = await listRows(
      fixture.owner,
      'choices',
      ['address_key', 'brand_id', 'value', 'import_id', 'created_by'],
      { kind: 'suppression' },
    );
    assert.deepEqual(suppressed, [
      {
        address_key: 'anna@a.example',
        brand_id: null,
        value: 'unsubscribe',
        import_id: id,
        created_by: userId,
      },
    ]);
  });

  test('what was refused follows contacts that an import gives a new address', async () => {
    await execute(fixture.owner)`delete from choices where kind = 'suppression'`;
    await fixture.inTenant((trx) =>
      insertCollections(trx, fixture.organizationId, [
        {
          collection: 'members',
          hidden: false,
          fields: [
            { name: 'code', type: 'string', unique: true },
            { name: 'email', type: 'string' },
            { name: 'unsubscribed', type: 'boolean' },
          ],
        },
      ]),
    );
    const settings = { collection: 'members', key_field: 'code', mapping: { code: 'code', email: 'email' } };
    await run('code,email\n1,Anna@a.example\n2,bob@b.example\n3,eve@c.example\n', settings);
    for (const address_key of ['anna@a.example', 'eve@c.example'])
      await insertRows(fixture.owner, 'choices', {
        kind: 'suppression',
        id: newId(),
        organization_id: fixture.organizationId,
        brand_id: null,
        address_key,
        value: 'complaint',
      });
    await run('code,email\n1,anna@new.example\n2,bob@new.example\n3,eve@c.example\n', settings);
    const rows = await listRows(fixture.owner, 'choices', ['address_key', 'value'], { kind: 'suppression' });
    assert.deepEqual(rows.map(({ address_key, value }) => `${address_key} ${value}`).toSorted(), [
      'anna@a.example complaint',
      'anna@new.example complaint',
      'eve@c.example complaint',
    ]);
    const marked = await rowsOf<{ code: string }>(fixture.owner)`
      select data ->> 'code' as code from content_items where data ->> 'unsubscribed' = 'true' order by 1
    `;
    assert.deepEqual(marked, [{ code: '1' }, { code: '3' }]);
  });

  test('contacts with a general opt-out are created unsubscribed', async () => {
    await execute(fixture.owner)`delete from choices where kind = 'suppression'`;
    await run('email,name,out\nAnna@a.example,Anna,yes\nbob@b.example,Bob,no\n');
    await clean();
    const again = await run('email,name,out\nanna@A.example,Anna,no\nbob@b.example,Bob,no\n');
    const rows = await rowsOf<{ email: string; out: boolean }>(fixture.owner)`
      select data ->> 'email' as email, (data ->> 'unsubscribed')::boolean as out from content_items order by 1
    `;
    assert.deepEqual(rows, [
      { email: 'anna@a.example', out: true },
      { email: 'bob@b.example', out: false },
    ]);
    assert.equal(again.created_count, 2);
  });

  test('rows with one key apply in order', async () => {
    const rows = [
      'a@x.example,A,',
      'b@x.example,B,',
      'a@x.example,A2,',
      'a@x.example,A2,',
      'A@X.example,,',
      'a@x.example,A3,',
    ];
    const together = countsOf(await run(['email,name,out', ...rows].join('\n')));
    assert.deepEqual(together, completed({ rows: 6, created: 2, merged: 4 }));
    const [a] = await items();
    assert.deepEqual([a?.['email'], a?.['first_name']], ['a@x.example', 'A3']);

    await clean();
    const apart = { created: 0, updated: 0, unchanged: 0 };
    for (const row of rows) {
      const { created_count, updated_count, unchanged_count } = await run(`email,name,out\n${row}`);
      apart.created += created_count;
      apart.updated += updated_count;
      apart.unchanged += unchanged_count;
    }
    assert.deepEqual(apart, { created: 2, updated: 3, unchanged: 1 });
  });

  test('an invalid row is stored with line, field and reason', async () => {
    const entry = await run(
      [
        'code;size;day;good;tags;extra', // 1
        'a;1;2026-03-31;true;"x, y";"{""k"":[1]}"', // 2
        'b;many;;;;', // 3
        '"c\r\n1";2;31.3.2026;nein;;', // 4 and 5
        '', // 6
        'd;2;31.02.2026;;;', // 7
        'e;3', // 8
        ';4;;;;', // 9
        ';;;;;', // 10: nothing in it
        'f;5;;maybe;;', // 11
        'g;6;;;;{"k":', // 12
        'h;99999999999;;;;', // 13
        `${'i'.repeat(70_000)};1;;;;`, // 14
        'j\0;1;;;;', // 15
        'k;7;;;;;x', // 16
        'l;8;;;;;;', // 17: only empty cells too many
        'last;8;;;;', // 18
      ].join('\r\n'),
      {
        collection: 'things',
        key_field: 'code',
        separator: ';',
        mapping: { code: 'code', size: 'size', day: 'day', good: 'good', tags: 'tags', extra: 'extra' },
        reject_fields: ['size', 'day', 'good', 'extra'],
      },
    );
    assert.deepEqual(
      entry.rejected.map(({ line, field }) => [line, field]),
      [
        [3, 'size'],
        [7, 'day'],
        [9, 'code'],
        [11, 'good'],
        [12, 'extra'],
        [13, 'size'],
        [14, 'code'],
        [15, 'code'],
        [16, null],
      ],
    );
    assert.match(entry.rejected.at(-1)?.reason ?? '', /7 cells instead of 6/);
    assert.deepEqual(
      entry.rejected.map(({ error }) => error.code),
      [
        'not_whole',
        'no_such_date',
        'required',
        'not_a_word',
        'not_json',
        'number_too_large',
        'cell_too_large',
        'not_storable',
        'cell_count',
      ],
    );
    assert.deepEqual(countsOf(entry), completed({ rows: 14, created: 5, rejected: 9 }));
    assert.deepEqual(
      (await items('things', 'code')).map(({ code, size, day, good, tags, extra }) => [
        code,
        size,
        day,
        good,
        tags,
        extra,
      ]),
      [
        ['a', 1, '2026-03-31', true, ['x', 'y'], { k: [1] }],
        ['c\r\n1', 2, '2026-03-31', false, null, null],
        ['e', 3, null, true, null, null],
        ['l', 8, null, true, null, null],
        ['last', 8, null, true, null, null],
      ],
    );
  });

  test('addresses are imported into the email field only', async () => {
    const entry = await run(
      'email,name,out\nanna@,x,\nanna@müller.example,Anna,\n"a@b.example, c@d.example",x,\n',
    );
    assert.deepEqual(
      entry.rejected.map(({ line, field }) => [line, field]),
      [
        [2, 'email'],
        [4, 'email'],
      ],
    );
    assert.equal((await items())[0]?.['email'], 'anna@xn--mller-kva.example');
  });

  test('Windows-1252 and UTF-8 are read and verified', async () => {
    const ansi = Buffer.from('email,name,out\na@x.example,J\xfcrgen \x80,\n', 'latin1');
    const entry = await run(ansi, { ...contacts, encoding: 'windows-1252' });
    assert.equal(entry.created_count, 1);
    assert.equal((await items())[0]?.['first_name'], 'Jürgen €');
    const wrong = await run(ansi);
    assert.deepEqual(
      [wrong.unchanged_count, wrong.left_out.map(({ line, field }) => [line, field])],
      [1, [[2, 'first_name']]],
    );
    assert.match(wrong.left_out[0]?.reason ?? '', /not UTF-8/);
    // A byte order mark takes precedence over the setting.
    await run('\u{feff}email,name,out\na@x.example,Zoë,\n', { ...contacts, encoding: 'windows-1252' });
    assert.equal((await items())[0]?.['first_name'], 'Zoë');
  });

  const check = (content: string, settings: object = contacts) =>
    run(content, { ...settings, check: 'true' });
  const start = (id: string) =>
    fixture.inTenant((trx) =>
      startCheckedImport(trx, { organizationId: fixture.organizationId, importId: id }),
    );

  test('a check reports the result without storing items', async () => {
    await run('email,name,out\nanna@a.example,Anna,\nbob@b.example,Bob,\n');
    const stored = await items();
    const fields = 'email,name,out\n';
    const rows = [
      'anna@a.example,Anna,',
      'bob@b.example,Bobby,',
      'cleo@c.example,Cleo,',
      'nobody,x,',
      'Cleo@C.example,Cleo 2,',
    ];
    const many = Array.from({ length: 500 }, (_, index) => `p${index}@x.example,P,`);
    const file = fields + [...rows, ...many, 'p7@x.example,Q,'].join('\n');
    const checked = await check(file);
    const expected = { rows: 506, created: 501, updated: 1, unchanged: 1, merged: 2, rejected: 1 };
    assert.deepEqual(countsOf(checked), { status: 'checked', ...expected });
    assert.deepEqual(
      checked.rejected.map(({ line, error }) => [line, error.code]),
      [[5, 'not_an_address']],
    );
    assert.deepEqual(await items(), stored);
    // The import has the result that its check reported.
    const queued = await start(checked.id);
    assert.deepEqual([queued.status, queued.rows_done, queued.rejected_count], ['queued', 0, 0]);
    assert.deepEqual(queued.rejected, []);
    await assert.rejects(start(checked.id), { code: 'invalid_transition' });
    await work();
    assert.deepEqual(countsOf(await find(checked.id)), { status: 'completed', ...expected });
    assert.equal(await countRows('content_import_parts'), 0);
  });

  test('an unstarted check expires after one day', async () => {
    const drop = (importId: string) =>
      fixture.inTenant((trx) => dropImport(trx, { organizationId: fixture.organizationId, importId }));
    const removeFiles = () =>
      runJobs(fixture.database, fixture.owner, [handleImportFiles({ db: fixture.db })]);
    const rejected = 4_100;
    const dropped = await check(`email,name,out\n${'nobody,x,\n'.repeat(rejected)}`);
    await drop(dropped.id);
    await assert.rejects(find(dropped.id), { code: 'not_found' });
    assert.equal(await countRows('content_import_rejections'), rejected, 'nobody waits for their removal');
    const due = await rowsOf(fixture.owner)`select from jobs where kind = 'import_file' and due_at <= now()`;
    assert.equal(due.length, 1);
    await removeFiles();
    assert.equal(await countRows('content_import_rejections'), 0);
    assert.equal(await countRows('content_import_parts'), 0);
    const left = await check('email,name,out\nnobody,x,\n');
    await removeFiles();
    await assert.rejects(find(left.id), { code: 'not_found' });
    assert.equal(await countRows('content_import_rejections'), 0);
    assert.equal(await countRows('content_import_parts'), 0);
    const done = await run('email,name,out\nanna@a.example,Anna,\n');
    await assert.rejects(drop(done.id), { code: 'invalid_transition' });
  });

  test('new fields are created when the import starts', async () => {
    const since = { field: 'customer_since', label: 'Kunde seit', type: 'date' };
    const settings = {
      collection: 'contacts',
      mapping: { email: 'email', 'Kunde seit': 'customer_since' },
      new_fields: [since],
      reject_fields: ['customer_since'],
    };
    const file = 'email,Kunde seit\nanna@a.example,1.2.2020\nbob@b.example,31.02.1980\n';
    const labels = async () =>
      (await fixture.withBackend((backend) => backend.listFields('contacts'))).flatMap(
        ({ label }) => label ?? [],
      );
    const checked = await check(file, settings);
    assert.deepEqual(checked.new_fields, [since]);
    assert.deepEqual([checked.created_count, checked.rejected[0]?.error.code], [1, 'no_such_date']);
    assert.deepEqual(await labels(), []);
    await start(checked.id);
    await work();
    assert.deepEqual(await labels(), ['Kunde seit']);
    assert.equal((await items())[0]?.['customer_since'], '2020-02-01');
    await assert.rejects(upload(file, settings), { status: 422 });
    await execute(fixture.owner)`delete from content_fields where label is not null`;
  });

  const failures: [what: string, content: string, reason: RegExp][] = [
    ['only line breaks', '\n\r\n', /empty/],
    ['no such column', 'mail,name,out\na@x.example,A,\n', /no column “email”.*“mail”, “name”/],
    ['the wrong separator', 'email;name;out\na@x.example;A;\n', /“email;name;out”.*separator/],
    ['a heading twice', 'email,email,name,out\na@x.example,b@x.example,A,\n', /two columns/],
    ['too many columns', `email,name,out${',x'.repeat(198)}\n`, /200 columns/],
    ['one endless line', `email,name,out\na@x.example,A,\n${'y'.repeat(3_000_000)}`, /line 3 .*1 MB/],
  ];
  for (const [what, content, reason] of failures) {
    test(`an import fails with its reason: ${what}`, async () => {
      const entry = await run(content);
      assert.equal(entry.status, 'failed');
      assert.match(entry.error_content ?? '', reason);
      assert.ok(entry.end_date);
      assert.equal(entry.created_count, /line 3/.test(entry.error_content ?? '') ? 1 : 0);
      assert.equal(await countRows('content_import_parts'), 0);
    });
  }

  test('a file with headings only completes empty', async () => {
    assert.deepEqual(countsOf(await run('email,name,out\r\n')), completed({}));
  });

  test('an upload into a second unique field is rejected', async () => {
    const mapping = { a: 'code', b: 'second_code' };
    const refused = upload('email\n', { collection: 'things', key_field: 'code', mapping });
    await assert.rejects(refused, (error) => {
      assert.equal((error as { data: { errors: { path: string }[] } }).data.errors[0]?.path, 'mapping');
      return true;
    });
    assert.equal(await countRows('content_import_parts'), 0);
  });

  function* breaking() {
    yield Buffer.alloc(600_000, 'a,');
    throw new Error('The line broke.');
  }

  test('an aborted upload is removed', async () => {
    await assert.rejects(upload(breaking()), /The line broke/);
    assert.equal(await countRows('content_import_parts'), 0);
    const rows = await rowsOf(fixture.owner)`select from content_imports`;
    assert.equal(rows.length, 0);
  });

  test('an aborted upload keeps its reason when removal fails', async () => {
    await execute(fixture.owner)`revoke delete on content_import_parts from reachout_app`;
    try {
      await assert.rejects(upload(breaking()), /The line broke/);
    } finally {
      await execute(fixture.owner)`grant delete on content_import_parts to reachout_app`;
    }
    assert.equal(await countRows('content_import_parts'), 2);
    await work();
    assert.equal(await countRows('content_import_parts'), 0);
  });

  /** 8,300 rows over several batches and chunks: new, known, repeated and invalid ones. */
  const longFile = () => {
    const lines = Array.from({ length: 8_300 }, (_, index) => {
      if (index % 100 === 7) return `broken ${index},x,`;
      if (index % 100 === 8) return `user${index - 500}@x.example,"again\n${index}",`;
      return `user${index}@x.example,"Name ${index} ${'ü'.repeat(40)}",${index % 50 === 0 ? 'yes' : ''}`;
    });
    return `email,name,out\n${lines.join('\n')}\n`;
  };
  /** @returns everything that an import stores */
  const outcome = async (id: string) => {
    const rows = await rowsOf<{ digest: string }>(fixture.owner)`
      select md5(string_agg(data::text, '' order by data ->> 'email')) as digest from content_items
    `;
    const rejected = await rowsOf(fixture.owner)`
      select kind, line, field, error, left_out, record from content_import_rejections where import_id = ${id} order by end_byte
    `;
    const claims = await countRows('content_unique_values');
    return { counts: countsOf(await find(id)), digest: rows[0]?.digest, rejected, claims };
  };

  let whole: Promise<{ file: string; expected: Awaited<ReturnType<typeof outcome>> }> | undefined;
  /** Imports the long file once for both tests. @returns it, and what one uninterrupted import stores */
  const importWhole = () =>
    (whole ??= (async () => {
      const file = longFile();
      const { id } = await upload(file);
      await work();
      const expected = await outcome(id);
      await clean();
      return { file, expected };
    })());

  test('an interrupted import resumes with the same counts (JOB-1)', async () => {
    const { file, expected } = await importWhole();
    assert.equal(expected.counts.rows, 8_300);
    const { created, updated, merged, rejected } = expected.counts;
    assert.equal(created + updated + merged + rejected, 8_300);

    const { id } = await upload(file);
    // Aborts after a number of reads of the signal, which is read once per row.
    for (let stops = 0; (await find(id)).status !== 'completed'; stops += 1) {
      assert.ok(stops < 30, 'it does not come to an end');
      let looksLeft = 1_000 + 397 * stops;
      const signal = new Proxy(new AbortController().signal, {
        get: (target, key) => (key === 'aborted' ? (looksLeft -= 1) < 0 : Reflect.get(target, key)),
      });
      await work(signal);
    }
    assert.deepEqual(await outcome(id), expected);
  });

  test('a killed import counts every batch once (JOB-1)', async () => {
    const { file, expected } = await importWhole();
    const { id } = await upload(file);
    // The connection breaks in every second batch, after its items are written and before it is counted. Sequences
    // do not roll back.
    await execute(fixture.owner)`create sequence batches`;
    await execute(fixture.owner)`grant usage on sequence batches to reachout_app`;
    await execute(fixture.owner)`
      create function break_batch() returns trigger language plpgsql as $$
      begin
        if new.rows_done > old.rows_done and nextval('batches') % 2 = 1 then
          raise exception 'terminating connection' using errcode = '57P01';
        end if;
        return new;
      end $$
    `;
    await execute(fixture.owner)`
      create trigger break_batch before update on content_imports for each row execute function break_batch()
    `;
    try {
      let kills = 0;
      for (; (await find(id)).status !== 'completed'; kills += 1) {
        assert.ok(kills < 30, 'it does not come to an end');
        await work();
        const rows = await rowsOf<{ error_content: string }>(fixture.owner)`
          select error_content from jobs where state = 'open'
        `;
        for (const { error_content } of rows) assert.match(error_content, /57P01/);
      }
      assert.ok(kills >= 3);
    } finally {
      await execute(fixture.owner)`drop trigger break_batch on content_imports`;
      await sql`drop function break_batch; drop sequence batches`
        .execute(fixture.owner)
        .catch(() => undefined);
    }
    assert.deepEqual(await outcome(id), expected);
  });

  test('an import is taken over from dead workers only', async () => {
    const { id: importId } = await upload('email,name,out\na@x.example,A,\n');
    const worker_id = randomInt(1, 2 ** 31 - 1);
    const alive = new Client({ connectionString: fixture.database.appUrl });
    await alive.connect();
    await alive.query('select pg_advisory_lock(1919247220, $1)', [worker_id]);
    const leaseToken = newId();
    await updateRows(
      fixture.owner,
      'jobs',
      { key: importId },
      { worker_id, lease_token: leaseToken, lease_until: sql<string>`now() + interval '1 minute'` },
    );
    const other = await upload('email,name,out\nb@x.example,B,\n');
    const worker = startJobWorker(fixture.database, [
      handleImports({ db: fixture.db, log, secrets: testSecrets }),
    ]);
    try {
      await waitUntil('the other is run', async () => (await find(other.id)).status === 'completed');
      assert.equal((await find(importId)).status, 'queued');

      await alive.end();
      await waitUntil('it is taken over', async () => {
        worker.wake();
        return (await find(importId)).status === 'completed';
      });
    } finally {
      await worker.stop();
    }
    const job = { id: importId, leaseToken } as Job<unknown>;
    assert.equal(await fixture.inTenant((trx) => recordProgress(trx, job)), false);
  });

  test('an upload of a dead process expires after one hour', async () => {
    const died = Promise.withResolvers<void>();
    async function* dying() {
      yield Buffer.alloc(600_000, 'a,');
      await died.promise;
    }
    const uploading = upload(dying() as unknown as Iterable<Buffer>).catch(() => undefined);
    await waitUntil('half of it is stored', async () => (await countRows('content_import_parts')) === 2);
    const rows = await rowsOf<{ minutes: number }>(fixture.owner)`
      select round(extract(epoch from due_at - now()) / 60)::integer as minutes from jobs
    `;
    assert.deepEqual(rows, [{ minutes: 60 }]);
    await work();
    assert.equal(await countRows('content_import_parts'), 0);
    assert.deepEqual(await listRows(fixture.owner, 'content_imports', ['id'], {}), []);
    died.resolve();
    await uploading;
  });

  test('a stalled import fails with its reason', async () => {
    const { id } = await upload('email,name,out\na@x.example,A,\n');
    await updateRows(fixture.owner, 'jobs', { key: id }, { attempts: 10 });
    await work();
    const entry = await find(id);
    assert.equal(entry.status, 'failed');
    assert.match(entry.error_content ?? '', /given up after several attempts/);
    assert.equal(await countRows('content_import_parts'), 1);

    // An operator retries its job.
    const retried = await fixture.owner
      .updateTable('jobs')
      .set({ state: 'open', attempts: 0, ended_at: null })
      .where('key', '=', id)
      .where('kind', '=', 'import')
      .executeTakeFirst();
    assert.equal(retried.numUpdatedRows, 1n);
    await work();
    const again = await find(id);
    assert.deepEqual([again.status, again.created_count, again.error_content], ['completed', 1, null]);
    assert.equal(await countRows('content_import_parts'), 0);
  });

  test('the file of a failed import expires after a week', async () => {
    const { id } = await upload('email,name,out\na@x.example,A,\n');
    await updateRows(fixture.owner, 'jobs', { key: id }, { attempts: 10 });
    await work();
    const rows = await rowsOf<{ days: number }>(fixture.owner)`
      select round(extract(epoch from due_at - now()) / 86400)::integer as days from jobs where kind = 'import_file'
    `;
    assert.deepEqual(rows, [{ days: 7 }]);
    await runJobs(fixture.database, fixture.owner, [handleImportFiles({ db: fixture.db })]);
    assert.equal(await countRows('content_import_parts'), 0);
    assert.equal((await find(id)).status, 'failed');
  });

  test('concurrent imports create each person once', async () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `user${index}@x.example,N${index},`);
    const one = await upload(`email,name,out\n${lines.join('\n')}`);
    const other = await upload(`email,name,out\n${lines.toReversed().join('\n')}`);
    await Promise.all([work(), work()]);
    const entries = [await find(one.id), await find(other.id)];
    assertColumn(entries, 'status', ['completed', 'completed']);
    assert.equal(entries[0]!.created_count + entries[1]!.created_count, 1_000);
    assert.equal(entries[0]!.unchanged_count + entries[1]!.unchanged_count, 1_000);
    assert.equal(await countRows('content_items'), 1_000);
  });

  test('new contacts beyond the limit are rejected (RATE-3)', async () => {
    const setLimit = async (room: number | null) => {
      const { used } = await fixture.inTenant((trx) => findQuota(trx, fixture.organizationId, 'contacts'));
      await setQuota(fixture.db, fixture.organizationId, 'contacts', room === null ? null : used + room);
    };
    await run('email,name,out\nanna@a.example,Anna,\n');
    try {
      await setLimit(2);
      const entry = await run(
        'email,name,out\nbob@b.example,Bob,\ncleo@c.example,Cleo,\ndan@d.example,Dan,\nanna@a.example,Anna Maria,\nbob@b.example,Bobby,\ndan@d.example,Daniel,\n',
      );
      assert.deepEqual(
        countsOf(entry),
        completed({ rows: 6, created: 2, updated: 1, merged: 1, rejected: 2 }),
      );
      const reason = 'The organization has as many contacts as it may have.';
      assert.deepEqual(
        entry.rejected,
        [4, 7].map((line) => ({ line, field: null, reason, error: { code: 'contacts_full', values: {} } })),
      );
      assert.deepEqual(
        (await items()).map(({ email, first_name }) => [email, first_name]),
        [
          ['anna@a.example', 'Anna Maria'],
          ['bob@b.example', 'Bobby'],
          ['cleo@c.example', 'Cleo'],
        ],
      );

      await setLimit(500);
      const people = (domain: string) =>
        Array.from({ length: 400 }, (_, index) => `user${index}@${domain},N,`).join('\n');
      const uploads = [
        await upload(`email,name,out\n${people('x.example')}`),
        await upload(`email,name,out\n${people('y.example')}`),
      ];
      await Promise.all([work(), work()]);
      const ended = await Promise.all(uploads.map(({ id }) => find(id)));
      assertColumn(ended, 'status', ['completed', 'completed']);
      const sum = (pick: (one: ContentImport) => number) =>
        ended.reduce((total, one) => total + pick(one), 0);
      assert.equal(
        sum((one) => one.created_count),
        500,
      );
      assert.equal(
        sum((one) => one.rejected_count),
        300,
      );
      assert.equal(await countRows('content_items'), 503);
    } finally {
      await setLimit(null);
    }
  });

  test('rows beyond the byte limit are rejected (RATE-3)', async () => {
    await run('email,name,out\nanna@a.example,Anna,\n');
    await setQuota(fixture.db, fixture.organizationId, 'content_megabytes', 0);
    try {
      const entry = await run('email,name,out\neva@a.example,Eva,\n');
      const { status, rows, created, rejected } = countsOf(entry);
      assert.deepEqual([status, rows, created, rejected], ['completed', 1, 0, 1]);
      assert.deepEqual(
        entry.rejected.map(({ error }) => error.code),
        ['content_full'],
      );
    } finally {
      await setQuota(fixture.db, fixture.organizationId, 'content_megabytes', null);
    }
  });

  test('the limit includes concurrent writes to other collections (RATE-3)', async () => {
    const { organizationId } = fixture;
    const { used } = await fixture.inTenant((trx) => findQuota(trx, organizationId, 'contacts'));
    await setQuota(fixture.db, organizationId, 'contacts', used + 1);
    try {
      const entry = await upload('code\nA\n', {
        collection: 'things',
        mapping: { code: 'code' },
        key_field: 'code',
      });
      const created = Promise.withResolvers<void>();
      const seen = Promise.withResolvers<void>();
      const creating = fixture.withBackend(async (backend) => {
        await backend.createItem('contacts', { email: 'anna@a.example' });
        created.resolve();
        await seen.promise;
      });
      await created.promise;
      const importing = work();
      await Promise.race([importing, waitUntilSomebodyWaits(fixture.owner)]);
      seen.resolve();
      await Promise.all([creating, importing]);
      const { created_count, rejected_count } = await find(entry.id);
      assert.deepEqual({ created_count, rejected_count }, { created_count: 0, rejected_count: 1 });
    } finally {
      await setQuota(fixture.db, organizationId, 'contacts', null);
    }
  });

  test('imports per 24 hours are limited (RATE-3)', async () => {
    await setQuota(fixture.db, fixture.organizationId, 'imports', 2);
    try {
      const started = await Promise.allSettled(
        Array.from({ length: 4 }, () => upload('email,name,out\nanna@a.example,Anna,\n')),
      );
      const refused = started.filter((one) => one.status === 'rejected');
      assert.equal(refused.length, 2);
      for (const { reason } of refused) {
        assert.ok(reason instanceof LimitExceeded);
        assert.deepEqual([reason.bound, reason.code], ['imports', 'quota_exceeded']);
      }
      await work();
    } finally {
      await setQuota(fixture.db, fixture.organizationId, 'imports', null);
    }
  });

  const things = {
    format: 'json',
    collection: 'things',
    mapping: { Code: 'code', size: 'size', day: 'day', good: 'good', tags: 'tags', extra: 'extra' },
    key_field: 'code',
  };

  test('JSON lists and JSON lines are imported with types', async () => {
    const rows = [
      { Code: 'ä1', size: 3, day: '2026-03-31', good: false, tags: ['a, b', 'c'], extra: { deep: [1] } },
      { Code: 2, size: '4', day: '31.03.2026', good: 'ja', tags: 'a, b', extra: 'text', other: true },
      { Code: 'three', size: null, day: '' },
    ];
    const expected = [
      ['2', 4, '2026-03-31', true, ['a', 'b'], 'text'],
      ['three', null, null, true, null, null],
      ['ä1', 3, '2026-03-31', false, ['a, b', 'c'], { deep: [1] }],
    ];
    const stored = async () =>
      (await items('things', 'code')).map((item) =>
        ['code', 'size', 'day', 'good', 'tags', 'extra'].map((field) => item[field]),
      );
    const created = await run(`\u{feff}${JSON.stringify(rows, null, 2)}`, things);
    assert.deepEqual([created.status, created.created_count, created.rejected_count], ['completed', 3, 0]);
    assert.deepEqual(await stored(), expected);
    const again = await run(rows.map((row) => JSON.stringify(row)).join('\n'), things);
    assert.deepEqual([again.unchanged_count, again.rows_done], [3, 3]);
  });

  test('invalid JSON objects and files are rejected with reasons', async () => {
    const entry = await run(
      '[{"Code":"a","size":1.5},{"Code":"b","size":"x"},\n{"Code":{},"size":1},\nnonsense]',
      {
        ...things,
        reject_fields: ['size'],
      },
    );
    assert.deepEqual([entry.status, entry.error?.code], ['failed', 'not_a_list']);
    assert.deepEqual(
      entry.rejected.map(({ line, field, error }) => [line, field, error.code]),
      // Two objects on one line.
      [
        [1, 'size', 'not_whole'],
        [1, 'size', 'not_whole'],
      ],
    );
    assert.equal((await run(' [ ] ', things)).error?.code, 'file_empty');
    const broken = await run('[{"Code":"a"},{"Code":oops},\n{"Code":"b"}]', things);
    assert.deepEqual(
      [broken.created_count, broken.rejected.map(({ line, error }) => [line, error.code])],
      [2, [[1, 'not_json']]],
    );
  });

  test('each row of a keyless collection becomes an item', async () => {
    const settings = { collection: 'newsletters', mapping: { Title: 'title' }, key_field: '' };
    const entry = await run('Title\nSpring\nSpring\n\nSummer\n', settings);
    assert.deepEqual([entry.created_count, entry.merged_count, entry.rejected_count], [3, 0, 0]);
    assertColumn(await items('newsletters', 'title'), 'title', ['Spring', 'Spring', 'Summer']);
    const keyless = { ...contacts, key_field: '' };
    await assert.rejects(upload('email\nx@x.example', keyless), { code: 'invalid_input' });
  });
});
