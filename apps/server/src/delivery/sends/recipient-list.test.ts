import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Recipient } from '@reachout/contract/sends.ts';
import { recipientStates, type ExclusionReason, type DeliveryState } from '@reachout/contract/statuses.ts';
import { execute, type Row } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { signInGuest } from '../../testing/actors.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { useSharedApp } from '../../testing/app.ts';
import { buildSend } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { updateRows } from '../../testing/rows.ts';
import { signInWithRules } from '../../testing/sign-in-with-rules.ts';
import { useWorld } from '../../testing/world.ts';

suite('recipients of a send', () => {
  const app = useSharedApp();
  const { organizationId, owner: person } = useWorld(app);
  let sendId: string;

  before(async () => {
    sendId = await buildMovingSend(organizationId);
  });

  const list = async (query = '') => {
    const path = `/api/sends/${sendId}/deliveries?${query}`;
    const body = await person.ok<{ items: Recipient[]; count: number }>('GET', path);
    return { ...body, ids: body.items.map(({ contact_id }) => contact_id) };
  };

  test('deliveries are listed before excluded contacts', async () => {
    const all = await list('page_size=20');
    assert.deepEqual(all.ids, [...deliveries.map(([id]) => id), ...exclusions.map(([id]) => id)]);
    assert.equal(all.count, 13);
    assert.deepEqual(
      all.items
        .slice(10)
        .map(({ seq, address, state, exclusion_reason }) => [seq, address, state, exclusion_reason]),
      exclusions.map(([, address, reason]) => [null, address, 'excluded', reason]),
    );
    assert.ok(all.items.slice(0, 10).every(({ exclusion_reason }) => exclusion_reason === null));
    const pages = [
      await list('page_size=6'),
      await list('page_size=6&page=1'),
      await list('page_size=6&page=2'),
    ];
    assert.deepEqual(
      pages.flatMap(({ ids }) => ids),
      all.ids,
    );
    assert.deepEqual(
      pages.map(({ count, ids }) => [count, ids.length]),
      [
        [13, 6],
        [13, 6],
        [13, 1],
      ],
    );
    assert.deepEqual(await list('page=7'), { items: [], count: 13, collection: null, ids: [] });
  });

  test('recipients can be filtered by state', async () => {
    for (const state of recipientStates) {
      const expected = [...deliveries, ...exclusions]
        .filter((row) => stateOf(row) === state)
        .map(([id]) => id);
      const { ids, items, count } = await list(`state=${state}`);
      assert.deepEqual([ids.toSorted(), count], [expected, expected.length], state);
      assert.ok(items.every((item) => item.state === state));
      const second = await list(`state=${state}&page_size=1&page=1`);
      assert.deepEqual([second.ids, second.count], [ids.slice(1, 2), expected.length], state);
      const found = await list(`state=${state}&search=EXAMPLE`);
      const addressed = items.filter(({ address }) => address !== null);
      assert.deepEqual(
        found.ids,
        addressed.map(({ contact_id }) => contact_id),
        state,
      );
      assert.equal(found.count, addressed.length);
    }
    assertInvalid(await person.request('GET', `/api/sends/${sendId}/deliveries?state=lost`), 'state');
  });

  test('messages that were not sent can be listed together', async () => {
    const { ids, count } = await list('state=not_sent');
    assert.deepEqual([ids, count], [['c02', 'c03', 'c04', 'c08'], 4]);
    assert.deepEqual((await list('state=not_sent&page_size=3&page=1')).ids, ['c08']);
    const found = await list('state=not_sent&search=user-3');
    assert.deepEqual([found.ids, found.count], [['c03'], 1]);
  });

  test('recipients are found by address and contact id', async () => {
    assert.deepEqual((await list('search=user-3%40')).ids, ['c03']);
    const excluded = await list('search=Twin%40');
    assert.deepEqual(
      excluded.items.map(({ contact_id, state, exclusion_reason }) => [contact_id, state, exclusion_reason]),
      [['x1', 'excluded', 'duplicate_address']],
    );
    assert.deepEqual(
      (await list('search=x3')).items.map(({ address, exclusion_reason }) => [address, exclusion_reason]),
      [[null, 'no_address']],
    );
    assert.equal((await list('search=c0')).count, 0);
    assert.equal((await list('search=%25')).count, 0);
    assert.equal((await list('search=_')).count, 0);
    const page = await list('search=example&page_size=4&page=2');
    assert.deepEqual([page.count, page.ids], [12, ['c09', 'c10', 'x1', 'x2']]);
  });

  test('an export contains reactions and applies the filters', async () => {
    await addReactions();
    const lines = await download();
    assert.equal(
      lines.shift(),
      '\u{feff}email,contact_id,state,exclusion_reason,attempts,accepted_at,is_measured,first_opened_at,first_clicked_at,unsubscribed_at,complained_at,details',
    );
    assert.equal(lines.length, 13);
    assert.equal(
      lines[0],
      'user-1@sink.example,c01,sent,,1,2026-11-01T10:00:00.000Z,true,2026-11-01T10:05:00.000Z,2026-11-01T10:06:00.000Z,,,',
    );
    // CSV-2: the reply of a mail server is escaped so that it is no formula.
    assert.match(lines[1] ?? '', /^user-2@sink\.example,c02,bounced,,1,,,,,,,'=cmd\(\)$/);
    assert.equal(lines[12], ',x3,excluded,no_address,0,,,,,,,');
    const ids = async (query: string) => (await download(query)).slice(1).map((line) => line.split(',')[1]);
    for (const query of ['state=not_sent', 'state=queued', 'state=excluded', 'search=TWIN', 'search=c03'])
      assert.deepEqual(await ids(query), (await list(query)).ids, query);
    assert.deepEqual(await ids('state=sent&search=user-2'), []);
  });

  test('recipients are found by what they did, and bots did nothing', async () => {
    const ids = async (query: string) => (await list(query)).ids;
    assert.deepEqual(await ids('reaction=opened'), ['c01']);
    assert.deepEqual(await ids('reaction=clicked'), ['c01']);
    assert.deepEqual(await ids('reaction=unsubscribed'), []);
    assert.deepEqual([await ids('link=0'), await ids('link=1')], [['c01'], []]);
    // All filters apply.
    assert.deepEqual(await ids('reaction=opened&link=0&state=sent&search=user-1'), ['c01']);
    for (const other of ['state=bounced', 'search=user-2', 'link=1', 'state=excluded'])
      assert.deepEqual(await ids(`reaction=opened&${other}`), [], other);
    const path = `/api/sends/${sendId}/deliveries`;
    for (const [name, value] of [
      ['reaction', 'read'],
      ['link', '-1'],
    ])
      assertInvalid(await person.request('GET', `${path}?${name}=${value}`), name!);
    // They are results, which not everybody who sees the recipients may see.
    const rules = ['Organization', 'Campaign', 'Touchpoint', 'Content'].map((subject) => ({
      action: 'read',
      subject,
    }));
    const reader = await signInWithRules(app, organizationId, rules);
    await reader.ok('GET', path);
    for (const query of ['reaction=opened', 'link=0'])
      assertProblem(await reader.request('GET', `${path}?${query}`), 403, 'forbidden');
  });

  test('an export has no row limit', async () => {
    const { id, organization_id } = await buildSend(app.owner, {
      organization_id: organizationId,
      status: 'completed',
      recipients_total_count: 2_001,
      recipients_total_sent_count: 2_001,
    });
    await execute(app.owner)`
      insert into deliveries (organization_id, send_id, seq, contact_id, address, variables)
      select ${organization_id}::uuid, ${id}::uuid, seq, 'c' || seq, 'user-' || seq || '@sink.example', '{}'
      from generate_series(1, 2001) seq`;
    const lines = await download('', id);
    assert.deepEqual([lines.length, lines.at(-1)?.split(',')[1]], [2_002, 'c2001']);
  });

  test('an export needs access to contacts and is audited', async () => {
    const isExport = { organization_id: organizationId, action: 'sends.exportDeliveries' };
    await app.owner
      .deleteFrom('audit_log')
      .where((where) => where.and(isExport))
      .execute();
    const path = `/api/sends/${sendId}/deliveries/export`;
    const analyst = await app.signInMember(organizationId, 'analyst');
    const { client_id } = await app.owner
      .selectFrom('touchpoint_sends as s')
      .innerJoin('brands as b', 'b.id', 's.brand_id')
      .where('s.id', '=', sendId)
      .select('b.client_id')
      .executeTakeFirstOrThrow();
    const guest = await signInGuest(app, organizationId, [client_id]);
    assertProblem(await app.request('GET', path), 401, 'not_signed_in');
    assertProblem(await app.request('GET', path, { as: await app.signIn() }), 404, 'not_found');
    assertProblem(await guest.request('GET', path), 403, 'forbidden');
    assertInvalid(await analyst.request('GET', `${path}?state=lost`), 'state');
    const { status, headers } = await analyst.request('GET', `${path}?state=sent`);
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/csv/);
    assert.match(String(headers['content-disposition']), /^attachment/);
    assert.equal(headers['cache-control'], 'no-store');
    const entries = await app.owner
      .selectFrom('audit_log')
      .select(['user_id', 'details'])
      .where((where) => where.and(isExport))
      .execute();
    assert.equal(entries.length, 1);
    assert.equal(entries[0]?.user_id, analyst.userId);
    assert.partialDeepStrictEqual(entries[0]?.details, { filters: ['state'], send_id: sendId });
  });

  test('unsent recipients of an ended send are cancelled', async () => {
    const ended = {
      end_date: new Date().toISOString(),
      status: 'cancelled' as const,
      recipients_cancelled_count: 5,
    };
    await updateRows(app.owner, 'touchpoint_sends', { id: sendId }, ended);
    await execute(app.owner)`delete from delivery_queue where send_id = ${sendId} and kind = 'deferred'`;
    await execute(app.owner)`
      update delivery_chunks set done = true, worker_id = null where send_id = ${sendId}`;
    const cancelled = await list('state=cancelled');
    assert.deepEqual([cancelled.ids, cancelled.count], [['c05', 'c06', 'c07', 'c09', 'c10'], 5]);
    assert.ok(cancelled.items.every(({ state }) => state === 'cancelled'));
    for (const state of ['queued', 'sending']) assert.equal((await list(`state=${state}`)).count, 0);
    assert.deepEqual((await list('search=user-1&state=cancelled')).ids, ['c10']);
    // All but the one that was sent.
    const { ids, count } = await list('state=not_sent');
    assert.deepEqual([ids, count], [deliveries.slice(1).map(([id]) => id), 9]);
  });

  const download = async (query = '', id = sendId) => {
    const path = `/api/sends/${id}/deliveries/export?${query}`;
    return (await person.ok<string>('GET', path)).trimEnd().split('\r\n');
  };

  /** The first message was opened and clicked, earlier also by a bot; the second one is rejected with a formula as reply. */
  async function addReactions() {
    const of = { organization_id: organizationId, send_id: sendId, touchpoint_id: newId() };
    const result = (seq: number) =>
      app.owner.updateTable('delivery_results').where('send_id', '=', sendId).where('seq', '=', seq);
    await result(1).set({ accepted_at: '2026-11-01T10:00:00Z' }).execute();
    await result(2).set({ reply: '=cmd()' }).execute();
    const event = (seq: number, type: string, first_human_at: string | null, link_no = -1) => ({
      ...of,
      seq,
      type,
      link_no,
      human_count: first_human_at === null ? 0 : 1,
      bot_count: 1,
      first_human_at,
    });
    await insertRows(app.owner, 'delivery_event_counts', [
      event(1, 'OPEN_EMAIL', '2026-11-01T10:05:00Z'),
      event(1, 'CLICK', '2026-11-01T10:06:00Z'),
      event(1, 'CLICK', '2026-11-01T10:04:00Z', 0),
      event(2, 'OPEN_EMAIL', null),
    ]);
  }

  /** Two chunks: the first is leased by a worker, with message 6 in flight; the second was never leased. */
  async function buildMovingSend(organization_id: string): Promise<string> {
    const { owner } = app;
    const send = await buildSend(owner, {
      organization_id,
      status: 'sending',
      recipients_total_count: 10,
      recipients_total_sent_count: 1,
      recipients_total_delivery_failed_count: 1,
      recipients_total_failed_count: 1,
      recipients_suppressed_count: 1,
      recipients_uncertain_count: 1,
      audience_breakdown: JSON.stringify({
        matched: 13,
        excluded: { no_address: 1, invalid_address: 0, duplicate_address: 1, unsubscribed: 1, suppressed: 0 },
        will_receive: 10,
      }),
    });
    const of = { organization_id, send_id: send.id };
    await insertRows(
      owner,
      'deliveries',
      deliveries.map(([contact_id], index) => ({ ...of, ...delivery(index), contact_id })),
    );
    await insertRows(
      owner,
      'delivery_exclusions',
      exclusions.map(([contact_id, address, reason], index) => ({
        ...of,
        seq: index + 1,
        contact_id,
        address,
        reason,
      })),
    );
    await insertRows(
      owner,
      'delivery_results',
      deliveries.slice(0, 4).map(([, state], index) => ({
        ...of,
        seq: index + 1,
        state: state as Row<'delivery_results'>['state'],
        attempts: 1,
        at: new Date().toISOString(),
      })),
    );
    await insertRows(owner, 'delivery_queue', [
      { ...of, seq: 5, kind: 'deferred', attempts: 1 },
      { ...of, seq: 7, kind: 'deferred', attempts: 1, worker_id: 1 },
      { ...of, seq: 8, kind: 'uncertain', attempts: 1 },
    ]);
    await insertRows(owner, 'delivery_chunks', [
      { ...of, first_seq: 1, last_seq: 9, marked_up_to: 8, worker_id: 1, lease_token: 1 },
      { ...of, first_seq: 10, last_seq: 10, marked_up_to: 9 },
    ]);
    return send.id;
  }
});

const deliveries: [id: string, state: DeliveryState][] = [
  ['c01', 'sent'],
  ['c02', 'bounced'],
  ['c03', 'failed'],
  ['c04', 'suppressed'],
  ['c05', 'queued'],
  ['c06', 'sending'],
  ['c07', 'sending'],
  ['c08', 'uncertain'],
  ['c09', 'queued'],
  ['c10', 'queued'],
];

const exclusions: [id: string, address: string | null, reason: ExclusionReason][] = [
  ['x1', 'TWIN@sink.example', 'duplicate_address'],
  ['x2', 'gone@sink.example', 'unsubscribed'],
  ['x3', null, 'no_address'],
];

const stateOf = (row: (typeof deliveries)[number] | (typeof exclusions)[number]): string =>
  row.length === 2 ? row[1] : 'excluded';

const delivery = (index: number) => ({
  seq: index + 1,
  address: `user-${index + 1}@sink.example`,
  variables: JSON.stringify({}),
});
