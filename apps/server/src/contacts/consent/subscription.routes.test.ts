import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { sql } from 'kysely';
import type { AudienceCount } from '@reachout/contract/filters.ts';
import type { Collection, Item } from '@reachout/contract/content.ts';
import type { Subscription, SubscriptionSummary } from '@reachout/contract/consent.ts';
import { suppressionReasons, type SuppressionReason } from '@reachout/contract/statuses.ts';
import { newId } from '../../platform/ids.ts';
import { useSharedApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildBrand, buildCampaign, buildSend, buildTouchpoint } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { deleteRows } from '../../testing/rows.ts';
import { signInWithRules } from '../../testing/sign-in-with-rules.ts';
import { useWorld } from '../../testing/world.ts';
import { assertColumn } from '../../testing/assert-column.ts';

suite('subscriptions of contacts', () => {
  const app = useSharedApp();
  const { owner, organizationId, base, branch } = useWorld(app);
  const [north, south] = [branch('north'), branch('south')];
  /** One brand for each of two clients. */
  const brands = { north: north.brandId, south: south.brandId };
  const clients = { north: north.clientId, south: south.clientId };

  beforeEach(async () => {
    for (const table of ['content_items', 'content_unique_values', 'choices', 'resubscriptions'] as const)
      await deleteRows(app.owner, table, { organization_id: organizationId });
  });

  const add = async (email: string, more: Item = {}): Promise<string> => {
    const body = { email, ...more };
    return (await owner.ok<{ data: Item }>('POST', `${base}/items/contacts`, body)).data['id'] as string;
  };
  const change = (key: string, data: Item) =>
    owner.request<{ data: Item }>('PATCH', `${base}/items/contacts/${key}`, data);
  const get = async (key: string, as = owner) =>
    await as.ok<Subscription>('GET', `${base}/consent/contacts/${key}`);
  const summaries = async (keys: string[], as = owner) => {
    const path = `${base}/consent/contacts?keys=${keys.join(',')}`;
    const body = await as.ok<{ items: SubscriptionSummary[] }>('GET', path);
    return new Map(body.items.map((item) => [item.key, item]));
  };
  const act = (what: 'unsubscribe' | 'resubscribe', key: string, body: object, as = owner) =>
    as.request<Subscription>('POST', `${base}/consent/contacts/${key}/${what}`, body);
  const suppress = (
    address_key: string,
    { reason, ...more }: { brand_id?: string; reason: SuppressionReason; send_id?: string },
  ) =>
    insertRows(app.owner, 'choices', {
      kind: 'suppression',
      id: newId(),
      organization_id: organizationId,
      address_key,
      value: reason,
      ...more,
    });
  const pause = (address_key: string, brand_id: string, days = 30) =>
    insertRows(app.owner, 'choices', {
      kind: 'pause',
      value: 'paused',
      organization_id: organizationId,
      brand_id,
      address_key,
      until: new Date(Date.now() + days * 86_400_000).toISOString(),
      source: 'preferences',
    });
  const excludedBy = async (brand_id: string) => {
    const body = await app.ok<AudienceCount>('POST', '/api/filters/count', {
      as: owner,
      body: { organization_id: organizationId, brand_id, collection: 'contacts' },
    });
    return Object.fromEntries(Object.entries(body.excluded).filter(([, count]) => count > 0));
  };
  const statesOf = ({ brands: list }: Subscription) =>
    Object.fromEntries(list.map(({ name, state }) => [name, state]));

  test('subscriptions report state, date and email by brand', async () => {
    const campaign = await buildCampaign(app.owner, { brand_id: brands.south });
    const touchpoint = await buildTouchpoint(app.owner, { campaign_id: campaign.id, name: 'Spring news' });
    const send = await buildSend(app.owner, { touchpoint_id: touchpoint.id });
    const key = await add('Ada@mail.example');
    await suppress('ada@mail.example', { brand_id: brands.south, reason: 'unsubscribe', send_id: send.id });
    const found = await get(key);
    assert.deepEqual(
      [found.address, found.state, found.suppressed_count, found.brands_count],
      ['Ada@mail.example', 'subscribed', 1, 2],
    );
    assert.deepEqual(statesOf(found), { 'south brand': 'unsubscribed', 'north brand': 'subscribed' });
    assert.equal(found.brands[0]?.name, 'south brand', 'what is suppressed comes first');
    const [suppression] = found.suppressions;
    assert.equal(suppression?.source, 'link');
    assert.equal(suppression.brand_id, brands.south);
    assert.equal(suppression.touchpoint?.name, 'Spring news');
    assert.equal(suppression.brand_name, 'south brand');
    assert.match(suppression.at ?? '', /^\d{4}-\d\d-\d\dT/);
    // The audience and the contact's page are consistent.
    assert.deepEqual(await excludedBy(brands.south), { unsubscribed: 1 });
    assert.deepEqual(await excludedBy(brands.north), {});
  });

  test('subscriptions can be limited to one client', async () => {
    const key = await add('ada@mail.example');
    await suppress('ada@mail.example', { brand_id: brands.south, reason: 'unsubscribe' });
    const told = async (of: keyof typeof clients) => {
      const query = `?client_id=${clients[of]}`;
      const [list, found] = await Promise.all([
        owner.request<{ items: SubscriptionSummary[] }>(
          'GET',
          `${base}/consent/contacts${query}&keys=${key}`,
        ),
        owner.request<Subscription>('GET', `${base}/consent/contacts/${key}${query}`),
      ]);
      const {
        brands: _brands,
        suppressions,
        resubscriptions: _re,
        address: _address,
        ...summary
      } = found.body;
      assert.deepEqual(list.body.items, [summary], 'the list says the same');
      assert.equal(suppressions.length, 1, 'what holds is told of all clients');
      return [summary.state, summary.suppressed_count, summary.brands_count, statesOf(found.body)];
    };
    assert.deepEqual(await told('north'), ['subscribed', 0, 1, { 'north brand': 'subscribed' }]);
    assert.deepEqual(await told('south'), ['unsubscribed', 1, 1, { 'south brand': 'unsubscribed' }]);
  });

  test('a contact has subscriptions only to brands that can use its list', async () => {
    const contactsOf = async (ownerOf: object) => {
      const list = await app.ok<Collection>('POST', `${base}/collections`, {
        as: owner,
        body: { organization_id: organizationId, name: 'Customers', ...ownerOf },
      });
      const body = await owner.ok<{ data: Item }>('POST', `${base}/items/${list.collection}`, {
        email: 'ada@mail.example',
      });
      return { list: list.collection, key: body.data['id'] as string };
    };
    await suppress('ada@mail.example', { brand_id: brands.south, reason: 'unsubscribe' });
    const second = await buildBrand(app.owner, { client_id: clients.north, name: 'second brand' });
    const told = async ({ list, key }: { list: string; key: string }) => {
      const body = await owner.ok<Subscription>('GET', `${base}/consent/${list}/${key}`);
      const path = `${base}/consent/${list}?keys=${key}`;
      const all = await owner.request<{ items: SubscriptionSummary[] }>('GET', path);
      const { state, suppressed_count, brands_count } = all.body.items[0]!;
      return [Object.keys(statesOf(body)).toSorted(), state, suppressed_count, brands_count];
    };
    assert.deepEqual(await told(await contactsOf({ client_id: clients.north })), [
      ['north brand', 'second brand'],
      'subscribed',
      0,
      2,
    ]);
    assert.deepEqual(await told(await contactsOf({ brand_id: second.id })), [
      ['second brand'],
      'subscribed',
      0,
      1,
    ]);
    assert.deepEqual(await told(await contactsOf({ client_id: clients.south })), [
      ['south brand'],
      'unsubscribed',
      1,
      1,
    ]);
    await sql`delete from brands where id = ${second.id}`.execute(app.owner);
  });

  test('lists report the most important subscription state', async () => {
    const keys = {
      fine: await add('fine@mail.example'),
      partly: await add('partly@mail.example'),
      bounced: await add('bounced@mail.example'),
      complained: await add('complained@mail.example'),
      out: await add('out@mail.example', { unsubscribed: true }),
      leftEach: await add('each@mail.example'),
      nowhere: await add('no address'),
      rests: await add('rests@mail.example'),
      restsPartly: await add('partly.rests@mail.example'),
      rested: await add('rested@mail.example'),
      restsAndLeft: await add('rests.left@mail.example'),
    };
    await suppress('partly@mail.example', { brand_id: brands.north, reason: 'unsubscribe' });
    await suppress('bounced@mail.example', { reason: 'bounce' });
    await suppress('complained@mail.example', { reason: 'complaint' });
    for (const brand_id of Object.values(brands))
      await suppress('each@mail.example', { brand_id, reason: 'unsubscribe' });
    for (const brand_id of Object.values(brands)) await pause('rests@mail.example', brand_id);
    await pause('partly.rests@mail.example', brands.north);
    for (const brand_id of Object.values(brands)) await pause('rested@mail.example', brand_id, -1);
    await pause('rests.left@mail.example', brands.north);
    for (const brand_id of Object.values(brands))
      await suppress('rests.left@mail.example', { brand_id, reason: 'unsubscribe' });
    const found = await summaries(Object.values(keys));
    assert.deepEqual(
      Object.entries(keys).map(([name, key]) => [
        name,
        found.get(key)?.state,
        found.get(key)?.suppressed_count,
      ]),
      [
        ['fine', 'subscribed', 0],
        ['partly', 'subscribed', 1],
        ['bounced', 'bounced', 0],
        ['complained', 'complained', 0],
        ['out', 'unsubscribed', 0],
        ['leftEach', 'unsubscribed', 2],
        ['nowhere', 'no_address', 0],
        ['rests', 'paused', 2],
        ['restsPartly', 'subscribed', 1],
        ['rested', 'subscribed', 0],
        ['restsAndLeft', 'unsubscribed', 2],
      ],
    );
    assert.deepEqual(await excludedBy(brands.north), {
      invalid_address: 1,
      unsubscribed: 4,
      suppressed: 2,
      paused: 2,
    });
  });

  test('pages and audiences agree on every subscription', async () => {
    const expected: string[] = [];
    const said: string[] = [];
    for (const reason of [...suppressionReasons, 'pause'] as const)
      for (const brand_id of [reason === 'pause' ? [] : undefined, brands.north, brands.south].flat()) {
        for (const table of ['content_items', 'content_unique_values', 'choices'] as const)
          await deleteRows(app.owner, table, { organization_id: organizationId });
        const key = await add('greta@mail.example');
        if (reason === 'pause') await pause('greta@mail.example', brand_id!);
        else
          await suppress('greta@mail.example', { reason, ...(brand_id === undefined ? {} : { brand_id }) });
        const { north_brand } = Object.fromEntries(
          (await get(key)).brands.map(({ name, state }) => [name.replace(' ', '_'), state]),
        );
        const what = `${reason} ${brand_id ?? 'all'}`;
        said.push(`${what}: ${exclusionOf[north_brand!]}`);
        expected.push(`${what}: ${Object.keys(await excludedBy(brands.north))[0]}`);
      }
    assert.deepEqual(said, expected);
  });

  test("the contact's own unsubscribed field has no date", async () => {
    const key = await add('hugo@mail.example');
    // Written by another program, bypassing the gateway.
    await sql`update content_items set data = data || '{"unsubscribed": true}' where id = ${key}`.execute(
      app.owner,
    );
    const found = await get(key);
    assert.deepEqual(
      [found.state, found.suppressions.map(({ source, at }) => [source, at])],
      ['unsubscribed', [['contact', null]]],
    );
    assert.deepEqual(await excludedBy(brands.north), { unsubscribed: 1 });
    const back = await act('resubscribe', key, { brand_id: null, basis: 'Signed up at the fair' });
    assert.deepEqual(
      [back.body.state, back.body.resubscriptions.map(({ suppressed_at }) => suppressed_at)],
      ['subscribed', [null]],
    );
  });

  test('people can unsubscribe and resubscribe with a basis', async () => {
    const key = await add('bob@mail.example');
    const out = await act('unsubscribe', key, { brand_id: null, note: 'By telephone' });
    assert.equal(out.body.state, 'unsubscribed');
    const [suppression] = out.body.suppressions;
    assert.deepEqual(
      [suppression?.source, suppression?.note, suppression?.by?.id, suppression?.brand_id],
      ['office', 'By telephone', owner.userId, null],
    );
    assert.equal((await getItem(key))['unsubscribed'], true, 'the contact itself says so, too');
    assertInvalid(await act('resubscribe', key, { brand_id: null, basis: ' ' }), 'basis');
    assert.equal((await get(key)).state, 'unsubscribed');

    const back = await act('resubscribe', key, { brand_id: null, basis: 'Signed up at the fair' });
    assert.deepEqual([back.body.state, back.body.suppressions], ['subscribed', []]);
    const [resubscription] = back.body.resubscriptions;
    assert.deepEqual(
      [resubscription?.basis, resubscription?.state, resubscription?.by?.id, resubscription?.suppressed_at],
      ['Signed up at the fair', 'unsubscribed', owner.userId, suppression?.at],
    );
    assert.equal((await getItem(key))['unsubscribed'], false);
    assert.deepEqual(await excludedBy(brands.north), {});
    const audited = await app.owner
      .selectFrom('audit_log')
      .select(['action', 'record_id', 'details'])
      .where('action', 'like', 'consent.%')
      .where('record_id', '=', key)
      .orderBy('id')
      .execute();
    assert.deepEqual(audited, [
      {
        action: 'consent.unsubscribe',
        record_id: key,
        details: { collection: 'contacts', all_brands: true },
      },
      {
        action: 'consent.resubscribe',
        record_id: key,
        details: { collection: 'contacts', all_brands: true },
      },
    ]);
  });

  test('resubscribing to all brands keeps single unsubscriptions', async () => {
    const key = await add('cleo@mail.example');
    await suppress('cleo@mail.example', { brand_id: brands.south, reason: 'unsubscribe' });
    await suppress('cleo@mail.example', { reason: 'bounce' });
    // An opt-out replaces a bounce: the address may work again later.
    assert.equal((await act('unsubscribe', key, { brand_id: null })).body.state, 'unsubscribed');
    const back = await act('resubscribe', key, { brand_id: null, basis: 'Asked by email' });
    assert.deepEqual(statesOf(back.body), { 'south brand': 'unsubscribed', 'north brand': 'subscribed' });
  });

  test('changing or deleting a contact keeps its unsubscriptions', async () => {
    const key = await add('dora@mail.example');
    await suppress('dora@mail.example', { brand_id: brands.north, reason: 'unsubscribe' });
    assert.equal((await change(key, { unsubscribed: true })).status, 200);
    assert.equal((await get(key)).suppressions[0]?.source, 'office');
    for (const unsubscribed of [false, null]) {
      const refused = await change(key, { unsubscribed });
      assertProblem(refused, 422, 'validation_failed');
      const { errors } = (refused.body as unknown as { data: { errors: { path: string }[] } }).data;
      assertColumn(errors, 'path', ['unsubscribed']);
    }
    assert.equal((await change(key, { email: 'dora@new.example', unsubscribed: true })).status, 200);
    const carried = (await get(key)).suppressions;
    assert.deepEqual(new Set(carried.map(({ brand_id }) => brand_id)), new Set([brands.north, null]));
    assert.ok(carried.every(({ state }) => state === 'unsubscribed'));
    await owner.request('DELETE', `${base}/items/contacts/${key}`);
    const again = await add('dora@new.example', { unsubscribed: false });
    assert.equal((await getItem(again))['unsubscribed'], true);
    assert.equal((await get(again)).state, 'unsubscribed');
  });

  test('a consent in a field that there is not is never lost', async () => {
    const key = await add('nora@mail.example');
    const write = (method: 'POST' | 'PATCH', path: string, body: object) =>
      owner.request<{ data: Item }>(method, `${base}/items/contacts${path}`, body);
    for (const [name, value] of [
      ['Unsubscribed', true],
      ['unsubscribe', true],
      ['opt_out', 'yes'],
      ['optOut', true],
      ['do_not_contact', 1],
      ['Newsletter', false],
      ['unsubscribed', 'yes'],
      ['unsubscribed', 1],
    ] as const) {
      const data = { email: 'new@mail.example', [name]: value };
      for (const [method, path, body] of [
        ['POST', '', data],
        ['POST', '', [data]],
        ['PATCH', `/${key}`, { [name]: value }],
        ['PATCH', '', { keys: [key], data: { [name]: value } }],
      ] as const)
        assert.equal((await write(method, path, body)).status, 422, `${method} ${name}`);
    }
    // As in a Directus, other names are left out.
    assert.equal((await write('PATCH', `/${key}`, { shoe_size: 38 })).status, 200);
  });

  test('subscriptions are limited to brands that readers see', async () => {
    const key = await add('emil@mail.example');
    await suppress('emil@mail.example', { brand_id: brands.south, reason: 'unsubscribe' });
    const ofClients = { client_id: { $in: '${client_ids}' } };
    const signInAs = (update: object | undefined) =>
      signInWithRules(
        app,
        organizationId,
        [
          { action: 'read', subject: 'Organization' },
          { action: 'read', subject: 'Content' },
          { action: 'read', subject: 'Consent', conditions: ofClients },
          { action: 'update', subject: 'Consent', conditions: update },
        ],
        [clients.north],
      );
    const limited = await signInAs(ofClients);
    const seesNorth = await signInAs(undefined);
    const seen = await get(key, limited);
    assert.deepEqual(
      [seen.state, seen.suppressed_count, seen.brands_count, seen.suppressions, statesOf(seen)],
      ['subscribed', 0, 1, [], { 'north brand': 'subscribed' }],
    );
    assert.equal((await summaries([key], limited)).get(key)?.suppressed_count, 0);
    assertInvalid(await act('unsubscribe', key, { brand_id: brands.south }, limited), 'brand_id');
    for (const who of [limited, seesNorth])
      for (const what of ['unsubscribe', 'resubscribe'] as const)
        assertProblem(
          await act(what, key, { brand_id: null, ...(what === 'resubscribe' && { basis: 'x' }) }, who),
          403,
          'forbidden',
        );
    assert.equal(
      (await act('unsubscribe', key, { brand_id: brands.north }, limited)).body.suppressed_count,
      1,
    );
    assert.equal((await get(key)).state, 'unsubscribed', 'from each of both brands');
  });

  test('only operators can lift operator suppressions', async () => {
    const bounced = await add('greta@mail.example');
    await suppress('greta@mail.example', { reason: 'bounce' });
    await act('unsubscribe', bounced, { brand_id: null });
    assert.equal((await get(bounced)).state, 'unsubscribed');
    const key = await add('hugo@mail.example');
    await suppress('hugo@mail.example', { reason: 'manual' });
    assertInvalid(await act('resubscribe', key, { brand_id: null, basis: 'Asked by email' }), 'key');
    await suppress('hugo@mail.example', { reason: 'unsubscribe', brand_id: brands.south });
    const left = await act('resubscribe', key, { brand_id: brands.south, basis: 'Asked by email' });
    assertColumn(left.body.suppressions, 'state', ['blocked']);
  });

  test('unsubscriptions follow a corrected address', async () => {
    const key = await add('fritz@mail.example');
    await suppress('fritz@mail.example', { brand_id: brands.south, reason: 'unsubscribe' });
    for (const email of ['fritz@new', 'Fritz@new', 'fritz@new.example'])
      assert.equal((await change(key, { email })).status, 200);
    assert.deepEqual(statesOf(await get(key)), {
      'south brand': 'unsubscribed',
      'north brand': 'subscribed',
    });
    const out = await add('gerda@mail.example', { unsubscribed: true });
    for (const email of ['gerda', 'gerda@new.example'])
      assert.equal((await change(out, { email })).status, 200);
    assert.equal((await get(out)).suppressions[0]?.source, 'office');
    await owner.request('DELETE', `${base}/items/contacts/${out}`);
    assert.equal((await get(await add('gerda@new.example'))).state, 'unsubscribed');
  });

  const getItem = async (key: string): Promise<Item> =>
    (await owner.ok<{ data: Item }>('GET', `${base}/items/contacts/${key}`)).data;
});

/** The audience's exclusion reason for each state. */
const exclusionOf: Record<string, string | undefined> = {
  subscribed: undefined,
  unsubscribed: 'unsubscribed',
  complained: 'suppressed',
  blocked: 'suppressed',
  bounced: 'suppressed',
  paused: 'paused',
};
