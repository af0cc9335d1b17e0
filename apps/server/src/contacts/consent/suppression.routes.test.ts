import assert from 'node:assert/strict';
import { before, beforeEach, suite, test } from 'node:test';
import { sql } from 'kysely';
import type { AudienceCount } from '@reachout/contract/filters.ts';
import type { SuppressionReason } from '@reachout/contract/statuses.ts';
import type { ListedSuppression, SuppressionLift } from '@reachout/contract/suppressions.ts';
import { newId } from '../../platform/ids.ts';
import { makeKeyOf } from '../../testing/actors.ts';
import { useTestApp, type Person } from '../../testing/app.ts';
import { createOrganization } from '../../testing/create-organization.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildSend, buildTouchpoint } from '../../sample/records.ts';
import { runJobs } from '../../testing/job-worker.ts';
import { insertRows } from '../../sample/rows.ts';
import { getRow, listRows } from '../../testing/rows.ts';
import { signInWithRules } from '../../testing/sign-in-with-rules.ts';
import { useWorld } from '../../testing/world.ts';
import { handleSuppressionLifts } from './lift-suppressions.ts';

interface Listed {
  items: ListedSuppression[];
  count: number;
  liftable_count: number;
}

suite('suppressions', () => {
  const app = useTestApp();
  const { owner, organizationId, base, branch } = useWorld(app);
  const [north, south] = [branch('north'), branch('south')];
  const brands = { north: north.brandId, south: south.brandId };
  const clients = { north: north.clientId, south: south.clientId };
  const { campaignId: campaign_id } = north;
  const sends = { first: '', second: '' };

  before(async () => {
    for (const name of ['first', 'second'] as const) {
      const touchpoint = await buildTouchpoint(app.owner, { campaign_id, name });
      sends[name] = (await buildSend(app.owner, { touchpoint_id: touchpoint.id })).id;
    }
  });
  beforeEach(async () => {
    for (const table of ['choices', 'resubscriptions', 'suppression_lifts', 'content_items'] as const)
      await sql`delete from ${sql.table(table)}`.execute(app.owner);
  });

  interface More {
    brand_id?: string;
    send_id?: string;
    changed_at?: string;
    created_by?: string;
  }
  const suppress = (address_key: string, value: SuppressionReason, more: More = {}) =>
    insertRows(app.owner, 'choices', {
      kind: 'suppression',
      id: newId(),
      organization_id: organizationId,
      address_key,
      value,
      ...more,
    });
  const list = async (query: Record<string, string> = {}, as = owner, organization_id = organizationId) => {
    const path = `/api/suppressions?${new URLSearchParams({ organization_id, order: 'address.asc', ...query }).toString()}`;
    return await as.ok<Listed>('GET', path);
  };
  const addresses = async (query?: Record<string, string>, as = owner, of = organizationId) =>
    (await list(query, as, of)).items.map(({ address }) => address.split('@')[0]).join(' ');
  const lift = (body: object, as = owner) =>
    app.request<SuppressionLift>('POST', '/api/suppressions/lift', {
      as,
      body: { organization_id: organizationId, basis: 'The mail server spoke of the sender', ...body },
    });
  const importItems = (items: object[], more: object = {}, as = owner) =>
    app.request<{ added_count: number; known_count: number; rejected: number[] }>(
      'POST',
      '/api/suppressions/import',
      { as, body: { organization_id: organizationId, brand_id: null, items, ...more } },
    );

  /** A member with these rules on consent, limited to the north. */
  async function signInCare(actions: readonly string[]): Promise<Person> {
    const conditions = { client_id: { $in: '${client_ids}' } };
    const rules = [
      { action: 'read', subject: 'Organization' },
      { action: 'read', subject: 'Content' },
      ...actions.map((action) => ({ action, subject: 'Consent', conditions })),
    ];
    return await signInWithRules(app, organizationId, rules, [clients.north]);
  }

  async function suppressAll(): Promise<void> {
    await suppress('a@x.example', 'bounce', { send_id: sends.first, changed_at: '2026-03-01T10:00:00Z' });
    await suppress('b@x.example', 'bounce', { send_id: sends.first, changed_at: '2026-03-02T10:00:00Z' });
    await suppress('c@x.example', 'bounce', { send_id: sends.second, changed_at: '2026-03-02T10:00:00Z' });
    await suppress('d@x.example', 'complaint', { send_id: sends.first });
    await suppress('e@x.example', 'unsubscribe', { send_id: sends.first, brand_id: brands.north });
    await suppress('f@x.example', 'manual', { created_by: owner.userId });
    await suppress('g@x.example', 'manual');
  }

  test('suppressions can be filtered and name their origin', async () => {
    await suppressAll();
    const found: [query: Record<string, string>, addresses: string, liftable: number][] = [
      [{}, 'a b c d e f g', 4],
      [{ reason: 'bounce' }, 'a b c', 3],
      [{ reason: 'manual' }, 'f g', 1],
      [{ send_id: sends.first }, 'a b d e', 2],
      [{ send_id: sends.first, reason: 'bounce', from: '2026-03-02T00:00:00+01:00' }, 'b', 1],
      [{ to: '2026-03-01T11:00:00Z' }, 'a', 1],
      [{ brand_id: brands.north }, 'e', 0],
      [{ search: 'B@x' }, 'b', 1],
      [{ search: '_@x' }, '', 0],
      [{ page: '1', page_size: '3' }, 'd e f', 4],
    ];
    for (const [query, expected, liftable] of found) {
      assert.equal(await addresses(query), expected, JSON.stringify(query));
      assert.equal((await list(query)).liftable_count, liftable, JSON.stringify(query));
    }
    const [, , , complaint, optOut] = (await list()).items;
    assert.equal(complaint?.source, 'complaint');
    assert.deepEqual(
      [optOut?.touchpoint?.name, optOut?.send_id, optOut?.brand_name, optOut?.source],
      ['first', sends.first, 'north brand', 'link'],
    );
  });

  test('liftable suppressions are removed by send, reason and time', async () => {
    await suppressAll();
    const contact = { email: 'a@x.example' };
    await owner.request('POST', `${base}/items/contacts`, contact);
    const reached = async () => {
      const body = { organization_id: organizationId, brand_id: brands.north, collection: 'contacts' };
      return (await owner.ok<AudienceCount>('POST', '/api/filters/count', body)).will_receive;
    };
    assert.equal(await reached(), 0);
    const criteria = { send_id: sends.first, to: '2026-03-02T00:00:00Z' };
    assertProblem(await lift({ ...criteria, expected_count: 2 }), 409, 'suppressions_changed');
    assert.equal(await addresses(), 'a b c d e f g', 'another number was confirmed');
    const first = await lift({ ...criteria, expected_count: 1 });
    assert.deepEqual([first.body.total_count, first.body.lifted_count], [1, 1]);
    assert.notEqual(first.body.finished_at, null);
    assert.equal(await addresses(), 'b c d e f g');
    assert.equal(await reached(), 1, 'the address gets email again');
    assert.equal(
      (await lift({ ...criteria, expected_count: 0 })).body.lifted_count,
      0,
      'repeating does nothing',
    );
    for (const reason of ['complaint', 'unsubscribe'])
      assertInvalid(await lift({ reason, expected_count: 0 }), 'reason');
    assertInvalid(await lift({ expected_count: 3, basis: ' ' }), 'basis');
    assert.equal((await lift({ expected_count: 3 })).body.lifted_count, 3);
    assert.equal(await addresses(), 'd e g');
    const lifted = await app.owner
      .selectFrom('resubscriptions')
      .select(['address_key', 'reason', 'basis', 'created_by'])
      .orderBy('address_key')
      .execute();
    assert.deepEqual(
      lifted.map(({ address_key, reason }) => `${address_key} ${reason}`),
      ['a@x.example bounce', 'b@x.example bounce', 'c@x.example bounce', 'f@x.example manual'],
    );
    assert.equal(lifted[0]?.created_by, owner.userId);
    const body = await owner.ok<{ items: SuppressionLift[] }>(
      'GET',
      `/api/suppressions/lifts?organization_id=${organizationId}`,
    );
    assert.deepEqual(
      body.items.map(({ total_count, send_id }) => [total_count, send_id]),
      [
        [3, null],
        [0, sends.first],
        [1, sends.first],
      ],
    );
    const entry = await getRow(app.owner, 'audit_log', ['details'], {
      action: 'suppressions.lift',
      record_id: first.body.id,
    });
    assert.deepEqual(entry.details, { send_id: sends.first, until: criteria.to, count: 1 });
  });

  test('a job lifts many suppressions except new opt-outs', async () => {
    await sql`
      insert into choices (kind, organization_id, id, address_key, value, changed_at)
      select 'suppression', ${organizationId}::uuid, gen_random_uuid(), 'n' || n || '@x.example', 'bounce', now() - make_interval(secs => 9000 - n)
      from generate_series(1, 4500) n`.execute(app.owner);
    const { body } = await lift({ reason: 'bounce', expected_count: 4_500 });
    assert.deepEqual([body.total_count, body.lifted_count, body.finished_at], [4_500, 2_000, null]);
    await importItems([{ address: 'n4000@x.example', reason: 'unsubscribed' }]);
    await suppress('later@x.example', 'bounce');
    await runJobs(app, app.owner, [handleSuppressionLifts({ db: app.services.db })]);
    assert.equal(await addresses(), 'later n4000');
    const lifts = await listRows(app.owner, 'suppression_lifts', ['lifted_count', 'finished_at'], {});
    assert.equal(lifts[0]?.lifted_count, 4_499);
    assert.notEqual(lifts[0]?.finished_at, null);
  });

  test('suppressions are lifted within own clients and key scope', async () => {
    const care = await signInCare(['read', 'delete']);
    const reader = await signInCare(['read']);
    await suppress('all@x.example', 'bounce');
    for (const name of ['north', 'south'] as const)
      await suppress(`${name}@x.example`, 'bounce', { brand_id: brands[name] });
    assert.equal(await addresses({}, care), 'all north', 'what applies to all brands is seen');
    assert.equal((await list({}, care)).liftable_count, 1);
    assertProblem(await lift({ expected_count: 1 }, reader), 403, 'forbidden');
    assertProblem(await lift({ expected_count: 3 }, care), 409, 'suppressions_changed');
    assertInvalid(await lift({ expected_count: 1, brand_id: brands.south }, care), 'brand_id');
    assert.equal((await lift({ expected_count: 1 }, care)).body.lifted_count, 1);
    assert.equal(await addresses(), 'all south');
    const key = (...scopes: string[]) => makeKeyOf(app, organizationId, owner.userId, scopes);
    const readKey = await key('content:read', 'content:write');
    assertProblem(await lift({ expected_count: 2 }, readKey), 403, 'forbidden');
    const writeKey = await key('content:read', 'consent:write');
    assert.equal((await lift({ expected_count: 2 }, writeKey)).body.lifted_count, 2);
  });

  test('exported suppressions can be imported elsewhere', async () => {
    await suppressAll();
    await suppress('+tag@x.example', 'unsubscribe', { changed_at: '2026-01-05T08:00:00Z' });
    const path = `/api/suppressions/export?organization_id=${organizationId}`;
    const { status, body, headers } = await owner.request<string>('GET', path);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(headers['content-disposition'], 'attachment; filename="suppressions.csv"');
    const [head, ...rows] = body.trimEnd().split('\r\n');
    assert.equal(head, '\u{feff}address,reason,at,brand,brand_id,source,email,send_id,note');
    assert.equal(rows.length, 8);
    assert.ok(rows.includes(`'+tag@x.example,unsubscribe,2026-01-05T08:00:00.000Z,,,office,,,`));
    assert.equal((await owner.ok<string>('GET', `${path}&reason=bounce`)).split('\r\n').length, 5);
    const elsewhere = await createOrganization(app, owner, 'Elsewhere');
    const items = rows.map((row) => {
      const [address, reason, at] = row.split(',');
      return { address, reason, at };
    });
    const given = [...items, { address: 'no address' }, { address: 'A@X.example' }];
    const into = { organization_id: elsewhere, note: 'suppressions.csv' };
    const first = await importItems(given, into);
    assert.deepEqual(first.body, { added_count: 8, known_count: 1, rejected: [8] });
    const again = await importItems(given, into);
    assert.deepEqual(again.body, { added_count: 0, known_count: 9, rejected: [8] });
    const there = (await list({}, owner, elsewhere)).items;
    assert.deepEqual(
      there.map(({ address, reason }) => `${address} ${reason}`),
      (await list()).items.map(({ address, reason }) => `${address} ${reason}`),
    );
    const tag = there[0]!;
    assert.deepEqual(
      [tag.at, tag.note, tag.brand_id],
      ['2026-01-05T08:00:00.000Z', 'suppressions.csv', null],
    );
    assert.ok(tag.created_at > '2026-03', 'running sends see what was entered since they began');
  });

  test('unclear suppressions of other programs become opt-outs', async () => {
    const care = await signInCare(['read', 'create']);
    const items = [
      { address: 'Hard@X.example', reason: 'Hard Bounce', at: '2026-02-03' },
      { address: 'spam@x.example', reason: 'SPAM_COMPLAINT' },
      { address: 'out@x.example', reason: 'cleaned up by Greta', at: 'yesterday' },
      { address: 'none@x.example', at: '2999-01-01T00:00:00Z' },
    ];
    assertProblem(await importItems(items, {}, care), 403, 'forbidden');
    assertInvalid(await importItems(items, { brand_id: brands.south }, care), 'brand_id');
    await suppress('out@x.example', 'bounce', { brand_id: brands.north });
    const { body } = await importItems(items, { brand_id: brands.north }, care);
    assert.deepEqual(body, { added_count: 4, known_count: 0, rejected: [] });
    assert.deepEqual(
      (await list()).items.map(({ address, reason, at, created_at }) => [
        address.split('@')[0],
        reason,
        at === created_at,
      ]),
      [
        ['hard', 'bounce', false],
        ['none', 'unsubscribe', true],
        ['out', 'unsubscribe', true],
        ['spam', 'complaint', true],
      ],
    );
  });
});
