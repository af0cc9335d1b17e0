import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Quota } from '@reachout/contract/organizations.ts';
import type { CampaignStatus } from '@reachout/contract/states/campaign.ts';
import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
import type { Website, WebsiteEvent } from '@reachout/contract/websites.ts';
import { readWebsiteHost } from '@reachout/contract/rules/website-hosts.ts';
import { setQuota } from '../../identity/organizations/quotas.ts';
import type { VisitorEvent } from '../../events/event.ts';
import { createDropCounter } from '../../events/website-drops.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildReadyEmail } from '../../testing/ready-email.ts';
import { insertRows } from '../../sample/rows.ts';
import { deleteRows, listRows, getRow } from '../../testing/rows.ts';
import { signInWithRules } from '../../testing/sign-in-with-rules.ts';
import { useMade } from '../../testing/use-made.ts';

suite('websites', () => {
  const app = useSharedApp();
  const email = useMade(() => buildReadyEmail(app));
  const editor = useMade(() => app.signInMember(email.organizationId, 'editor'));
  const analyst = useMade(() => app.signInMember(email.organizationId, 'analyst'));

  const create = (given: object = {}) =>
    editor.request<Touchpoint>('POST', '/api/touchpoints', {
      organization_id: email.organizationId,
      campaign_id: email.campaignId,
      name: 'Shop',
      type: 'website',
      ...given,
    });
  const createWebsite = async () => (await create()).body.id;
  const path = (id: string, rest = '') => `/api/touchpoints/${id}/website${rest}`;
  const get = async (id: string) => await editor.ok<Website>('GET', path(id));
  const setHosts = (id: string, hosts: string[], as: Person = editor) =>
    as.request<Website>('PATCH', path(id), { hosts });
  const act = (id: string, action: 'start' | 'pause' | 'token', as: Person = editor) =>
    as.request<Website>('POST', path(id, `/${action}`));
  const statusOf = async (id: string) =>
    (await editor.ok<Touchpoint>('GET', `/api/touchpoints/${id}`)).status;

  async function storeEvent(touchpointId: string, given: Partial<VisitorEvent> = {}) {
    const row = {
      organization_id: email.organizationId,
      touchpoint_id: touchpointId,
      id: given.id ?? crypto.randomUUID(),
      at: (given.at ?? new Date()).toISOString(),
      type: given.type ?? 'VIEW_PAGE',
      visitor_id: '00000000-0000-4000-8000-000000abcdef',
      name: given.name ?? null,
      url: `https://shop.example${given.path ?? '/'}`,
      path: given.path ?? '/',
      user_id: given.userId ?? null,
      collection: given.collection ?? null,
      is_bot: given.isBot ?? false,
    };
    await insertRows(app.owner, 'visitor_events', [row]);
    return row;
  }

  test('a new website has a token and nothing else', async () => {
    const id = await createWebsite();
    const { token, updated_at, id: websiteId, ...website } = await get(id);
    assert.match(token, /^[\w-]{32}$/);
    assert.notEqual(websiteId, id);
    assert.ok(Date.parse(updated_at) > 0);
    assert.deepEqual(website, {
      touchpoint_id: id,
      hosts: [],
      linked_hosts: [],
      token_rotated_at: null,
      tracker_url: `${app.services.config.publicUrl}/tracker.js`,
      first_event: null,
      last_event_at: null,
      drops: [],
      quotas: [
        { quota: 'website_events', limit: 2_000_000, used: 0 },
        { quota: 'website_megabytes', limit: 1_000, used: 0 },
      ],
    });
  });

  test('an email is no website', async () => {
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { hosts: [] }],
      ['POST', '/token', undefined],
      ['POST', '/start', undefined],
      ['POST', '/pause', undefined],
      ['GET', '/events', undefined],
    ] as const)
      assertProblem(
        await email.person.request(method, path(email.touchpointId, rest), body),
        404,
        'not_found',
      );
  });

  test('hosts are stored as A-labels without default ports, and shown as written', async () => {
    const id = await createWebsite();
    const typed = [
      'Shop.Example',
      'https://www.müller.example:443/de?x=1',
      '*.müller.example',
      'localhost:3000',
    ];
    const { status, body } = await setHosts(id, [...typed, 'shop.example.']);
    assert.equal(status, 200);
    const shown = ['shop.example', 'www.müller.example', '*.müller.example', 'localhost:3000'];
    assert.deepEqual(body.hosts, shown);
    const stored = await getRow(app.owner, 'touchpoint_websites', ['hosts'], { touchpoint_id: id });
    assert.deepEqual(stored.hosts, [
      'shop.example',
      'www.xn--mller-kva.example',
      '*.xn--mller-kva.example',
      'localhost:3000',
    ]);
    // What is shown can be sent back.
    assert.deepEqual((await setHosts(id, shown)).body.hosts, shown);
  });

  test('hosts without a common domain are named by the snippet', async () => {
    const id = await createWebsite();
    for (const [hosts, linked] of [
      [['shop.example', '*.shop.example', 'pay.shop.example:8443'], null],
      [['www.shop.co.uk', 'shop.co.uk', 'localhost:3000', '[::1]:3000', '10.0.0.1'], null],
      [['a.github.io'], null],
      [['*.a.github.io', 'a.github.io'], null],
      [['www.shop.example', 'pay.shop-checkout.example'], undefined],
      [['shop.co.uk', 'checkout.co.uk'], undefined],
      [['a.github.io', 'b.github.io'], undefined],
      [['*.github.io'], undefined],
      [
        ['shop.example', '*.müller.example'],
        ['shop.example', '*.xn--mller-kva.example'],
      ],
    ] as [string[], (string[] | null)?][])
      assert.deepEqual(
        (await setHosts(id, hosts)).body.linked_hosts,
        linked === null ? [] : (linked ?? hosts),
        hosts.join(),
      );
  });

  test('hosts are names, addresses or subdomains, with a port', () => {
    for (const [typed, host] of [
      ['127.0.0.1:8080', '127.0.0.1:8080'],
      ['[::1]:8080', '[::1]:8080'],
      ['http://localhost', 'localhost'],
      ['shop.example:80', 'shop.example'],
      [' shop.example:8443 ', 'shop.example:8443'],
      ['a_b.example', 'a_b.example'],
      ['shop.example/path', 'shop.example'],
      ['', undefined],
      ['shop', undefined],
      ['123', undefined],
      ['*', undefined],
      ['*.', undefined],
      ['*.example', undefined],
      ['*.127.0.0.1', undefined],
      ['a.*.example', undefined],
      ['-a.example', undefined],
      ['a..example', undefined],
      ['shop.example:99999', undefined],
      ['me:secret@shop.example', undefined],
      ['ftp://shop.example', undefined],
      ['shop .example', undefined],
      ['localhost.', undefined],
      [`${'a'.repeat(64)}.example`, undefined],
    ] as const)
      assert.equal(readWebsiteHost(typed), host, typed);
  });

  test('a host that cannot be one is named, and nothing is stored', async () => {
    const id = await createWebsite();
    assertInvalid(await setHosts(id, ['shop.example', 'no host']), 'hosts.1');
    assertInvalid(
      await setHosts(
        id,
        Array.from({ length: 21 }, (_, no) => `h${no}.example`),
      ),
      'hosts',
    );
    assertInvalid(await setHosts(id, ['x'.repeat(301)]), 'hosts.0');
    assert.deepEqual((await get(id)).hosts, []);
  });

  test('a website is created with hosts, or not at all', async () => {
    const { body } = await create({ website: { hosts: ['https://shop.example/'] } });
    assert.deepEqual((await get(body.id)).hosts, ['shop.example']);
    const name = `Refused ${crypto.randomUUID()}`;
    assertInvalid(await create({ name, website: { hosts: ['no host'] } }), 'website.hosts.0');
    assertInvalid(await create({ name, type: 'email', website: { hosts: ['shop.example'] } }), 'website');
    assert.deepEqual(await listRows(app.owner, 'touchpoints', ['id'], { name }), []);
  });

  test('a website starts with a host, and pauses and resumes', async () => {
    const id = await createWebsite();
    assertProblem(await act(id, 'start'), 409, 'host_missing');
    assertProblem(await act(id, 'pause'), 409, 'invalid_transition');
    await setHosts(id, ['shop.example']);
    assert.equal((await act(id, 'start')).status, 200);
    assert.equal(await statusOf(id), 'active');
    assertProblem(await act(id, 'start'), 409, 'invalid_transition');
    assertProblem(await setHosts(id, []), 409, 'host_missing');
    assert.equal((await act(id, 'pause')).status, 200);
    assert.equal(await statusOf(id), 'paused');
    assert.equal((await act(id, 'start')).status, 200);
    await editor.ok('PATCH', `/api/touchpoints/${id}`, { status: 'archived' });
    assertProblem(await act(id, 'start'), 409, 'invalid_transition');
    const actions = await listRows(app.owner, 'audit_log', ['action', 'record_name'], {
      record_type: 'touchpoints',
      record_id: id,
    });
    assert.deepEqual(
      actions
        .map(({ action, record_name }) => `${action} ${record_name}`)
        .filter((entry) => /start|pause/.test(entry)),
      ['websites.start Shop', 'websites.pause Shop', 'websites.start Shop'],
    );
  });

  test('a website of an archived campaign does not start', async () => {
    const id = await createWebsite();
    await setHosts(id, ['shop.example']);
    const { campaign_id } = await editor.ok<Touchpoint>('GET', `/api/touchpoints/${id}`);
    const archive = (status: CampaignStatus) =>
      app.owner.updateTable('campaigns').set({ status }).where('id', '=', campaign_id).execute();
    await archive('archived');
    assertProblem(await act(id, 'start'), 409, 'campaign_archived');
    await archive('draft');
  });

  test('a new token replaces the old one', async () => {
    const id = await createWebsite();
    const original = await get(id);
    const { body: replaced } = await act(id, 'token');
    assert.notEqual(replaced.token, original.token);
    assert.equal(replaced.id, original.id);
    assert.ok(replaced.token_rotated_at !== null);
  });

  test('a copy has the hosts of its original, and a token of its own', async () => {
    const id = await createWebsite();
    await setHosts(id, ['shop.example']);
    await act(id, 'start');
    const copy = await editor.ok<Touchpoint>('POST', `/api/touchpoints/${id}/duplicate`, {
      name: 'Copy',
    });
    assert.equal(copy.status, 'draft');
    const [one, other] = [await get(id), await get(copy.id)];
    assert.deepEqual(other.hosts, ['shop.example']);
    assert.notEqual(other.token, one.token);
    assert.notEqual(other.id, one.id);
  });

  test('readers see a website and do not change it', async () => {
    const id = await createWebsite();
    await analyst.ok('GET', path(id));
    await analyst.ok('GET', path(id, '/events'));
    assertProblem(await setHosts(id, ['shop.example'], analyst), 403, 'forbidden');
    for (const action of ['start', 'pause', 'token'] as const)
      assertProblem(await act(id, action, analyst), 403, 'forbidden');
  });

  test('the first and the last event are found among all', async () => {
    const id = await createWebsite();
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const first = await storeEvent(id, { path: '/first', at: minutesAgo(90) });
    await storeEvent(id, { path: '/second', at: minutesAgo(60) });
    const last = await storeEvent(id, { path: '/third', at: minutesAgo(5) });
    const { first_event, last_event_at } = await get(id);
    assert.deepEqual(
      { ...first_event, at: Date.parse(first_event!.at) },
      { at: Date.parse(first.at), url: 'https://shop.example/first' },
    );
    assert.equal(Date.parse(last_event_at!), Date.parse(last.at));
    const events = await editor.ok<WebsiteEvent[]>('GET', path(id, '/events'));
    assert.deepEqual(
      events.map(({ path: page, visitor }) => `${page} ${visitor}`),
      ['/third abcdef', '/second abcdef', '/first abcdef'],
    );
  });

  test('the newest 50 events are listed, without those of other websites', async () => {
    const [id, other] = [await createWebsite(), await createWebsite()];
    await storeEvent(other);
    const now = Date.now();
    for (let no = 0; no < 60; no++) await storeEvent(id, { path: `/${no}`, at: new Date(now - no * 1_000) });
    const body = await editor.ok<WebsiteEvent[]>('GET', path(id, '/events'));
    assert.deepEqual(
      body.map(({ path: page }) => page),
      Array.from({ length: 50 }, (_, no) => `/${no}`),
    );
  });

  test('only those who read contacts see what a page says about its visitor', async () => {
    const id = await createWebsite();
    await storeEvent(id, { type: 'IDENTIFY', userId: 'ada@contacts.example', collection: 'contacts' });
    const watcher = await signInWithRules(
      app,
      email.organizationId,
      ['Organization', 'Touchpoint', 'Statistics'].map((subject) => ({ action: 'read', subject })),
    );
    const usersSeenBy = async (as: Person) =>
      (await as.ok<WebsiteEvent[]>('GET', path(id, '/events'))).map(({ user_id, collection }) => [
        user_id,
        collection,
      ]);
    assert.deepEqual(await usersSeenBy(analyst), [['ada@contacts.example', 'contacts']]);
    assert.deepEqual(await usersSeenBy(watcher), [[null, null]]);

    // Content of one client or brand alone, and statistics of all.
    const { client, brand } = await editor.ok<Touchpoint>('GET', `/api/touchpoints/${id}`);
    const other = crypto.randomUUID();
    for (const [conditions, isShown] of [
      [{ client_id: client.id }, true],
      [{ brand_id: brand.id }, true],
      [{ client_id: other }, false],
      [{ brand_id: other }, false],
    ] as const) {
      const limited = await signInWithRules(app, email.organizationId, [
        ...['Organization', 'Touchpoint', 'Statistics'].map((subject) => ({ action: 'read', subject })),
        { action: 'read', subject: 'Content', conditions },
      ]);
      const expected = isShown ? ['ada@contacts.example', 'contacts'] : [null, null];
      assert.deepEqual(await usersSeenBy(limited), [expected], JSON.stringify(conditions));
    }
  });

  test('the use of the day is shown before its quota is reached', async () => {
    const id = await createWebsite();
    const quotas = async () => (await get(id)).quotas.map(({ used, limit }) => [used, limit]);
    assert.deepEqual(await quotas(), [
      [0, 2_000_000],
      [0, 1_000],
    ]);
    const use = async (ago: number, events: number, bytes: number) => {
      await deleteRows(app.owner, 'website_use', { touchpoint_id: id });
      await insertRows(app.owner, 'website_use', {
        organization_id: email.organizationId,
        touchpoint_id: id,
        day: new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10),
        events,
        bytes,
      });
    };
    await use(0, 1_700, 2_000_001);
    await setQuota(app.services.db, email.organizationId, 'website_events', 2_000);
    await setQuota(app.services.db, email.organizationId, 'website_megabytes', 5);
    assert.deepEqual(await quotas(), [
      [1_700, 2_000],
      [3, 5],
    ]);
    // The organization sees its busiest website.
    const listed = async () => {
      const quotasOf = `/api/organizations/${email.organizationId}/quotas`;
      return (await email.person.ok<{ items: Quota[] }>('GET', quotasOf)).items
        .filter(({ quota }) => quota.startsWith('website_'))
        .map(({ used, limit }) => [used, limit]);
    };
    assert.deepEqual(await listed(), await quotas());
    await use(1, 1_700, 2_000_001);
    for (const read of [quotas, listed])
      assert.deepEqual(await read(), [
        [0, 2_000],
        [0, 5],
      ]);
  });

  test('dropped events are counted by their reason', async () => {
    const id = await createWebsite();
    const drops = createDropCounter(app.services.db, app.services.log);
    const of = { organizationId: email.organizationId, touchpointId: id };
    drops.count(of, 'inactive', 2);
    drops.count(of, 'host', 3);
    await drops.close();
    assert.deepEqual(
      (await get(id)).drops.map(({ reason, count }) => `${reason} ${count}`),
      ['host 3', 'inactive 2'],
    );
  });
});
