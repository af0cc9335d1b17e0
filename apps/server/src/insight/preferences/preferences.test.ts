import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { CommunicationPreferences } from '@reachout/contract/communication-preferences.ts';
import type { TrackingPolicy } from '@reachout/contract/statuses.ts';
import { newId } from '../../platform/ids.ts';
import { handleImports } from '../../contacts/imports/import-jobs.ts';
import { useTestApp, type Person } from '../../testing/app.ts';
import { buildBrand } from '../../sample/records.ts';
import { signInOwner } from '../../testing/create-organization.ts';
import { runJobs } from '../../testing/job-worker.ts';
import { insertRows } from '../../sample/rows.ts';
import { listRows, updateRows } from '../../testing/rows.ts';
import type { SentEmail } from '../../testing/sent-email.ts';
import { digestTenant } from '../../testing/tenant.ts';
import {
  buildTopicEmail,
  openAsBrowser,
  preferencesPath,
  submitAsBrowser,
  type TopicEmail,
} from '../../testing/topic-email.ts';
import { assertColumn } from '../../testing/assert-column.ts';

const app = useTestApp();
const dayMs = 86_400_000;

const buildWorld = (given?: Parameters<typeof buildTopicEmail>[1]) => buildTopicEmail(app, given);

const open = (path: string, headers?: Record<string, string>) => openAsBrowser(app, path, headers);
const submit = (path: string, fields: Parameters<typeof submitAsBrowser>[2]) =>
  submitAsBrowser(app, path, fields);

const press = async (world: TopicEmail, change: string) => {
  const response = await submit(`/p/${world.token}?lang=en`, { change });
  assert.equal(response.statusCode, 200);
  return response.body;
};

/** Presses the button "Undo" of a page. */
async function undo(world: TopicEmail, page: string): Promise<string> {
  const [form = ''] = /<form(?:(?!<form).)*value="undo"/s.exec(page) ?? [];
  assert.notEqual(form, '', 'the page offers to undo');
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  const response = await submit(`/p/${world.token}?lang=en`, [...hidden, ['change', 'undo']]);
  assert.equal(response.statusCode, 200);
  return response.body;
}

async function read(world: TopicEmail): Promise<CommunicationPreferences> {
  return await app.ok<CommunicationPreferences>('GET', `${preferencesPath(world)}?token=${world.token}`);
}

async function put(world: TopicEmail, body: object): Promise<CommunicationPreferences> {
  return await app.ok<CommunicationPreferences>('PUT', preferencesPath(world), {
    body: { token: world.token, ...body },
  });
}

const subscribedTo = ({ topics }: CommunicationPreferences) =>
  topics.filter(({ is_subscribed }) => is_subscribed).map(({ name }) => name);

const listSuppressions = ({ organizationId }: SentEmail) =>
  listRows(app.owner, 'choices', ['brand_id', 'address_key', 'value', 'send_id', 'seq'], {
    kind: 'suppression',
    organization_id: organizationId,
  });

const listEvents = async ({ sendId }: SentEmail) =>
  (await app.owner.selectFrom('events').select('type').where('send_id', '=', sendId).execute()).map(
    ({ type }) => type,
  );

const suppress = ({ organizationId, brandId }: SentEmail, given: Record<string, unknown>) =>
  insertRows(app.owner, 'choices', {
    kind: 'suppression',
    id: newId(),
    organization_id: organizationId,
    brand_id: brandId,
    address_key: 'mia@example.org',
    value: 'unsubscribe',
    ...given,
  });

interface ContactWorld extends TopicEmail {
  contactId: string;
  owner: Person;
}

/** A message whose contact is in the built-in backend. */
async function buildWorldWithContact(data: object): Promise<ContactWorld> {
  const { owner, organizationId } = await signInOwner(app);
  const world = await buildWorld({ organizationId });
  const contact = await addContact({ ...world, owner }, data);
  await updateRows(app.owner, 'deliveries', { send_id: world.sendId }, { contact_id: contact.id });
  return { ...world, owner, contactId: contact.id };
}

interface Contact {
  id: string;
  unsubscribed: boolean;
}

async function addContact(
  { organizationId, owner: as }: Pick<ContactWorld, 'organizationId' | 'owner'>,
  body: object,
): Promise<Contact> {
  const path = `/api/content/${organizationId}/items/contacts`;
  return (await as.ok<{ data: Contact }>('POST', path, body)).data;
}

async function readContact({ organizationId, owner: as, contactId }: ContactWorld): Promise<Contact> {
  const path = `/api/content/${organizationId}/items/contacts/${contactId}`;
  return (await as.ok<{ data: Contact }>('GET', path)).data;
}

suite('the preference page', () => {
  test('topics are stored as chosen, confirmed and undone', async () => {
    const world = await buildWorld();
    const page = (await open(`/p/${world.token}?lang=en`)).body;
    assert.match(
      page,
      new RegExp(`value="${world.topics.news}" checked><span>News<span class="hint">Once a week`),
    );
    assert.match(page, new RegExp(`value="${world.topics.offers}"><span>Offers`));
    const saved = await submit(`/p/${world.token}?lang=en`, [
      ['shown', world.topics.news],
      ['shown', world.topics.offers],
      ['topic', world.topics.offers],
      ['change', 'topics'],
    ]);
    assert.match(saved.body, /You won’t get emails about “News”\./);
    assert.match(saved.body, /You will get emails about “Offers”\./);
    assert.deepEqual(subscribedTo(await read(world)), ['Offers']);
    assert.match(await undo(world, saved.body), /You will get emails about “News”\./);
    assert.deepEqual(subscribedTo(await read(world)), ['News']);
    assert.deepEqual(
      await listRows(app.owner, 'choices', ['topic_id'], {
        kind: 'topic',
        organization_id: world.organizationId,
      }),
      [],
      'what was never chosen follows the default again',
    );
  });

  test('topics that the page did not show stay as they are', async () => {
    const world = await buildWorld();
    await submit(`/p/${world.token}`, [
      ['shown', world.topics.offers],
      ['topic', world.topics.offers],
      ['change', 'topics'],
    ]);
    assert.deepEqual(subscribedTo(await read(world)), ['News', 'Offers']);
  });

  test('a pause lasts 30 days, ends earlier on request, and undo restores its end', async () => {
    const world = await buildWorld();
    const paused = await press(world, 'pause');
    const { paused_until: until } = await read(world);
    assert.ok(Math.abs(Date.parse(until!) - Date.now() - 30 * dayMs) < 60_000);
    assert.match(paused, /You get no emails from Nordwind until \w+ \d+, \d{4}\./);
    const ended = await press(world, 'end_pause');
    assert.match(ended, /The pause has ended/);
    assert.equal((await read(world)).paused_until, null);
    await undo(world, ended);
    assert.equal((await read(world)).paused_until, until);
    assert.deepEqual(await listEvents(world), []);
  });

  test('unsubscribing from the brand or all is confirmed, counted and undone', async () => {
    const world = await buildWorld();
    const left = await press(world, 'unsubscribe_brand');
    assert.match(left, /You won’t get any more emails from Nordwind\./);
    assert.equal((await read(world)).unsubscribed_from, 'brand');
    const leftAll = await press(world, 'unsubscribe_organization');
    assert.match(leftAll, /You won’t get any more emails from [^,]+, for any brand\./);
    assert.equal((await read(world)).unsubscribed_from, 'organization');
    assert.deepEqual(await listEvents(world), ['UNSUBSCRIBE']);
    const undone = await undo(world, leftAll);
    assert.match(undone, /You won’t get any more emails from Nordwind\./);
    assert.equal((await read(world)).unsubscribed_from, 'brand');
    assert.match(await press(world, 'resubscribe'), /You will get emails from Nordwind again\./);
    assert.deepEqual(await listSuppressions(world), []);
    const lifted = await listRows(
      app.owner,
      'resubscriptions',
      ['brand_id', 'reason', 'send_id', 'created_by', 'basis'],
      { organization_id: world.organizationId },
    );
    const basis = 'On the preference page, with the link in an email to this address';
    const each = { reason: 'unsubscribe', send_id: world.sendId, created_by: null, basis };
    assert.deepEqual(
      lifted.toSorted((one) => (one.brand_id === null ? -1 : 1)),
      [
        { brand_id: null, ...each },
        { brand_id: world.brandId, ...each },
      ],
    );
  });

  test('a press to unsubscribe from one brand never lifts the opt-out from all', async () => {
    const world = await buildWorldWithContact({ email: 'mia@example.org' });
    await press(world, 'unsubscribe_organization');
    const stored = await listSuppressions(world);
    await press(world, 'unsubscribe_brand');
    assert.deepEqual(await listSuppressions(world), stored);
    assert.equal((await put(world, { unsubscribed_from: 'brand' })).unsubscribed_from, 'organization');
    assert.deepEqual(await listSuppressions(world), stored);
    assert.equal((await readContact(world)).unsubscribed, true);
  });

  test('who resubscribes for one brand stays unsubscribed from the others', async () => {
    const world = await buildWorldWithContact({ email: 'mia@example.org' });
    const other = await buildBrand(app.owner, { organization_id: world.organizationId });
    await press(world, 'unsubscribe_organization');
    assert.match(await press(world, 'resubscribe'), /You will get emails from Nordwind again\./);
    const ofOther = {
      brand_id: other.id,
      address_key: 'mia@example.org',
      value: 'unsubscribe',
      send_id: world.sendId,
      seq: 1,
    };
    assert.deepEqual(await listSuppressions(world), [ofOther]);
    assert.equal((await readContact(world)).unsubscribed, false);
    const leftAll = await press(world, 'unsubscribe_organization');
    await undo(world, leftAll);
    assert.deepEqual(await listSuppressions(world), [ofOther], 'undoing leads back to what was before');
  });

  test('resubscribing lifts no opt-outs of members, complaints, bounces and blocks', async () => {
    const kept: readonly (readonly [string, Record<string, unknown>])[] = [
      ['a member', { note: 'Called us' }],
      ['a member, for all brands', { brand_id: null }],
      ['an import', { import_id: newId() }],
      ['a complaint', { value: 'complaint', send_id: newId(), seq: 1 }],
      ['the operator', { value: 'manual' }],
      ['a bounce', { value: 'bounce', brand_id: null, send_id: newId(), seq: 1 }],
    ];
    for (const [who, suppression] of kept) {
      const world = await buildWorld();
      await suppress(world, suppression);
      const stored = await listSuppressions(world);
      const { body } = await open(`/p/${world.token}?lang=en`);
      assert.match(body, who === 'a bounce' ? /were returned/ : /can’t be changed here/, who);
      assert.doesNotMatch(body, /value="resubscribe"/, who);
      await press(world, 'resubscribe');
      await press(world, 'undo');
      assert.deepEqual(await listSuppressions(world), stored, who);
      const { can_resubscribe, unsubscribed_from } = await put(world, { unsubscribed_from: 'nothing' });
      assert.equal(can_resubscribe, false, who);
      const scope = suppression['brand_id'] === null ? 'organization' : 'brand';
      assert.equal(unsubscribed_from, who === 'a bounce' ? 'nothing' : scope, who);
      assert.deepEqual(await listSuppressions(world), stored, who);
    }
  });

  test('an opt-out replaces a bounce', async () => {
    const world = await buildWorld();
    await suppress(world, { value: 'bounce', brand_id: null });
    assert.equal((await put(world, { unsubscribed_from: 'organization' })).unsubscribed_from, 'organization');
    assert.deepEqual(
      (await listSuppressions(world)).map(({ brand_id, value }) => [brand_id, value]),
      [[null, 'unsubscribe']],
    );
  });

  test('measuring is asked only for brands with consent', async () => {
    const world = await buildWorld();
    const setPolicy = (tracking_policy: TrackingPolicy) =>
      updateRows(app.owner, 'brands', { id: world.brandId }, { tracking_policy });
    for (const policy of ['everyone', 'nobody'] as const) {
      await setPolicy(policy);
      assert.doesNotMatch(await press(world, 'allow_tracking'), /Opens and clicks/);
      assert.equal((await put(world, { tracking_consent: true })).tracking, null);
      assert.deepEqual(
        await listRows(app.owner, 'choices', ['source'], { kind: 'tracking', brand_id: world.brandId }),
        [],
      );
    }
    await setPolicy('with_consent');
    assert.deepEqual((await read(world)).tracking, { is_allowed: false });
    const allowed = await press(world, 'allow_tracking');
    assert.match(allowed, /Nordwind may measure whether you open emails/);
    assert.deepEqual((await read(world)).tracking, { is_allowed: true });
    await undo(world, allowed);
    assert.deepEqual((await read(world)).tracking, { is_allowed: false });
    assert.deepEqual(
      await listRows(app.owner, 'choices', ['source'], { kind: 'tracking', brand_id: world.brandId }),
      [],
    );
    await updateRows(app.owner, 'deliveries', { send_id: world.sendId }, { tracking_consent: true });
    assert.deepEqual((await read(world)).tracking, { is_allowed: true }, 'as the field of the contact said');
    assert.deepEqual((await put(world, { tracking_consent: false })).tracking, { is_allowed: false });
  });

  test('choices apply to the address of the message and to the current one', async () => {
    const world = await buildWorldWithContact({ email: 'mia@new.example', language: 'de' });
    await put(world, {
      topics: [{ id: world.topics.news, is_subscribed: false }],
      pause: true,
      unsubscribed_from: 'organization',
    });
    for (const kind of ['suppression', 'topic', 'pause'] as const) {
      const rows = await listRows(app.owner, 'choices', ['address_key'], {
        kind,
        organization_id: world.organizationId,
      });
      assert.deepEqual(
        rows.map(({ address_key }) => address_key).toSorted(),
        ['mia@example.org', 'mia@new.example'],
        kind,
      );
    }
    assert.equal((await read(world)).language, 'de');
    const { body } = await open(`/p/${world.token}`, { 'accept-language': 'en' });
    assert.match(body, /<html lang="de">.*Ihre E-Mails von Nordwind/s);
  });

  test('what was refused follows the contact to a new address', async () => {
    const world = await buildWorldWithContact({ email: 'mia@example.org' });
    await updateRows(app.owner, 'brands', { id: world.brandId }, { tracking_policy: 'with_consent' });
    const topics = [
      { id: world.topics.news, is_subscribed: false },
      { id: world.topics.offers, is_subscribed: true },
    ];
    const { paused_until } = await put(world, { topics, pause: true, tracking_consent: false });
    const path = `/api/content/${world.organizationId}/items/contacts/${world.contactId}`;
    await world.owner.ok('PATCH', path, { email: 'mia@new.example' });
    const key = { organization_id: world.organizationId, address_key: 'mia@new.example' };
    assert.deepEqual(
      [
        await listRows(app.owner, 'choices', ['topic_id', 'value'], { kind: 'topic', ...key }),
        await listRows(app.owner, 'choices', ['until'], { kind: 'pause', ...key }),
        await listRows(app.owner, 'choices', ['value'], { kind: 'tracking', ...key }),
      ],
      [
        [{ topic_id: world.topics.news, value: 'not_subscribed' }],
        [{ until: paused_until }],
        [{ value: 'refused' }],
      ],
      'a topic that only the former address chose is not taken over',
    );
  });

  test("the contact's field follows for everything, not for one brand", async () => {
    const world = await buildWorldWithContact({ email: 'mia@example.org' });
    const isMarked = async () => (await readContact(world)).unsubscribed;
    await press(world, 'unsubscribe_brand');
    assert.equal(await isMarked(), false);
    await press(world, 'unsubscribe_organization');
    assert.equal(await isMarked(), true);
    await press(world, 'resubscribe');
    assert.equal(await isMarked(), false);
  });

  test('the language of the message counts where the contact is elsewhere', async () => {
    const world = await buildWorld({ variables: { language: 'de-CH' } });
    assert.equal((await read(world)).language, 'de');
    const { body } = await open(`/p/${world.token}`, { 'accept-language': 'en' });
    assert.match(body, /<html lang="de">/);
    assert.match((await open(`/p/${world.token}?lang=en`)).body, /<html lang="en">/);
  });

  test('the page for unsubscribing offers to undo only what it undoes', async () => {
    const world = await buildWorld();
    await press(world, 'unsubscribe_organization');
    const { body } = await open(`/u/${world.token}?lang=en`);
    assert.match(body, /You won’t get any more emails from [^<]+, for any brand/);
    assert.doesNotMatch(body, /value="undo"/);
    assert.match(body, new RegExp(`action="../p/${world.token}\\?lang=en"`));
  });

  test('a mark that others made on the contact stays', async () => {
    const world = await buildWorldWithContact({ email: 'mia@example.org', unsubscribed: true });
    assert.partialDeepStrictEqual(await read(world), {
      unsubscribed_from: 'organization',
      can_resubscribe: false,
    });
    await put(world, { unsubscribed_from: 'organization' });
    assert.partialDeepStrictEqual(await put(world, { unsubscribed_from: 'nothing' }), {
      unsubscribed_from: 'organization',
      can_resubscribe: false,
    });
  });

  test('links of test messages change nothing', async () => {
    const world = await buildWorld();
    await updateRows(app.owner, 'touchpoint_sends', { id: world.sendId }, { kind: 'test' });
    const digest = await digestTenant(app.owner, world.organizationId);
    for (const change of ['pause', 'unsubscribe_brand', 'unsubscribe_organization'])
      assert.match(await press(world, change), /This is a test message: its links change nothing\./);
    assert.equal((await put(world, { unsubscribed_from: 'brand' })).unsubscribed_from, 'nothing');
    assert.deepEqual(await digestTenant(app.owner, world.organizationId), digest);
  });

  test('a brand, topic or organization name is shown as text (TPL-6)', async () => {
    const name = '<img src=x onerror=alert(1)> $& {topic}';
    const world = await buildWorld({ brandName: name });
    await updateRows(app.owner, 'organizations', { id: world.organizationId }, { name });
    await updateRows(app.owner, 'topics', { id: world.topics.news }, { name, description: name });
    const bodies = [
      (await open(`/p/${world.token}`)).body,
      (await submit(`/p/${world.token}`, { change: 'topics', shown: world.topics.news })).body,
      await press(world, 'unsubscribe_organization'),
    ];
    for (const body of bodies) {
      assert.ok(body.includes('&lt;img src=x onerror=alert(1)&gt; $&amp; {topic}'));
      assert.doesNotMatch(body, /<img|<script|https?:/);
    }
  });

  test('concurrent changes all succeed and leave one state', async () => {
    const world = await buildWorldWithContact({ email: 'mia@new.example' });
    const changes = ['unsubscribe_organization', 'resubscribe', 'unsubscribe_brand', 'pause', 'end_pause'];
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        submit(`/p/${world.token}`, { change: changes[index % changes.length]! }),
      ),
    );
    assert.deepEqual(new Set(responses.map(({ statusCode }) => statusCode)), new Set([200]));
    await press(world, 'resubscribe');
    assert.deepEqual(await listSuppressions(world), []);
    assert.equal((await readContact(world)).unsubscribed, false);
    assert.deepEqual(await listEvents(world), ['UNSUBSCRIBE']);
  });

  test('changes are limited per address, and unsubscribing by link is not', async () => {
    const world = await buildWorld();
    const statuses = [];
    for (let count = 0; count < 61; count += 1)
      statuses.push((await submit(`/p/${world.token}?lang=en`, { change: 'pause' })).statusCode);
    assert.deepEqual(new Set(statuses.slice(0, 60)), new Set([200]));
    const beyond = await submit(`/p/${world.token}?lang=en`, { change: 'unsubscribe_brand' });
    assert.equal(beyond.statusCode, 429);
    assert.match(beyond.body, /Nothing was changed\. Please try again later\./);
    assert.ok(Number(beyond.headers['retry-after']) > 0);
    const refused = await app.request('PUT', preferencesPath(world), {
      body: { token: world.token, pause: false },
    });
    assert.equal(refused.body.code, 'too_many_attempts');
    assert.deepEqual(await listSuppressions(world), []);
    await submit(`/u/${world.token}`, { 'List-Unsubscribe': 'One-Click' });
    assert.equal((await listSuppressions(world)).length, 1);
  });
});

suite('operations for programs', () => {
  test('they return and change what the page shows', async () => {
    const world = await buildWorld();
    await updateRows(
      app.owner,
      'brands',
      { id: world.brandId },
      { logo_url: '/api/storage/x.png', color: 'olive', tracking_policy: 'everyone' },
    );
    const { publicUrl } = app.services.config;
    assert.deepEqual(await read(world), {
      brand: { name: 'Nordwind', logo_url: `${publicUrl}/l/${world.brandId}.png`, color: 'olive' },
      masked_address: 'm•••@example.org',
      language: 'en',
      topics: [
        { id: world.topics.news, name: 'News', description: 'Once a week', is_subscribed: true },
        { id: world.topics.offers, name: 'Offers', description: '', is_subscribed: false },
      ],
      unsubscribed_from: 'nothing',
      paused_until: null,
      tracking: null,
      can_resubscribe: true,
    });
    const changed = await put(world, {
      topics: [
        { id: world.topics.news, is_subscribed: false },
        { id: world.topics.offers, is_subscribed: true },
      ],
      pause: true,
      unsubscribed_from: 'brand',
    });
    assert.deepEqual(changed, await read(world));
    assert.deepEqual(subscribedTo(changed), ['Offers']);
    assert.equal(changed.unsubscribed_from, 'brand');
    const back = await put(world, { pause: false, unsubscribed_from: 'nothing' });
    assert.deepEqual([back.paused_until, back.unsubscribed_from], [null, 'nothing']);
    assert.deepEqual(subscribedTo(back), ['Offers'], 'what is left out stays');
  });

  test('the token is in the query, the body, or the same in both', async () => {
    const world = await buildWorld();
    const statusOf = async (query: string, body: object) =>
      (await app.request('PUT', `${preferencesPath(world)}${query}`, { body })).status;
    assert.equal(await statusOf(`?token=${world.token}`, { pause: true }), 200);
    assert.equal(await statusOf('', { token: world.token, pause: true }), 200);
    assert.equal(await statusOf(`?token=${world.token}`, { token: world.token, pause: true }), 200);
    const digest = await digestTenant(app.owner, world.organizationId);
    const other = await buildWorld();
    assert.equal(await statusOf(`?token=${world.token}`, { token: other.token, pause: false }), 422);
    assert.equal(await statusOf(`?token=${other.token}`, { token: world.token, pause: false }), 422);
    assert.equal(await statusOf(`?token=${world.token}&token=${world.token}`, { pause: false }), 422);
    assert.equal(await statusOf('', { pause: false }), 422);
    assert.deepEqual(await digestTenant(app.owner, world.organizationId), digest);
  });

  test('a topic can be chosen once in a request', async () => {
    const world = await buildWorld();
    const choice = { id: world.topics.news, is_subscribed: false };
    const body = { token: world.token, topics: [choice, { ...choice, id: choice.id.toUpperCase() }] };
    assert.equal((await app.request('PUT', preferencesPath(world), { body })).status, 422);
  });

  test('topics of other brands are unknown', async () => {
    const world = await buildWorld();
    const sibling = await buildBrand(app.owner, { organization_id: world.organizationId });
    const foreign = newId();
    const place = { organization_id: world.organizationId, brand_id: sibling.id };
    await insertRows(app.owner, 'topics', {
      ...place,
      id: foreign,
      name: 'Foreign',
      is_default: true,
      position: 1,
    });
    const digest = await digestTenant(app.owner, world.organizationId);
    const answers = await Promise.all(
      [foreign, newId()].map(async (id) => {
        const body = { token: world.token, pause: true, topics: [{ id, is_subscribed: false }] };
        const response = await app.request('PUT', preferencesPath(world), { body });
        return JSON.stringify([response.status, response.body]);
      }),
    );
    assert.equal(new Set(answers).size, 1);
    assert.match(answers[0]!, /There is no such topic/);
    await submit(`/p/${world.token}`, { change: 'undo', [`topic.${foreign}`]: 'no' });
    assert.deepEqual(await digestTenant(app.owner, world.organizationId), digest);
  });
});

suite('after an opt-out', () => {
  test('neither a new contact nor an import brings the address back', async () => {
    const world = await buildWorldWithContact({ email: 'mia@example.org' });
    const { organizationId, owner: as } = world;
    await put(world, { topics: [{ id: world.topics.news, is_subscribed: false }] });
    await press(world, 'unsubscribe_organization');
    await as.request('DELETE', `/api/content/${organizationId}/items/contacts/${world.contactId}`);
    const form = new FormData();
    form.append('collection', 'contacts');
    form.append('mapping', JSON.stringify({ Email: 'email', Out: 'unsubscribed' }));
    form.append('file', new Blob(['Email,Out\nMia@Example.org,no\n'], { type: 'text/csv' }), 'people.csv');
    const started = await as.request<{ id: string }>('POST', `/api/content/${organizationId}/imports`, form);
    assert.ok(started.status < 300, JSON.stringify(started.body));
    await runJobs(app, app.owner, [handleImports(app.services)]);
    const path = `/api/content/${organizationId}/items/contacts`;
    const body = await as.ok<{ data: Contact[] }>('GET', path);
    assertColumn(body.data, 'unsubscribed', [true]);
    const preferences = await read(world);
    assert.equal(preferences.unsubscribed_from, 'organization');
    assert.deepEqual(subscribedTo(preferences), []);
  });
});
