import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { InferContractRouterOutputs } from '@orpc/contract';
import type { Contract } from '@reachout/contract/router.ts';
import type { Insertable } from 'kysely';
import {
  shownWork,
  type DashboardOverview,
  type DashboardResults,
  type DashboardWork,
} from '@reachout/contract/dashboard.ts';
import { sendError } from '@reachout/contract/rules/send-errors.ts';
import type { Send } from '@reachout/contract/sends.ts';
import type { DomainStatus } from '@reachout/contract/states/domain.ts';
import sharp from 'sharp';
import type { DB } from '../../platform/database/types.gen.ts';
import { newId } from '../../platform/ids.ts';
import { signInGuest } from '../../testing/actors.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { newWorld } from '../../testing/world.ts';
import { buildBrand, buildCampaign, buildClient, buildSend, buildTouchpoint } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';

type SendColumns = Partial<Insertable<DB['touchpoint_sends']>>;

suite('dashboard', () => {
  const app = useSharedApp();

  const ask = async (as: Person, organizationId: string, query = '') => {
    const path = `/api/dashboard/work?organization_id=${organizationId}${query}`;
    return await as.ok<DashboardWork>('GET', path);
  };

  const buildOrganizationWithClient = () => newWorld(app, 'clientId', 'owner');

  async function buildEmail(clientId: string) {
    const { id: brand_id } = await buildBrand(app.owner, {
      client_id: clientId,
      from_email: 'news@nordwind.example',
    });
    const { id: campaign_id } = await buildCampaign(app.owner, { brand_id });
    return (await buildTouchpoint(app.owner, { campaign_id })).id;
  }

  /** Builds a send with its own email. */
  async function build(clientId: string, columns: SendColumns): Promise<string> {
    const touchpoint_id = columns.touchpoint_id ?? (await buildEmail(clientId));
    return (await buildSend(app.owner, { ...columns, touchpoint_id })).id;
  }

  const ids = (sends: readonly Pick<Send, 'id'>[]) => sends.map(({ id }) => id);
  const kinds = ({ attention }: DashboardWork) =>
    attention.map((item) => [
      item.kind,
      'send' in item
        ? item.send.id
        : 'brand' in item
          ? item.brand.id
          : 'domain' in item
            ? item.domain?.id
            : item.import.id,
    ]);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const ended = { end_date: daysAgo(0), next_due_at: null };
  const broken = JSON.stringify(sendError('overdue'));

  test('running sends are listed before other active work', async () => {
    const { clientId, organizationId, owner: person } = await buildOrganizationWithClient();
    const paused = await build(clientId, { status: 'paused', send_date: daysAgo(2) });
    const running = await build(clientId, { status: 'sending', send_date: daysAgo(1) });
    const waiting = await build(clientId, { status: 'queued' });
    await build(clientId, { status: 'sending', kind: 'triggered' });
    await build(clientId, { status: 'sending', kind: 'test' });
    await build(clientId, { status: 'completed', ...ended });
    const work = await ask(person, organizationId);
    assert.deepEqual(ids(work.open), [running, waiting, paused]);
    assert.deepEqual([work.open_count, work.attention, work.attention_count], [3, [], 0]);
  });

  test('problems are listed with the most urgent first', async () => {
    const { clientId, organizationId, owner: person } = await buildOrganizationWithClient();
    const short = await build(clientId, {
      status: 'completed',
      ...ended,
      recipients_total_count: 9,
      recipients_total_sent_count: 6,
      recipients_total_failed_count: 2,
      recipients_total_delivery_failed_count: 1,
    });
    const failed = await build(clientId, { status: 'failed', error: broken, ...ended });
    const unclear = await build(clientId, {
      status: 'sending',
      uncertain_policy: 'hold',
      recipients_total_count: 5,
      recipients_uncertain_count: 2,
    });
    const paused = await build(clientId, { status: 'paused', error: broken, send_date: daysAgo(90) });
    await insertRows(
      app.owner,
      'content_collections',
      ['contacts', 'members'].map((collection) => ({ organization_id: organizationId, collection })),
    );
    const imported = newId();
    const file = {
      organization_id: organizationId,
      settings: '{}',
      status: 'failed' as const,
      file_name: 'people.csv',
    };
    await insertRows(app.owner, 'content_imports', [
      {
        ...file,
        id: imported,
        collection: 'contacts',
        error: JSON.stringify({ code: 'file_empty', values: {} }),
      },
      { ...file, id: newId(), collection: 'contacts', created_at: daysAgo(20) },
      { ...file, id: newId(), collection: 'members', created_at: daysAgo(3) },
      { ...file, id: newId(), collection: 'members', status: 'completed', created_at: daysAgo(2) },
    ]);
    // Need no attention: only bounces, long ago, cancelled by a person, sent again since, and paused by a person.
    const sentAgain = await buildEmail(clientId);
    const counters = { recipients_total_count: 3, recipients_total_sent_count: 2 };
    const [bounced, failure] = [
      { ...counters, recipients_total_delivery_failed_count: 1 },
      { ...counters, recipients_total_failed_count: 1 },
    ];
    await build(clientId, { status: 'completed', ...ended, ...bounced });
    await build(clientId, { status: 'completed', ...ended, ...failure, created_at: daysAgo(20) });
    await build(clientId, { status: 'cancelled', ...ended, ...failure });
    await build(clientId, {
      status: 'failed',
      error: broken,
      ...ended,
      touchpoint_id: sentAgain,
      created_at: daysAgo(1),
    });
    await build(clientId, { status: 'completed', ...ended, touchpoint_id: sentAgain });
    await build(clientId, { status: 'paused' });

    const work = await ask(person, organizationId);
    assert.deepEqual(kinds(work), [
      ['send_paused', paused],
      ['send_unclear', unclear],
      ['import_failed', imported],
      ['send_failed', failed],
      ['send_short', short],
    ]);
    assert.equal(work.attention_count, 5);
    assert.ok(!ids(work.open).includes(paused), 'each thing is named once');
    const [first] = work.attention;
    assert.ok(first?.kind === 'send_paused' && first.send.error?.code === 'overdue');
  });

  test('brands without sender are shown to permitted members', async () => {
    const { clientId, organizationId, owner: person } = await buildOrganizationWithClient();
    const buildSender = async (from_email: string, status?: 'archived') => {
      const { id: brand_id } = await buildBrand(app.owner, { client_id: clientId, from_email });
      await buildCampaign(app.owner, { brand_id, ...(status ? { status } : {}) });
      return brand_id;
    };
    await buildSender('news@nordwind.example');
    await buildSender('', 'archived');
    await buildBrand(app.owner, { client_id: clientId });
    const missing = await buildSender('');
    assert.deepEqual(kinds(await ask(person, organizationId)), [['brand_sender_missing', missing]]);
    const reader = await app.signInMember(organizationId, 'analyst');
    assert.deepEqual((await ask(reader, organizationId)).attention, []);
    const guest = await signInGuest(app, organizationId, [clientId]);
    assert.deepEqual((await ask(guest, organizationId)).attention, []);
  });

  test('domains that are failing or not verified for a day are listed', async () => {
    const { clientId, organizationId, owner: person } = await buildOrganizationWithClient();
    const { id: other } = await buildClient(app.owner, { organization_id: organizationId });
    const addDomain = async (
      label: string,
      status: DomainStatus,
      columns: { client_id?: string; created_at?: string } = {},
    ) => {
      const id = newId();
      const domain = `${label}.${organizationId}.example`;
      await insertRows(app.owner, 'sending_domains', {
        ...columns,
        organization_id: organizationId,
        id,
        domain,
        status,
      });
      return id;
    };
    const hoursAgo = (hours: number) => daysAgo(hours / 24);
    await addDomain('verified', 'verified', { created_at: daysAgo(9) });
    await addDomain('new', 'pending', { created_at: hoursAgo(23) });
    const pending = await addDomain('pending', 'pending', { created_at: hoursAgo(25) });
    const failing = await addDomain('failing', 'failing', { client_id: clientId });
    const others = await addDomain('others', 'failing', { client_id: other });
    await insertRows(app.owner, 'sending_domain_checks', {
      organization_id: organizationId,
      domain_id: failing,
      kind: 'dkim',
      failing_since: hoursAgo(7),
    });
    const paused = await build(clientId, { status: 'paused', error: broken });

    const work = await ask(person, organizationId);
    assert.deepEqual(kinds(work), [
      ['send_paused', paused],
      ['domain_failing', failing],
      ['domain_failing', others],
      ['domain_pending', pending],
    ]);
    assert.equal(work.attention_count, 4);
    const since = work.attention.flatMap((item) =>
      'domain' in item && item.domain?.id === failing ? [item.domain.since] : [],
    );
    assert.ok(Math.abs(Date.parse(since[0] ?? '') - Date.parse(hoursAgo(7))) < 60_000, String(since));
    // A client sees its own and those of the organization; a guest, none but its own.
    assert.deepEqual(kinds(await ask(person, organizationId, `&client_id=${clientId}`)).slice(1), [
      ['domain_failing', failing],
      ['domain_pending', pending],
    ]);
    const guest = await signInGuest(app, organizationId, [other]);
    assert.deepEqual(kinds(await ask(guest, organizationId)), [['domain_failing', others]]);
    const { owner: stranger, organizationId: elsewhere } = await buildOrganizationWithClient();
    assert.deepEqual(kinds(await ask(stranger, elsewhere)), []);
    const role = { organization_id: organizationId, role: 'sender' };
    await insertRows(app.owner, 'organization_roles', { ...role, name: 'Sender' });
    const rule = { position: 0, action: 'read', subject: 'Touchpoint' };
    await insertRows(app.owner, 'role_permissions', { ...role, ...rule });
    const without = await app.signInMember(organizationId, 'sender');
    assert.deepEqual(kinds(await ask(without, organizationId)), [['send_paused', paused]]);
  });

  test('omitted work is counted', async () => {
    const { clientId, organizationId, owner: person } = await buildOrganizationWithClient();
    for (let count = 0; count < shownWork + 2; count += 1) {
      await build(clientId, { status: 'sending' });
      await build(clientId, { status: 'failed', error: broken, ...ended });
    }
    const { open, open_count, attention, attention_count } = await ask(person, organizationId);
    assert.deepEqual([open.length, open_count], [shownWork, shownWork + 2]);
    assert.deepEqual([attention.length, attention_count], [shownWork, shownWork + 2]);
  });

  test('dashboard work is limited to visible clients (TEN-7, TEN-9)', async () => {
    const { clientId, organizationId, owner: person } = await buildOrganizationWithClient();
    const { id: other } = await buildClient(app.owner, { organization_id: organizationId });
    const mine = await build(clientId, { status: 'sending' });
    const theirs = await build(other, { status: 'sending' });
    const failed = await build(other, { status: 'failed', error: broken, ...ended });
    await insertRows(app.owner, 'content_imports', {
      organization_id: organizationId,
      id: newId(),
      settings: '{}',
      status: 'failed' as const,
      file_name: 'people.csv',
      collection: 'contacts',
    });
    const guest = await signInGuest(app, organizationId, [clientId]);
    for (const work of [
      await ask(guest, organizationId),
      await ask(person, organizationId, `&client_id=${clientId}`),
    ])
      assert.deepEqual([ids(work.open), work.open_count, work.attention_count], [[mine], 1, 0]);
    const elsewhere = await ask(guest, organizationId, `&client_id=${other}`);
    assert.deepEqual([elsewhere.open_count, elsewhere.attention_count], [0, 0]);
    const ofOther = await ask(person, organizationId, `&client_id=${other}`);
    assert.deepEqual([ids(ofOther.open), kinds(ofOther)], [[theirs], [['send_failed', failed]]]);

    const recent = await person.request<{ sends: Send[] }>(
      'GET',
      `/api/dashboard/recent?organization_id=${organizationId}&client_id=${clientId}`,
    );
    assert.deepEqual(ids(recent.body.sends), [mine]);
  });

  test('one response has results, recent changes and logos (TEN-9)', async () => {
    const { clientId, organizationId, owner: person } = await buildOrganizationWithClient();
    const { id: other } = await buildClient(app.owner, { organization_id: organizationId });
    const png = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#006ec6' } })
      .png()
      .toBuffer();
    const logos: string[] = [];
    for (const client of [clientId, other]) {
      await build(client, { status: 'paused', error: broken });
      const { brand } = (await ask(person, organizationId, `&client_id=${client}`)).attention.flatMap(
        (item) => ('send' in item ? [item.send] : []),
      )[0]!;
      const uploaded = await app.app.inject({
        method: 'POST',
        url: `/api/storage/logos/brands/${brand.id}/dark`,
        headers: { ...person.headers, 'content-type': 'image/png' },
        payload: png,
      });
      logos.push(uploaded.json<{ url: string }>().url);
    }
    const scope = `organization_id=${organizationId}`;
    const get = async <T>(path: string, as: Person) => await as.ok<T>('GET', `/api/dashboard${path}`);
    const guest = await signInGuest(app, organizationId, [clientId]);
    for (const [reader, shown] of [
      [person, logos],
      [guest, logos.slice(0, 1)],
    ] as const) {
      const overview = await get<DashboardOverview>(`?${scope}&period=7day`, reader);
      assert.deepEqual(Object.keys(overview.logos).toSorted(), shown.toSorted());
      for (const logo of Object.values(overview.logos)) assert.match(logo, /^data:image\/webp;base64,\S+$/);
      assert.deepEqual(overview.work, await ask(reader, organizationId));
      assert.deepEqual(overview.recent, await get(`/recent?${scope}`, reader));
      const setup = await reader.request('GET', `/api/organizations/${organizationId}/setup`);
      if (reader === person) assert.deepEqual(overview.setup, setup.body);
      const results = await get<DashboardResults>(`/results?${scope}&period=7day`, reader);
      assert.deepEqual(overview.results.total, results.total);
      assert.equal(overview.results.period.from, results.period.from);
    }
    const ofClient = await get<DashboardOverview>(`?${scope}&client_id=${other}`, person);
    assert.deepEqual([ids(ofClient.recent.sends).length, Object.keys(ofClient.logos)], [1, logos.slice(1)]);
  });

  test('the start response equals the separate operations (TEN-9)', async () => {
    const { clientId, organizationId, owner: person } = await buildOrganizationWithClient();
    await build(clientId, { status: 'paused', error: broken });
    const guest = await signInGuest(app, organizationId, [clientId]);
    const { owner: stranger } = await buildOrganizationWithClient();
    const start = (as: Person | undefined, query = '') =>
      app.request<InferContractRouterOutputs<Contract>['start']>('GET', `/api/start?${query}`, { as });
    const read = async <T>(path: string, as: Person) => await as.ok<T>('GET', `/api${path}`);
    const dashboard = 'dashboard[period]=7day&dashboard[time_zone]=Europe/Berlin';
    const whole = `organization_id=${organizationId}&${dashboard}`;

    for (const reader of [person, guest]) {
      const { status, body } = await start(reader, whole);
      assert.equal(status, 200);
      const { user, permissions, ...rest } = body;
      const { id, email, full_name, avatar_url } = await read<typeof user>('/me', reader);
      assert.deepEqual(user, { id, email, full_name, avatar_url });
      assert.deepEqual(permissions, await read(`/organizations/${organizationId}/permissions`, reader));
      assert.deepEqual(rest.preferences, await read('/me/preferences', reader));
      assert.deepEqual(rest.organizations, await read('/organizations', reader));
      const overview = `/dashboard?organization_id=${organizationId}&period=7day&time_zone=Europe/Berlin`;
      assert.deepEqual(rest.dashboard?.work, (await read<DashboardOverview>(overview, reader)).work);
    }
    const { body: alone } = await start(person);
    assert.deepEqual([alone.permissions, alone.dashboard], [null, null]);
    const { body: foreign } = await start(stranger, whole);
    assert.deepEqual([foreign.permissions, foreign.dashboard], [null, null]);
    assert.equal(foreign.organizations.count, 1);
    assert.equal((await start(undefined, whole)).status, 401);
    assert.equal((await start(person, `${whole}&dashboard[period]=1year`)).status, 422);
  });
});
