import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import type { CountedUntil, EmailStats } from '@reachout/contract/statistics.ts';
import type { ConversionGoal } from '@reachout/contract/websites.ts';
import { foldAll } from '../../testing/fold.ts';
import { useSharedApp } from '../../testing/app.ts';
import { listRows, updateRows } from '../../testing/rows.ts';
import { buildSentEmail } from '../../testing/sent-email.ts';
import { foldVisits } from '../../sample/events.ts';
import {
  buildWebsite,
  listVisitorEvents,
  pageView,
  websiteHeaders,
  type TestWebsite,
} from '../../testing/tracked-website.ts';
import { useMade } from '../../testing/use-made.ts';
import { assertColumn } from '../../testing/assert-column.ts';

suite('conversions of websites', () => {
  const app = useSharedApp();
  const sent = useMade(() =>
    buildSentEmail(app.owner, { addresses: ['mia@example.org', 'ben@example.org'] }),
  );
  const editor = useMade(() => app.signInMember(sent.organizationId, 'editor'));

  const createGoal = async ({ touchpointId }: TestWebsite, body: object = {}, as = editor) =>
    await as.ok<ConversionGoal>('POST', `/api/touchpoints/${touchpointId}/website/goals`, {
      event: 'Order',
      ...body,
    });
  /** A new one, because a website is kept in memory once it is known, without later goals. */
  const buildSite = async (...goals: object[]) => {
    const site = await buildWebsite(app.owner, { organization_id: sent.organizationId });
    for (const goal of goals) await createGoal(site, goal);
    return site;
  };
  const track = (site: TestWebsite, body: object, headers: Record<string, string> = {}) =>
    app.request('POST', '/api/track', { body, headers: { ...websiteHeaders(site), ...headers } });
  const order = (more: object = {}) => pageView({ type: 'TRACK', event: 'Order', ...more });
  const list = ({ touchpointId }: TestWebsite) =>
    listRows(app.owner, 'conversions', ['event_id', 'value', 'send_id', 'seq', 'visitor_id'], {
      touchpoint_id: touchpointId,
    });
  const valuesOf = async (site: TestWebsite) =>
    (await list(site))
      .map(({ value }) => (value === null ? null : Number(value)))
      .toSorted((one, other) => (one ?? -1) - (other ?? -1));
  /** @returns the value that a click on the link of a message adds to the address of the page */
  const follow = async (seq: number, of = sent) => {
    const { click } = app.services.signer.sign({ sendNumber: of.sendNumber, seq });
    const { headers } = await app.app.inject({
      url: `/t/c/${click}.0`,
      headers: { 'user-agent': websiteHeaders({ id: '', token: '' })['user-agent']! },
    });
    return new URL(String(headers.location)).searchParams.get('ctm_aid');
  };

  test('an event after a click is a conversion of the message', async () => {
    const startedMs = Date.now();
    const own = await buildSentEmail(app.owner, { addresses: ['mia@example.org', 'ben@example.org'] });
    const as = await app.signInMember(own.organizationId, 'editor');
    const site = await buildWebsite(app.owner, { organization_id: own.organizationId });
    await createGoal(site, { value: 5 }, as);
    const anonymous_id = randomUUID();
    const ctm_aid = await follow(1, own);
    assert.ok(ctm_aid !== null);
    await track(site, pageView({ anonymous_id, ctm_aid }));
    await track(site, [order({ anonymous_id }), order({ anonymous_id, value: 19.999 }), order()]);
    const found = await list(site);
    assert.deepEqual(
      found.map(({ value, send_id, seq }) => `${Number(value)} ${send_id} ${seq}`).toSorted(),
      [`20 ${own.sendId} 1`, `5 ${own.sendId} 1`, '5 null null'],
    );
    await foldAll(app.owner);
    const body = await as.ok<{ data: EmailStats; counted: CountedUntil }>(
      'GET',
      `/api/content/${own.organizationId}/reachout/touchpoint_emails/stats?touchpoint=${own.touchpointId}`,
    );
    assert.equal(body.counted.is_behind, false);
    assert.ok(Date.parse(body.counted.at) >= startedMs);
    const { clicked, visited, converted, conversions, conversion_value } = body.data;
    assert.deepEqual([clicked.unique, visited, converted, conversions, conversion_value], [1, 1, 1, 2, 25]);
  });

  test('an event that brings a token needs no page view', async () => {
    const site = await buildSite({});
    await track(site, order({ anonymous_id: randomUUID(), ctm_aid: await follow(2) }));
    const [only] = await list(site);
    assert.deepEqual([only!.send_id, only!.seq], [sent.sendId, 2]);
  });

  test('an event with the id of an earlier one is no conversion', async () => {
    const site = await buildSite({});
    const timestamp = new Date(Date.now() + 1_000).toISOString();
    const far = new Date(Date.now() - 90_000_000).toISOString();
    const send = (as: 'page' | 'order', event_id: string, at: string) =>
      track(site, (as === 'page' ? pageView : order)({ event_id, timestamp: at }));
    const [waiting, counted, late, once] = Array.from({ length: 4 }, () => randomUUID()) as [
      string,
      string,
      string,
      string,
    ];
    await send('page', counted, timestamp);
    await send('page', late, far);
    await foldVisits(app.owner, site);
    await send('page', waiting, timestamp);
    for (const id of [waiting, counted]) await send('order', id, timestamp);
    await send('order', late, far);
    for (let count = 0; count < 2; count++) await send('order', once, timestamp);
    await foldVisits(app.owner, site);
    await send('order', once, timestamp);
    assertColumn(await list(site), 'event_id', [once]);
  });

  test('the value of an event wins over that of its goal', async () => {
    const site = await buildSite({ event: 'Order', value: 7 }, { event: 'Lead' });
    await track(
      site,
      [undefined, null, 0, 0.004, 0.005, 12.345, 1_000_000_000].map((value) => order({ value })),
    );
    await track(site, [order({ event: 'Lead' }), order({ event: 'Lead', value: 3 })]);
    assert.deepEqual(await valuesOf(site), [null, 0, 0, 0.01, 3, 7, 7, 12.35, 1_000_000_000]);
  });

  test('a value that is no amount counts as 0, and never as that of the goal', async () => {
    const site = await buildSite({ value: 7 });
    const odd = [-0.01, 1_000_000_000.01, true, [], {}, [5], '5,00', 'NaN', ' ', '-1', '\ud83d'];
    for (const value of odd) assert.equal((await track(site, order({ value }))).status, 204);
    for (const value of ['1e999', '-1e999']) {
      const { statusCode } = await app.app.inject({
        method: 'POST',
        url: '/api/track',
        headers: { ...websiteHeaders(site), 'content-type': 'application/json' },
        payload: JSON.stringify(order({ value: 0 })).replace('"value":0', `"value":${value}`),
      });
      assert.equal(statusCode, 204, value);
    }
    await track(site, [order({ value: '5' }), order({ value: ' 19.999 ' }), order({ value: '' })]);
    assert.deepEqual(await valuesOf(site), [...Array(odd.length + 2).fill(0), 5, 7, 20]);
  });

  test('only events by people with the name of a goal are conversions', async () => {
    const site = await buildSite({ event: 'Order – späte' });
    await track(site, order({ event: 'Order – späte' }), { 'user-agent': 'Googlebot/2.1' });
    await track(site, order({ event: 'Order – späte' }), { dnt: '1' });
    await track(site, [
      order({ event: 'order – späte' }),
      order({ event: 'toString' }),
      pageView({ event: 'Order – späte' }),
      order({ event: 'Order – späte', url: 'https://elsewhere.example/' }),
    ]);
    assert.deepEqual(await list(site), []);
    const names = ['Order – späte', ' Order – späte ', 'Order – späte'.normalize('NFD')];
    await track(
      site,
      names.map((event) => order({ event })),
    );
    assert.equal((await list(site)).length, 3);
  });

  test('a repeated event counts once', async () => {
    const site = await buildSite({});
    const event = order({ value: 3 });
    await track(site, [event, { ...event, value: 4 }]);
    await track(site, event);
    await track(site, { ...event, timestamp: new Date(Date.now() - 3 * 86_400_000).toISOString() });
    assert.deepEqual(await valuesOf(site), [3]);
  });

  test('a goal counts what has the same id once', async () => {
    const site = await buildSite({ value: 7 }, { event: 'Lead' });
    const other = await buildSite({});
    const id = `${randomUUID()} ${'x'.repeat(300)}`;
    const now = Date.now();
    const secondsBefore = (seconds: number) => new Date(now + 60_000 - seconds * 1_000).toISOString();
    const send = async (more: object, of = site) =>
      assert.equal((await track(of, order({ anonymous_id: randomUUID(), ...more }))).status, 204);
    await send({ id, value: 30, timestamp: secondsBefore(1) });
    await send({ id: ` ${id} `, value: 20, timestamp: secondsBefore(2) });
    await foldVisits(app.owner, site);
    await send({ id, value: 40, timestamp: secondsBefore(0) });
    await send({ id, event: 'Lead' });
    await send({ id: `${id}x` });
    for (const number of [1_017, '1017']) await send({ id: number, value: 5 });
    for (const none of ['', ' ', null, {}, [id], true]) await send({ id: none, value: 1 });
    await send({ id }, other);
    assert.deepEqual(await valuesOf(site), [null, 1, 1, 1, 1, 1, 1, 5, 7, 20]);
    assert.equal((await list(other)).length, 1);
    assert.equal((await listVisitorEvents(app.owner, site)).length, 13);
  });

  test('forged tokens, and those of another organization, attribute nothing', async () => {
    const other = await buildSentEmail(app.owner);
    const signed = (await follow(1))!;
    const { click, open } = app.services.signer.sign({ sendNumber: sent.sendNumber, seq: 1 });
    const foreign = app.services.signer.signVisit({ sendNumber: other.sendNumber, seq: 1 });
    const site = await buildSite({});
    for (const ctm_aid of [
      `${signed.slice(0, -2)}${signed.at(-2) === 'A' ? 'B' : 'A'}${signed.at(-1)}`,
      click,
      open,
      foreign,
      'x',
      '../../x',
      signed.toUpperCase(),
    ])
      await track(site, order({ anonymous_id: randomUUID(), ctm_aid }));
    assert.deepEqual(new Set((await list(site)).map(({ send_id }) => send_id)), new Set([null]));
    for (const { organizationId } of [sent, other])
      assert.deepEqual(
        await listRows(app.owner, 'followed_links', ['seq'], {
          organization_id: organizationId,
          touchpoint_id: site.touchpointId,
        }),
        [],
      );
  });

  test('a goal counts no event from before it was one', async () => {
    const site = await buildSite();
    const earlier = order({ timestamp: new Date(Date.now() - 1_000).toISOString() });
    const { id } = await createGoal(site);
    await track(site, earlier);
    assert.deepEqual(await list(site), []);
    await track(site, order());
    assert.equal((await list(site)).length, 1);
    const touchpoint_id = site.touchpointId;
    assert.deepEqual(await listRows(app.owner, 'conversions', ['goal_id'], { touchpoint_id }), [
      { goal_id: id },
    ]);
  });

  test('a removed goal takes its conversions from the numbers at once', async () => {
    const site = await buildSite();
    const { id } = await createGoal(site);
    await track(site, order());
    const count = async () =>
      (await listRows(app.owner, 'current_conversions', ['event_id'], { touchpoint_id: site.touchpointId }))
        .length;
    assert.equal(await count(), 1);
    const path = `/api/touchpoints/${site.touchpointId}/website/goals`;
    await editor.request('DELETE', `${path}/${id}`);
    assert.equal(await count(), 0);
    await createGoal(site);
    assert.equal(await count(), 0);
  });

  test('a website that is not active has no conversions', async () => {
    const site = await buildSite({});
    await updateRows(app.owner, 'touchpoints', { id: site.touchpointId }, { status: 'paused' });
    await track(site, order({ ctm_aid: await follow(1) }));
    assert.deepEqual(await list(site), []);
  });
});
