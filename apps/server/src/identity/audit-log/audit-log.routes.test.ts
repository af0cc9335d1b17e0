import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sql } from 'kysely';
import type { ApiKey } from '@reachout/contract/api-keys.ts';
import type { AuditEntry } from '@reachout/contract/audit-log.ts';
import { inOrganization } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { useTestApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildOrganization } from '../../sample/records.ts';
import { buildReadyEmail } from '../../testing/ready-email.ts';
import { insertRows } from '../../sample/rows.ts';
import { deleteRows } from '../../testing/rows.ts';
import { useWorld } from '../../testing/world.ts';

type List = { items: AuditEntry[]; count: number };

suite('audit log', () => {
  const app = useTestApp();
  const { organizationId: id, owner } = useWorld(app);
  const path = `/api/organizations/${id}/audit_log`;

  const insert = (organization_id: string, entries: Record<string, unknown>[]) =>
    insertRows(
      app.owner,
      'audit_log',
      entries.map((entry) => ({ organization_id, id: newId(), action: 'clients.update', ...entry }) as never),
    );
  const forgetSignIns = () => deleteRows(app.owner, 'audit_log', { action: 'sign_in' });
  const list = async (query: string, as = owner, at = path) => await as.ok<List>('GET', `${at}?${query}`);

  test('an entry has action, user, record and address', async () => {
    const key = await owner.ok<ApiKey & { secret: string }>('POST', `/api/organizations/${id}/api_keys`, {
      name: 'Importer',
      scopes: ['clients:write'],
    });
    const made = await app.ok<{ id: string }>('POST', '/api/clients', {
      body: { organization_id: id, name: 'Nordwind' },
      headers: { authorization: `Bearer ${key.secret}`, 'user-agent': 'importer/1.0' },
    });
    const guest = await app.signInMember(id, 'guest');
    const outsider = await app.signIn();
    assertProblem(await app.request('GET', path), 401, 'not_signed_in');
    assertProblem(await outsider.request('GET', path), 404, 'not_found');
    assertProblem(await guest.request('GET', path), 403, 'forbidden');
    await forgetSignIns();
    const { items, count } = await list('');
    assert.equal(count, 2);
    const { id: _, at, ...entry } = items[0]!;
    assert.ok(Date.now() - Date.parse(at) < 60_000);
    assert.deepEqual(entry, {
      user: { id: owner.userId, full_name: entry.user?.full_name, email: owner.email },
      api_key: { id: key.id, name: 'Importer' },
      action: 'clients.create',
      record_type: 'clients',
      record_id: made.id,
      record_name: 'Nordwind',
      details: { fields: ['name'] },
      ip_address: '127.0.0.1',
      user_agent: 'importer/1.0',
    });
    assert.deepEqual([items[1]?.action, items[1]?.api_key], ['apiKeys.create', null]);
  });

  test('an entry says what was sent and what was changed, as of then', async () => {
    const email = await buildReadyEmail(app);
    const { touchpointId, organizationId, templateId, person } = email;
    const change = (method: 'POST' | 'PATCH' | 'DELETE', at: string, body: object) =>
      person.request<{ id: string }>(method, `/api${at}`, body);
    await change('PATCH', `/touchpoints/${touchpointId}/email`, {
      subject: 'Winter',
      template_id: templateId,
      from_email: 'news@nordwind.example',
    });
    const { body: campaign } = await change('POST', '/campaigns', {
      organization_id: organizationId,
      brand_id: email.brandId,
      name: 'Autumn',
    });
    await change('PATCH', `/campaigns/${campaign.id}`, { status: 'archived' });
    const started = await change('POST', `/touchpoints/${touchpointId}/sends`, {
      expected_recipients: 3,
    });
    assert.equal(started.status, 201, JSON.stringify(started.body));
    await change('POST', `/sends/${started.body.id}/cancel`, {});
    await change('DELETE', `/touchpoints/${touchpointId}`, {});

    const { items } = await list('', person, `/api/organizations/${organizationId}/audit_log`);
    const send = { brand: 'Nordwind', send_id: started.body.id };
    const entryOf = (action: string) => {
      const { record_type, record_id, record_name, details } = items.find(
        (entry) => entry.action === action,
      )!;
      return [record_type, record_id, record_name, details];
    };
    const ofEmail = ['touchpoints', touchpointId, 'Newsletter'];
    assert.deepEqual(entryOf('sends.start'), [...ofEmail, { recipients: 3, ...send }]);
    assert.deepEqual(entryOf('sends.cancel'), [...ofEmail, send]);
    assert.deepEqual(entryOf('touchpoints.delete'), [...ofEmail, {}]);
    assert.deepEqual(entryOf('touchpoints.updateEmail'), [
      ...ofEmail,
      {
        fields: ['subject', 'template_id', 'from_email'],
        values: { subject: 'Winter', template_id: 'Spring' },
      },
    ]);
    assert.deepEqual(entryOf('campaigns.create').at(-1), {
      fields: ['brand_id', 'name'],
      values: { brand_id: 'Nordwind' },
    });
    assert.deepEqual(entryOf('campaigns.update').at(-1), {
      fields: ['status'],
      values: { status: 'archived' },
    });
  });

  test('filtered entries have order and exact count', async () => {
    const organization = await buildOrganization(app.owner);
    const reader = await app.signInMember(organization.id, 'analyst');
    const at = `/api/organizations/${organization.id}/audit_log`;
    const [recordId, gone] = [newId(), newId()];
    await insert(organization.id, [
      {
        at: '2026-01-01T00:00:00Z',
        action: 'clients.create',
        record_name: 'Nordwind 100%',
        record_id: recordId,
      },
      {
        at: '2026-01-02T00:00:00Z',
        action: 'clients.update',
        record_name: 'Nordwind',
        user_id: reader.userId,
      },
      { at: '2026-01-03T00:00:00Z', action: 'clientsx.update', record_name: 'Other', user_id: gone },
      { at: '2026-01-04T00:00:00Z', action: 'members.remove', record_id: recordId },
    ]);
    await insert(id, [{ at: '2026-01-02T00:00:00Z', record_name: 'Nordwind of others' }]);
    for (const [query, field] of [
      ['user_id=x', 'user_id'],
      ['action=%25', 'action'],
      ['from=yesterday', 'from'],
      ['page_size=501', 'page_size'],
      ['role=x', 'role'],
    ] as const)
      assertInvalid(await reader.request('GET', `${at}?${query}`), field);
    const actions = async (query: string) => {
      const { items, count } = await list(query, reader, at);
      return [items.map(({ action }) => action), count];
    };
    await forgetSignIns();
    const all = ['members.remove', 'clientsx.update', 'clients.update', 'clients.create'];
    assert.deepEqual(await actions(''), [all, 4]);
    assert.deepEqual(await actions('page=1&page_size=3'), [['clients.create'], 4]);
    assert.deepEqual(await actions('action=clients.'), [['clients.update', 'clients.create'], 2]);
    assert.deepEqual(await actions('action=members.remove'), [['members.remove'], 1]);
    assert.deepEqual(await actions('action=lients.'), [[], 0]);
    assert.deepEqual(await actions('search=NORDWIND'), [['clients.update', 'clients.create'], 2]);
    assert.deepEqual(await actions('search=100%25'), [['clients.create'], 1]);
    assert.deepEqual(await actions('search=remove'), [['members.remove'], 1]);
    assert.deepEqual(await actions(`record_id=${recordId}`), [['members.remove', 'clients.create'], 2]);
    assert.deepEqual(await actions(`user_id=${reader.userId}`), [['clients.update'], 1]);
    assert.deepEqual(await actions('from=2026-01-02T00:00:00Z&to=2026-01-03T00:00:00%2B01:00'), [
      ['clients.update'],
      1,
    ]);
    assert.equal((await list(`user_id=${gone}`, reader, at)).items[0]?.user, null);
  });

  test('the export has the filters of the list, and is recorded', async () => {
    const organization = await buildOrganization(app.owner);
    const reader = await app.signInMember(organization.id, 'analyst');
    const guest = await app.signInMember(organization.id, 'guest');
    const outsider = await app.signIn();
    const at = `/api/organizations/${organization.id}/audit_log/export`;
    // Many entries at the same time, within one millisecond.
    await insert(
      organization.id,
      Array.from({ length: 1_203 }, (_, index) => ({
        at: `2026-01-01T00:00:00.000${index % 3}Z`,
        record_name: `entry ${index}`,
      })),
    );
    await insert(organization.id, [{ action: 'members.remove', record_name: 'not this one' }]);
    await insert(id, [{ record_name: 'of others' }]);
    assertProblem(await app.request('GET', at), 401, 'not_signed_in');
    assertProblem(await outsider.request('GET', at), 404, 'not_found');
    assertProblem(await guest.request('GET', at), 403, 'forbidden');
    assertInvalid(await reader.request('GET', `${at}?from=yesterday`), 'from');
    assertInvalid(await reader.request('GET', `${at}?page=1`), 'page');

    const { status, body, headers } = await reader.request<string>('GET', `${at}?action=clients.`);
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/csv/);
    assert.match(String(headers['content-disposition']), /^attachment/);
    assert.equal(headers['cache-control'], 'no-store');
    const lines = body.trimEnd().split('\r\n');
    assert.equal(
      lines.shift(),
      '\u{feff}at,user,email,api_key,action,record_type,record_id,record_name,details,ip_address,user_agent',
    );
    assert.equal(lines.length, 1_203);
    assert.equal(new Set(lines.map((line) => /entry \d+/.exec(line)?.[0])).size, 1_203);
    const exports = await list('action=auditLog.', reader, `/api/organizations/${organization.id}/audit_log`);
    assert.equal(exports.count, 1, 'refused ones are not exports');
    assert.deepEqual(
      [
        exports.items[0]?.action,
        exports.items[0]?.user?.id,
        exports.items[0]?.details,
        exports.items[0]?.ip_address,
      ],
      ['auditLog.export', reader.userId, { filters: ['action'] }, '127.0.0.1'],
    );
    assert.equal(exports.items[0]?.ip_address, '127.0.0.1');
  });

  test('values that cannot be compared are rejected without an entry (INP-2)', async () => {
    const organization = await buildOrganization(app.owner);
    const reader = await app.signInMember(organization.id, 'analyst');
    const at = `/api/organizations/${organization.id}/audit_log`;
    for (const [query, field] of [
      ['record_id=a%00b', 'record_id'],
      ['search=a%00b', 'search'],
      ['action=a%00b', 'action'],
      ['from=0000-01-01T00:00:00Z', 'from'],
      ['from=1969-12-31T23:59:59Z', 'from'],
      ['to=2200-01-01T00:00:00Z', 'to'],
      ['to=9999-12-31T23:59:59Z', 'to'],
      ['to=2026-01-01T00:00:00%2B23:59', 'to'],
      [`to=2026-01-01T00:00:00.${'0'.repeat(200)}Z`, 'to'],
    ] as const)
      for (const url of [at, `${at}/export`])
        assertInvalid(await reader.request('GET', `${url}?${query}`), field, query);
    const farthest = 'from=1970-01-01T00:00:00-14:59&to=2199-12-31T23:59:59.999999999%2B14:00';
    await reader.ok('GET', `${at}?${farthest}`);
    assert.equal((await list('action=auditLog.', reader, at)).count, 0);
  });

  test('a failed export reports the error, and is not recorded', async () => {
    const organization = await buildOrganization(app.owner);
    const reader = await app.signInMember(organization.id, 'analyst');
    const at = `/api/organizations/${organization.id}/audit_log`;
    await sql`alter table api_keys rename column name to title`.execute(app.owner);
    try {
      assertProblem(await reader.request('GET', `${at}/export`), 500, 'internal');
    } finally {
      await sql`alter table api_keys rename column title to name`.execute(app.owner);
    }
    assert.equal((await list('action=auditLog.', reader, at)).count, 0);
  });

  test('exported cells contain no formulas (CSV-2)', async () => {
    const organization = await buildOrganization(app.owner);
    const reader = await app.signInMember(organization.id, 'analyst');
    const formulas = ['=cmd()', '+1', '-1', '@x', '\t=1', '\r=1', '＝1', '＋1', '－1', '＠x'];
    await insert(
      organization.id,
      formulas.map((text) => ({ record_name: text, user_agent: text, record_id: text })),
    );
    const body = await reader.ok<string>(
      'GET',
      `/api/organizations/${organization.id}/audit_log/export?action=clients.`,
    );
    // The first character of a cell is at the beginning of a line, or after a comma or an opening quotation mark.
    assert.doesNotMatch(body.slice(1), /(^|,|\n)"?[=+\-@\t\r＝＋－＠]/u);
    for (const text of formulas)
      assert.ok(
        body.replaceAll("\t'", '\t').replaceAll("\r'", '\r').includes(`'${text}`),
        JSON.stringify(text),
      );
  });

  test('the server can only read and insert entries (AUD-1)', async () => {
    await insert(id, [{ record_name: 'for ever' }]);
    const run = (statement: ReturnType<typeof sql>) =>
      inOrganization(app.services.db, id, (trx) => statement.execute(trx));
    for (const statement of [
      sql`update audit_log set record_name = 'changed'`,
      sql`update audit_log set user_id = null where record_name = 'for ever'`,
      sql`delete from audit_log`,
      sql`truncate audit_log`,
      sql`insert into audit_log (organization_id, id, action)
        select organization_id, id, action from audit_log limit 1
        on conflict (organization_id, id) do update set action = 'changed'`,
    ])
      await assert.rejects(run(statement), { code: '42501' });
    assert.equal((await list('search=for%20ever')).count, 1);
    const foreign = await buildOrganization(app.owner);
    await assert.rejects(
      run(sql`insert into audit_log (organization_id, id, action) values (${foreign.id}, ${newId()}, 'x')`),
      { code: '42501' },
    );
  });
});
