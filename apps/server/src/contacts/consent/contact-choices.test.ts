import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Subscription } from '@reachout/contract/consent.ts';
import type { Item } from '@reachout/contract/content.ts';
import { useSharedApp } from '../../testing/app.ts';
import { assertInvalid } from '../../testing/assert-problem.ts';
import { buildCampaign, buildSend, buildTouchpoint } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { signInWithRules } from '../../testing/sign-in-with-rules.ts';
import { useWorld } from '../../testing/world.ts';

const dayMs = 86_400_000;

suite('choices of contacts', () => {
  const app = useSharedApp();
  const { owner, organizationId, base, branch } = useWorld(app);
  const [north, south] = [branch('north'), branch('south')];
  const clients = { north: north.clientId, south: south.clientId };
  const brands = { north: north.brandId, south: south.brandId };

  const add = async (email: string): Promise<string> =>
    (await owner.ok<{ data: Item }>('POST', `${base}/items/contacts`, { email })).data['id'] as string;
  const addTopic = async (brandId: string, name: string, is_default: boolean): Promise<string> =>
    (await owner.ok<{ id: string }>('POST', `/api/brands/${brandId}/topics`, { name, is_default })).id;
  const choicesOf = async (key: string, brandId: string, as = owner) =>
    (await as.ok<Subscription>('GET', `${base}/consent/contacts/${key}`)).brands.find(
      ({ id }) => id === brandId,
    );
  const put = (key: string, path: string, body: object, as = owner) =>
    as.request<Subscription>('PUT', `${base}/consent/contacts/${key}/${path}`, body);

  test('topics of a contact tell who chose them, how and when', async () => {
    const key = await add('ada@mail.example');
    const offers = await addTopic(brands.north, 'Offers', true);
    const events = await addTopic(brands.north, 'Events', false);
    const campaign = await buildCampaign(app.owner, { brand_id: brands.north });
    const touchpoint = await buildTouchpoint(app.owner, { campaign_id: campaign.id, name: 'Spring news' });
    const send = await buildSend(app.owner, { touchpoint_id: touchpoint.id });
    await insertRows(app.owner, 'choices', {
      kind: 'topic',
      organization_id: organizationId,
      brand_id: brands.north,
      address_key: 'ada@mail.example',
      topic_id: offers,
      value: 'not_subscribed',
      source: 'preferences',
      send_id: send.id,
      seq: 1,
    });
    const found = await choicesOf(key, brands.north);
    assert.deepEqual(
      found?.topics.map(({ id, is_default, is_subscribed, choice }) => [
        id,
        is_default,
        is_subscribed,
        choice?.source,
        choice?.touchpoint?.name,
      ]),
      [
        [offers, true, false, 'preferences', 'Spring news'],
        [events, false, false, undefined, undefined],
      ],
    );
    assert.match(found.topics[0]?.choice?.at ?? '', /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual([found.pause, found.tracking_policy, found.tracking], [null, 'everyone', null]);
    assert.deepEqual((await choicesOf(key, brands.south))?.topics, []);
  });

  test('members subscribe contacts to topics only with a basis', async () => {
    const key = await add('bob@mail.example');
    const topic = await addTopic(brands.south, 'Trips', false);
    const path = `topics/${topic}`;
    assertInvalid(await put(key, path, { is_subscribed: true }), 'basis');
    assertInvalid(await put(key, path, { is_subscribed: true, basis: ' ' }), 'basis');
    assertInvalid(await put(key, `topics/${clients.north}`, { is_subscribed: false }), 'topic_id');
    assertInvalid(await put(await add('no address'), path, { is_subscribed: false }), 'key');
    assert.equal((await choicesOf(key, brands.south))?.topics[0]?.choice, null);

    const body = { is_subscribed: true, basis: 'Signed up at the fair' };
    const { body: subscribed } = await put(key, path, body);
    const chosen = subscribed.brands.find(({ id }) => id === brands.south)?.topics[0];
    assert.deepEqual(
      [chosen?.is_subscribed, chosen?.choice?.source, chosen?.choice?.by?.id, chosen?.choice?.basis],
      [true, 'member', owner.userId, 'Signed up at the fair'],
    );
    assert.equal((await put(key, path, { is_subscribed: false })).status, 200);
    const declined = (await choicesOf(key, brands.south))?.topics[0];
    assert.deepEqual([declined?.is_subscribed, declined?.choice?.basis], [false, null]);
    assert.deepEqual(await auditedOf(key), [
      {
        action: 'consent.chooseTopic',
        details: { collection: 'contacts', brand: 'south brand', topic: 'Trips', is_subscribed: true },
      },
      {
        action: 'consent.chooseTopic',
        details: { collection: 'contacts', brand: 'south brand', topic: 'Trips', is_subscribed: false },
      },
    ]);
  });

  test("a member's pause lasts 30 days, or until it is ended", async () => {
    const key = await add('cleo@mail.example');
    const from = Date.now();
    const pause = async (is_paused: boolean) => {
      const { body } = await put(key, 'pause', { brand_id: brands.north, is_paused });
      return body.brands.find(({ id }) => id === brands.north)?.pause;
    };
    const paused = await pause(true);
    const lastsMs = Date.parse(paused?.until ?? '') - from;
    assert.ok(lastsMs >= 30 * dayMs && lastsMs < 30 * dayMs + (Date.now() - from) + 1, String(lastsMs));
    assert.deepEqual([paused?.source, paused?.by?.id], ['member', owner.userId]);
    assert.equal((await choicesOf(key, brands.south))?.pause, null);
    assert.equal(await pause(false), null);
    assert.deepEqual(await auditedOf(key), [
      { action: 'consent.pause', details: { collection: 'contacts', brand: 'north brand', is_paused: true } },
      {
        action: 'consent.pause',
        details: { collection: 'contacts', brand: 'north brand', is_paused: false },
      },
    ]);
  });

  test('a pause that has ended is not shown', async () => {
    const key = await add('dora@mail.example');
    await insertRows(app.owner, 'choices', {
      kind: 'pause',
      value: 'paused',
      organization_id: organizationId,
      brand_id: brands.north,
      address_key: 'dora@mail.example',
      until: new Date(Date.now() - 1_000).toISOString(),
      source: 'preferences',
    });
    assert.equal((await choicesOf(key, brands.north))?.pause, null);
  });

  test('members cannot change choices about brands beyond their access scope', async () => {
    const key = await add('emil@mail.example');
    const topic = await addTopic(brands.south, 'Concerts', true);
    const ofClients = { client_id: { $in: '${client_ids}' } };
    const limited = await signInWithRules(
      app,
      organizationId,
      [
        { action: 'read', subject: 'Organization' },
        { action: 'read', subject: 'Content' },
        { action: 'read', subject: 'Consent', conditions: ofClients },
        { action: 'update', subject: 'Consent', conditions: ofClients },
      ],
      [clients.north],
    );
    assert.equal(await choicesOf(key, brands.south, limited), undefined);
    assertInvalid(await put(key, `topics/${topic}`, { is_subscribed: false }, limited), 'topic_id');
    const ofSouth = { brand_id: brands.south, is_paused: true };
    assertInvalid(await put(key, 'pause', ofSouth, limited), 'brand_id');
    assert.equal((await put(key, 'pause', { ...ofSouth, brand_id: brands.north }, limited)).status, 200);
    assert.equal((await choicesOf(key, brands.south))?.pause, null);
  });

  test('exports tell whether contacts are subscribed to topics', async () => {
    const topic = await addTopic(brands.north, 'Recipes', false);
    const key = await add('fay@mail.example');
    await add('gus@mail.example');
    await put(key, `topics/${topic}`, { is_subscribed: true, basis: 'Asked for it' });
    const path = `${base}/exports/contacts?format=json`;
    const body = await owner.ok<Item[]>('GET', path);
    const recipesOf = (email: string) =>
      body.find((item) => item['email'] === email)?.['north / north brand: topic Recipes'];
    assert.deepEqual(['fay@mail.example', 'gus@mail.example'].map(recipesOf), [
      'subscribed',
      'not_subscribed',
    ]);
  });

  const auditedOf = (key: string) =>
    app.owner
      .selectFrom('audit_log')
      .select(['action', 'details'])
      .where('action', 'like', 'consent.%')
      .where('record_id', '=', key)
      .orderBy('id')
      .execute();
});
