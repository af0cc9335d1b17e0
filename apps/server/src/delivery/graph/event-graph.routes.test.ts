import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Reaction, TouchpointEvent, TouchpointEventAction } from '@reachout/contract/event-graph.ts';
import {
  maxListeners,
  maxTouchpointEvents,
  touchpointEventTypes,
} from '@reachout/contract/rules/event-graph.ts';
import type { TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { newId } from '../../platform/ids.ts';
import { buildVisit, foldVisits, storeVisits } from '../../sample/events.ts';
import { buildCampaign, buildSend, buildTouchpoint } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { buildSignUpForm } from '../../sample/sign-ups.ts';
import { useSharedApp, type TestResponse } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { deleteRows, getRow, updateRows } from '../../testing/rows.ts';
import { newWorld, useWorld } from '../../testing/world.ts';

const hourMs = 3_600_000;
const actionOf = (name: string, notifier: string | null, listener = 'email') => ({
  name,
  notifier_touchpoint_type: notifier,
  listener_touchpoint_type: listener,
});

suite('event graph', () => {
  const app = useSharedApp();
  const { organizationId, base, brandId, campaignId, emailId, websiteId, owner, analyst, branch } =
    useWorld(app);
  const { emailId: foreignEmailId, brandId: foreignBrandId } = branch('Südwind');
  void base;
  const actions = new Map<string, string>();
  const keyOf = ({ name, notifier_touchpoint_type, listener_touchpoint_type }: ReturnType<typeof actionOf>) =>
    [name, notifier_touchpoint_type, listener_touchpoint_type].join(' ');
  const actionId = (...given: Parameters<typeof actionOf>) => actions.get(keyOf(actionOf(...given)))!;

  before(async () => {
    const list = await owner.ok<TouchpointEventAction[]>('GET', '/api/touchpoint_event_actions');
    for (const { id, ...action } of list) actions.set(keyOf(action), id);
  });

  const path = '/api/touchpoint_events';
  const tryCreate = (fields: object) =>
    owner.request<TouchpointEvent>('POST', path, {
      organization_id: organizationId,
      campaign_id: campaignId,
      event_type: 'CLICK',
      notifier_touchpoint_id: emailId,
      touchpoint_event_action_id: actionId('send_email', 'email'),
      ...fields,
    });
  const ok = <T>(response: TestResponse<T>): T => {
    assert.ok(response.status < 300, JSON.stringify(response.body));
    return response.body;
  };
  const create = async (fields: object = {}) => ok(await tryCreate(fields));
  const ofPerson = (fields: object) => ({
    notifier_touchpoint_id: null,
    touchpoint_event_action_id: actionId('send_email', null),
    ...fields,
  });
  const change = (id: string, fields: object) =>
    owner.request<TouchpointEvent>('PATCH', `${path}/${id}`, fields);
  const listen = (id: string, listener: string, fields: object = {}) =>
    owner.request<TouchpointEvent>('POST', `${path}/${id}/listeners`, {
      listener_touchpoint_id: listener,
      ...fields,
    });
  const changeListener = (event: TouchpointEvent, fields: object, index = 0) =>
    owner.request<TouchpointEvent>(
      'PATCH',
      `${path}/${event.id}/listeners/${event.listeners[index]!.id}`,
      fields,
    );
  const buildEmail = async (name: string, campaign = campaignId) =>
    (await buildTouchpoint(app.owner, { campaign_id: campaign, name })).id;
  /** An event with a listener. */
  const build = async (fields: object = {}, listener: object = {}) => {
    const { id } = await create(fields);
    return ok(await listen(id, await buildEmail('Follow-up'), listener));
  };
  /** Stores what the event caused at this many hours from now. */
  const cause = async (event: TouchpointEvent, hours: number, fields: object = {}): Promise<string> => {
    const id = newId();
    const [
      { id: listener_id, listener_touchpoint_id: touchpoint_id } = { id: '', listener_touchpoint_id: '' },
    ] = event.listeners;
    const at = new Date(Date.now() + hours * hourMs).toISOString();
    await insertRows(app.owner, 'reactions', {
      organization_id: organizationId,
      id,
      touchpoint_event_id: event.id,
      listener_id,
      touchpoint_id,
      action: event.action,
      brand_id: brandId,
      collection: 'contacts',
      contact_id: 'ada',
      cause_type: event.event_type,
      cause_at: at,
      cause_touchpoint_id: event.notifier_touchpoint_id,
      due_at: event.is_active ? at : 'infinity',
      ...fields,
    });
    return id;
  };
  const reactionsOf = async (query: string) =>
    await owner.ok<{ items: Reaction[]; count: number }>(
      'GET',
      `/api/reactions?organization_id=${organizationId}&${query}`,
    );
  const reactionOf = async (event: TouchpointEvent) =>
    (await reactionsOf(`listener_id=${event.listeners[0]!.id}`)).items[0]!;

  test('types and actions are those of the contract', async () => {
    const types = await owner.ok<{ touchpoint_type: 'email' | 'website'; event_type: string }[]>(
      'GET',
      '/api/touchpoint_event_types',
    );
    for (const [touchpoint, names] of Object.entries(touchpointEventTypes))
      assert.deepEqual(
        types.filter((row) => row.touchpoint_type === touchpoint).map((row) => row.event_type),
        names.toSorted(),
      );
    assert.equal(actions.size, 10);
  });

  test('an event has its listeners, and both their emails show them', async () => {
    const followUp = await buildEmail('Thanks');
    const { id } = await create({ event: '*/shop*', is_active: true });
    const event = ok(
      await listen(id, followUp, { delay: 'P3D', unless: { event_type: 'OPEN_EMAIL' }, quiet_hours: false }),
    );
    const { listeners, ...rest } = event;
    assert.deepEqual(
      [rest.event, rest.is_active, rest.notifier_name, rest.action],
      ['*/shop*', true, 'Nordwind news', 'send_email'],
    );
    const [listener] = listeners;
    assert.deepEqual(
      [listener?.listener_name, listener?.delay, listener?.once_per_contact, listener?.quiet_hours],
      ['Thanks', 'P3D', true, false],
    );
    assert.deepEqual(listener?.unless, { event_type: 'OPEN_EMAIL', event: null, touchpoint_id: null });
    assert.deepEqual(await owner.ok('GET', `${path}/${id}`), event);
    for (const query of [`campaign_id=${campaignId}`, `touchpoint_id=${followUp}`]) {
      const list = await owner.ok<{ items: TouchpointEvent[] }>(
        'GET',
        `${path}?organization_id=${organizationId}&${query}`,
      );
      assert.deepEqual(
        list.items.filter((each) => each.id === id),
        [event],
      );
    }
    for (const email of [followUp, emailId]) {
      const shown = await owner.ok<TouchpointEmail>('GET', `/api/touchpoints/${email}/email`);
      assert.deepEqual(
        shown.event_listeners.filter(({ touchpoint_event_id }) => touchpoint_event_id === id),
        [
          {
            id: listener?.id,
            touchpoint_event_id: id,
            event_type: 'CLICK',
            action: 'send_email',
            notifier_touchpoint_id: emailId,
            notifier_name: 'Nordwind news',
            listener_touchpoint_id: followUp,
            listener_name: 'Thanks',
          },
        ],
      );
      assert.equal(shown.filters, null);
    }
    await owner.ok('DELETE', `/api/touchpoints/${followUp}`);
    assert.deepEqual((await owner.ok<TouchpointEvent>('GET', `${path}/${id}`)).listeners, []);
  });

  test('notifiers are of the brand, emit the event and fit the action', async () => {
    for (const [fields, field] of [
      [{ notifier_touchpoint_id: foreignEmailId }, 'notifier_touchpoint_id'],
      [{ notifier_touchpoint_id: newId() }, 'notifier_touchpoint_id'],
      [{ notifier_touchpoint_id: null }, 'notifier_touchpoint_id'],
      [{ campaign_id: newId() }, 'campaign_id'],
      [{ event_type: 'TRACK' }, 'notifier_touchpoint_id'],
      [{ notifier_touchpoint_id: websiteId }, 'notifier_touchpoint_id'],
      [{ event_type: 'VIEW_PAGE', notifier_touchpoint_id: websiteId }, 'touchpoint_event_action_id'],
      [{ touchpoint_event_action_id: actionId('send_email', null) }, 'touchpoint_event_action_id'],
      [{ touchpoint_event_action_id: newId() }, 'touchpoint_event_action_id'],
      [{ event_type: 'OPEN_EMAIL', event: 'x' }, 'event'],
      [{ form_id: newId() }, 'form_id'],
      [{ collection: 'contacts' }, 'collection'],
      [{ value: 'x' }, 'value'],
      [{ days: 1 }, 'days'],
      [{ is_yearly: true }, 'is_yearly'],
      [{ event_type: 'SIGN_UP' }, 'notifier_touchpoint_id'],
    ] as const)
      assertInvalid(await tryCreate(fields), field, JSON.stringify(fields));
  });

  test('beginnings with persons need their form, collection and field', async () => {
    const buildForm = (brand_id: string) =>
      buildSignUpForm(
        app.owner,
        {
          organization_id: organizationId,
          brand_id,
          collection: 'contacts',
          name: newId(),
          content: { title: 'Letters', consent_text: 'I want letters' },
        },
        [],
      );
    const [form, foreignForm] = [await buildForm(brandId), await buildForm(foreignBrandId)];
    const contacts = { collection: 'contacts' };
    for (const [fields, field] of [
      [{ event_type: 'SIGN_UP' }, 'form_id'],
      [{ event_type: 'SIGN_UP', form_id: foreignForm }, 'form_id'],
      [{ event_type: 'ADD_CONTACT' }, 'collection'],
      [{ event_type: 'ADD_CONTACT', collection: 'nowhere' }, 'collection'],
      [{ event_type: 'ADD_CONTACT', ...contacts, event: 'city' }, 'event'],
      [{ event_type: 'CHANGE_FIELD', ...contacts }, 'event'],
      [{ event_type: 'CHANGE_FIELD', ...contacts, event: 'nothing' }, 'event'],
      [{ event_type: 'REACH_DATE', ...contacts, event: 'city' }, 'event'],
      [{ event_type: 'REACH_DATE', ...contacts, event: 'birthday', value: 'x' }, 'value'],
    ] as const)
      assertInvalid(await tryCreate(ofPerson(fields)), field, JSON.stringify(fields));
    await create(ofPerson({ event_type: 'SIGN_UP', form_id: form }));
    await create(ofPerson({ event_type: 'ADD_CONTACT', ...contacts }));
    await create(ofPerson({ event_type: 'CHANGE_FIELD', ...contacts, event: 'city', value: 'Jena' }));
    const birthday = await create(
      ofPerson({ event_type: 'REACH_DATE', ...contacts, event: 'birthday', is_yearly: true }),
    );
    assert.deepEqual([birthday.days, birthday.is_yearly, birthday.notifier_name], [0, true, null]);
    assert.equal(ok(await change(birthday.id, { days: -7 })).days, -7);
  });

  test('contacts in a Directus only reach dates', async () => {
    const {
      organizationId: organization_id,
      brandId: brand,
      owner: person,
    } = await newWorld(app, 'brandId', 'owner');
    const { id: campaign_id } = await buildCampaign(app.owner, { brand_id: brand });
    await insertRows(app.owner, 'organization_directus', {
      organization_id,
      endpoint: 'https://cms.example',
      access_token: 'sealed',
      state: 'connected',
    });
    await insertRows(app.owner, 'directus_collections', {
      organization_id,
      collection: 'people',
      key_type: 'uuid',
      fields: JSON.stringify([{ field: 'born', type: 'date' }]),
    });
    const tryOne = (event_type: string, event: string | null) =>
      person.request('POST', path, {
        organization_id,
        campaign_id,
        touchpoint_event_action_id: actionId('send_email', null),
        event_type,
        event,
        collection: 'people',
      });
    assertInvalid(await tryOne('ADD_CONTACT', null), 'collection');
    assertInvalid(await tryOne('CHANGE_FIELD', 'born'), 'collection');
    assert.equal((await tryOne('REACH_DATE', 'born')).status, 200);
    assertInvalid(
      await person.request('POST', `/api/campaigns/${campaign_id}/graph`, { starter: 'welcome_series' }),
      'starter',
    );
  });

  test('listeners are of the brand, fit the action, and are not archived', async () => {
    const { id } = await create();
    const archived = await buildTouchpoint(app.owner, { campaign_id: campaignId, status: 'archived' });
    for (const listener of [foreignEmailId, newId(), websiteId, archived.id])
      assertInvalid(await listen(id, listener), 'listener_touchpoint_id');
    const deleted = await buildEmail('Gone');
    await owner.ok('DELETE', `/api/touchpoints/${deleted}`);
    assertInvalid(await listen(id, deleted), 'listener_touchpoint_id');
    const tracking = await create({
      touchpoint_event_action_id: actionId('start_tracking', 'email', 'website'),
    });
    assert.equal(ok(await listen(tracking.id, websiteId)).listeners.length, 1);
    assertInvalid(
      await change(tracking.id, { touchpoint_event_action_id: actionId('send_email', 'email') }),
      'touchpoint_event_action_id',
    );
  });

  test('what makes a reaction void is an event of the brand', async () => {
    const listener = await buildEmail('Unless');
    const { id } = await create();
    for (const [unless, field] of [
      [{ event_type: 'TRACK' }, 'unless.event_type'],
      [{ event_type: 'SIGN_UP' }, 'unless.event_type'],
      [{ event_type: 'CLICK', touchpoint_id: foreignEmailId }, 'unless.touchpoint_id'],
      [{ event_type: 'CLICK', touchpoint_id: websiteId }, 'unless.event_type'],
      [{ event_type: 'OPEN_EMAIL', event: 'x' }, 'unless.event'],
    ] as const)
      assertInvalid(await listen(id, listener, { unless }), field, JSON.stringify(unless));
    const onSite = await create({
      event_type: 'VIEW_PAGE',
      notifier_touchpoint_id: websiteId,
      touchpoint_event_action_id: actionId('send_email', 'website'),
    });
    const unless = { event_type: 'TRACK', event: 'Order' };
    assertInvalid(await listen(onSite.id, listener, { unless }), 'unless.touchpoint_id');
    const event = ok(await listen(onSite.id, listener, { unless: { ...unless, touchpoint_id: websiteId } }));
    assertInvalid(await changeListener(event, { unless: { event_type: 'CLICK' } }), 'unless.touchpoint_id');
    assert.equal(ok(await changeListener(event, { unless: null })).listeners[0]?.unless, null);
    for (const delay of ['3 days', 'P2Y', 'P'])
      assertInvalid(await changeListener(event, { delay }), 'delay');
  });

  test('emails notify each other in a loop only once per contact', async () => {
    const ids = [await buildEmail('A'), await buildEmail('B'), await buildEmail('C')] as const;
    const [a, b, c] = ids;
    const edge = async (from: string, to: string, once_per_contact: boolean, fields: object = {}) => {
      const { id } = await create({ notifier_touchpoint_id: from, ...fields });
      return await listen(id, to, { once_per_contact });
    };
    const assertLoop = (response: TestResponse<unknown>, names: string) => {
      assertProblem(response, 409, 'invalid_topology');
      const { loop } = (response.body as { data: { loop: { name: string }[] } }).data;
      assert.equal(loop.map(({ name }) => name).join(''), names);
    };
    assertLoop(await edge(a, a, false), 'AA');
    ok(await edge(a, b, false));
    ok(await edge(b, c, false));
    const back = ok(await edge(c, a, true));
    assertLoop(await changeListener(back, { once_per_contact: false }), 'ABCA');
    const stop = { touchpoint_event_action_id: actionId('stop_email', 'email') };
    const stopping = ok(await edge(c, a, false, stop));
    assertLoop(
      await change(stopping.id, { touchpoint_event_action_id: actionId('send_email', 'email') }),
      'ABCA',
    );
    // Emails can be restored.
    await owner.ok('DELETE', `/api/touchpoints/${b}`);
    assertProblem(await changeListener(back, { once_per_contact: false }), 409, 'invalid_topology');
  });

  test('two changes at once make no loop together', async () => {
    const pairs = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const [a, b] = [await buildEmail('Left'), await buildEmail('Right')];
        const there = await create({ notifier_touchpoint_id: a });
        const back = await create({ notifier_touchpoint_id: b });
        return [
          [there.id, b],
          [back.id, a],
        ] as const;
      }),
    );
    const responses = await Promise.all(
      pairs.flat().map(([id, listener]) => listen(id, listener, { once_per_contact: false })),
    );
    const refused = responses.filter(({ status }) => status === 409);
    assert.equal(refused.length, pairs.length);
  });

  test('an organization and an event have limits', async () => {
    const world = await newWorld(app, 'emailId', 'campaignId', 'owner');
    const row = (fields: object) => ({ organization_id: world.organizationId, id: newId(), ...fields });
    const event = (id: string) =>
      row({
        id,
        campaign_id: world.campaignId,
        event_type: 'CLICK',
        notifier_touchpoint_id: world.emailId,
        touchpoint_event_action_id: actionId('send_email', 'email'),
      });
    const ids = Array.from({ length: maxTouchpointEvents }, newId);
    await insertRows(app.owner, 'touchpoint_events', ids.map(event) as never);
    const { id: _id, ...input } = event('');
    assertProblem(await world.owner.request('POST', path, input), 409, 'too_many_records');
    const touchpoint_event_id = ids[0]!;
    const listeners = Array.from({ length: maxListeners }, () =>
      row({ touchpoint_event_id, listener_touchpoint_id: world.emailId }),
    );
    await insertRows(app.owner, 'touchpoint_event_listeners', listeners as never);
    assertProblem(
      await world.owner.request('POST', `${path}/${touchpoint_event_id}/listeners`, {
        listener_touchpoint_id: world.emailId,
      }),
      409,
      'too_many_records',
    );
  });

  test('what waits gets a new delay, unless its event is off', async () => {
    const event = await build({ is_active: true }, { delay: 'PT1H' });
    await cause(event, -2);
    const causeAt = Date.parse((await reactionOf(event)).cause.at);
    const dueAfter = async () => Date.parse((await reactionOf(event)).due_at ?? '') - causeAt;
    ok(await changeListener(event, { delay: 'PT5H' }));
    assert.equal(await dueAfter(), 5 * hourMs);
    ok(await change(event.id, { is_active: false }));
    assert.equal((await reactionOf(event)).due_at, null);
    ok(await changeListener(event, { delay: 'PT6H' }));
    assert.equal((await reactionOf(event)).due_at, null);
    const on = ok(await change(event.id, { is_active: true }));
    assert.equal(await dueAfter(), 6 * hourMs);
    assert.equal(Date.parse(on.listeners[0]?.next_due_at ?? '') - causeAt, 6 * hourMs);
    assert.equal(on.listeners[0]?.numbers.waiting, 1);
  });

  test('an event is switched off when its collection is gone', async () => {
    const collection = `list_${newId().replaceAll('-', '')}`;
    await insertRows(app.owner, 'content_collections', { organization_id: organizationId, collection });
    const event = await create(ofPerson({ event_type: 'ADD_CONTACT', collection, is_active: true }));
    await deleteRows(app.owner, 'content_collections', { organization_id: organizationId, collection });
    assert.equal(ok(await change(event.id, { is_active: false })).is_active, false);
    assertInvalid(await change(event.id, { is_active: true }), 'collection');
  });

  test('what waits for a deleted listener or event is cancelled', async () => {
    const stateOf = async (id: string) =>
      await getRow(app.owner, 'reactions', ['state', 'reason'], { organization_id: organizationId, id });
    const cancelled = { state: 'cancelled', reason: 'listener_deleted' };
    const event = await build();
    const [waiting, done] = [
      await cause(event, -1),
      await cause(event, -1, { state: 'done', ended_at: new Date().toISOString() }),
    ];
    const listener = `${path}/${event.id}/listeners/${event.listeners[0]!.id}`;
    assert.deepEqual((await owner.ok<TouchpointEvent>('DELETE', listener)).listeners, []);
    assertProblem(await owner.request('DELETE', listener), 404, 'not_found');
    assert.deepEqual([await stateOf(waiting), (await stateOf(done)).state], [cancelled, 'done']);
    const other = await build();
    const id = await cause(other, -1);
    await owner.ok('DELETE', `${path}/${other.id}`);
    assert.deepEqual(await stateOf(id), cancelled);
    assertProblem(await owner.request('GET', `${path}/${other.id}`), 404, 'not_found');
    assert.equal((await reactionOf(other)).touchpoint_event_id, null);
  });

  test('a new action applies to what waits', async () => {
    const event = await build();
    await cause(event, -1);
    ok(await change(event.id, { touchpoint_event_action_id: actionId('stop_email', 'email') }));
    assert.equal((await reactionOf(event)).action, 'stop_email');
  });

  test('the effect of a change is told before', async () => {
    const event = await build({ is_active: true }, { delay: 'P1D' });
    for (const hours of [-30, -3, -1]) await cause(event, hours);
    const effect = (query: string) => owner.request<object>('GET', `${path}/${event.id}/effect?${query}`);
    const listener = `listener_id=${event.listeners[0]!.id}`;
    const told = { waiting: 3, cancelled: 0, due_now: 0, goes_out: false };
    assert.deepEqual(ok(await effect('change=delete')), { ...told, cancelled: 3 });
    assert.deepEqual(ok(await effect('change=switch_off')), told);
    assert.deepEqual(ok(await effect('change=switch_on')), { ...told, due_now: 1 });
    assert.deepEqual(ok(await effect(`change=delay&delay=PT2H&${listener}`)), { ...told, due_now: 2 });
    assertInvalid(await effect(`change=delay&${listener}`), 'delay');
    assertInvalid(await effect('change=delay&delay=PT2H'), 'listener_id');
    assertProblem(await effect(`change=delete&listener_id=${newId()}`), 404, 'not_found');
    const { listener_touchpoint_id: id } = event.listeners[0]!;
    await updateRows(app.owner, 'touchpoints', { id }, { status: 'active' });
    assert.deepEqual(ok(await effect('change=switch_off')), { ...told, goes_out: true });
  });

  test('patterns show which links, pages and names they match', async () => {
    const matches = async (notifier: string, event_type: string, event = '') =>
      await owner.request<{ items: { value: string; count: number; is_matched: boolean }[] }>(
        'GET',
        `/api/touchpoint_event_matches?organization_id=${organizationId}&notifier_touchpoint_id=${notifier}&event_type=${event_type}&event=${encodeURIComponent(event)}`,
      );
    const email = await buildEmail('Links');
    const urls = ['https://shop.example/Sale?x=1', 'https://shop.example/help'];
    const { id: send_id } = await buildSend(app.owner, { touchpoint_id: email, status: 'completed' });
    const of = { organization_id: organizationId, send_id };
    await insertRows(app.owner, 'touchpoint_send_contents', {
      ...of,
      content: JSON.stringify({ links: urls.map((url) => ({ url })) }),
      audience: '{}',
    });
    const click = (seq: number, first_human_at: Date | null) => ({
      ...of,
      touchpoint_id: email,
      type: 'CLICK' as const,
      seq,
      link_no: 0,
      human_count: 2,
      bot_count: 0,
      first_human_at: first_human_at?.toISOString() ?? null,
    });
    await insertRows(app.owner, 'delivery_event_counts', [
      click(1, new Date()),
      click(2, new Date()),
      click(3, new Date(Date.now() - 40 * 24 * hourMs)),
      click(4, null),
    ]);
    assert.deepEqual(ok(await matches(email, 'CLICK', '*/sale*')), {
      items: [
        { value: urls[0], count: 2, is_matched: true },
        { value: urls[1], count: 0, is_matched: false },
      ],
      count: 2,
      matched_count: 2,
    });
    const site = await buildTouchpoint(app.owner, {
      campaign_id: campaignId,
      type: 'website',
      status: 'active',
    });
    const website = { organizationId, touchpointId: site.id };
    await storeVisits(app.owner, [
      buildVisit(website, { path: '/form' }),
      buildVisit(website, { path: '/form' }),
      buildVisit(website, { path: '/other' }),
      buildVisit(website, { type: 'TRACK', name: 'Sent form' }),
    ]);
    await foldVisits(app.owner, website);
    assert.deepEqual(ok(await matches(site.id, 'VIEW_PAGE', '/f*')), {
      items: [
        { value: '/form', count: 2, is_matched: true },
        { value: '/other', count: 1, is_matched: false },
      ],
      count: 3,
      matched_count: 2,
    });
    assert.deepEqual(ok(await matches(site.id, 'TRACK')).items, [
      { value: 'Sent form', count: 1, is_matched: true },
    ]);
    assertInvalid(await matches(site.id, 'CLICK'), 'event_type');
    assertProblem(await matches(newId(), 'CLICK'), 404, 'not_found');
  });

  test('reactions are listed as they are due, and can be cancelled', async () => {
    const event = await build({ is_active: true });
    const at = (hours: number) => ({ ended_at: new Date(Date.now() + hours * hourMs).toISOString() });
    const later = await cause(event, 5);
    const old = await cause(event, -9, { state: 'skipped', reason: 'unless', ...at(-3) });
    const next = await cause(event, 1, { contact_id: 'bob' });
    const recent = await cause(event, -9, { state: 'done', ...at(-1) });
    const listed = async (query: string) => (await reactionsOf(query)).items.map(({ id }) => id);
    const of = `listener_id=${event.listeners[0]!.id}`;
    assert.deepEqual(await listed(of), [next, later, recent, old]);
    assert.deepEqual(await listed(`${of}&page=1&page_size=2`), [recent, old]);
    assert.equal((await reactionsOf(`${of}&page_size=2`)).count, 4);
    assert.deepEqual(await listed(`${of}&state=skipped`), [old]);
    assert.deepEqual(await listed(`${of}&collection=contacts&contact_id=bob`), [next]);
    assert.equal((await listed(`touchpoint_id=${event.listeners[0]!.listener_touchpoint_id}`)).length, 4);
    const cancel = (id: string) =>
      owner.request<Reaction>('POST', `/api/reactions/${id}/cancel`, { organization_id: organizationId });
    const cancelled = ok(await cancel(next));
    assert.deepEqual(
      [cancelled.state, cancelled.reason, cancelled.touchpoint_name, cancelled.cause.touchpoint_name],
      ['cancelled', 'cancelled_by_member', 'Follow-up', 'Nordwind news'],
    );
    for (const id of [next, old]) assertProblem(await cancel(id), 409, 'reaction_over');
    assertProblem(await cancel(newId()), 404, 'not_found');
  });

  const start = async (starter: string, fields: object = {}) =>
    ok(
      await owner.request<{ items: TouchpointEvent[] }>('POST', `/api/campaigns/${campaignId}/graph`, {
        starter,
        ...fields,
      }),
    ).items[0]!;

  test('starters make events that are off, and drafts', async () => {
    const told = ({ event_type, is_active, listeners }: TouchpointEvent) => [
      event_type,
      is_active,
      ...listeners.map(({ listener_name, listener_status, delay, unless }) =>
        [listener_name, listener_status, delay, unless?.event_type].join(' ').trim(),
      ),
    ];
    const notClicked = await start('not_clicked');
    assert.equal(notClicked.notifier_touchpoint_id, emailId);
    assert.deepEqual(told(notClicked), ['SEND_EMAIL', false, 'A reminder draft P3D CLICK']);
    assert.deepEqual(told(await start('re_engagement', { language: 'de' })), [
      'SEND_EMAIL',
      false,
      'Haben Sie noch Interesse? draft P30D OPEN_EMAIL',
    ]);
    const form = await start('abandoned_form');
    assert.deepEqual(told(form), ['VIEW_PAGE', false, 'Can we help? draft PT2H TRACK']);
    assert.equal(form.event, '*');
    assert.equal(form.listeners[0]?.unless?.touchpoint_id, websiteId);
    const welcome = await start('welcome_series');
    assert.deepEqual(told(welcome), [
      'SIGN_UP',
      false,
      'Welcome draft PT0S',
      'Getting started draft P3D CLICK',
      'What else there is draft P7D',
    ]);
    const [first, second] = welcome.listeners;
    assert.equal(second?.unless?.touchpoint_id, first?.listener_touchpoint_id);
    const email = await owner.ok<TouchpointEmail>(
      'GET',
      `/api/touchpoints/${first?.listener_touchpoint_id}/email`,
    );
    assert.equal(email.subject, 'Welcome');
    assert.match(email.mjml, /<mjml/);
  });

  test('a starter says what is missing, and leaves nothing behind', async () => {
    const { id } = await buildCampaign(app.owner, { brand_id: foreignBrandId });
    const begin = (starter: string, campaign = id) =>
      owner.request<{ items: TouchpointEvent[] }>('POST', `/api/campaigns/${campaign}/graph`, { starter });
    for (const starter of ['not_clicked', 're_engagement', 'abandoned_form'])
      assertInvalid(await begin(starter), 'starter');
    await deleteRows(app.owner, 'sign_up_forms', { brand_id: foreignBrandId });
    const { items } = ok(await begin('welcome_series'));
    assert.deepEqual([items[0]?.event_type, items[0]?.collection], ['ADD_CONTACT', 'contacts']);
    const archived = await buildCampaign(app.owner, { brand_id: foreignBrandId, status: 'archived' });
    assertProblem(await begin('welcome_series', archived.id), 409, 'campaign_archived');
    assertProblem(
      await tryCreate({ campaign_id: archived.id, notifier_touchpoint_id: foreignEmailId }),
      409,
      'campaign_archived',
    );
  });

  test('the audit log names the touchpoint, and no contact', async () => {
    const event = await build({ is_active: true });
    const id = await cause(event, 1);
    await owner.ok('POST', `/api/reactions/${id}/cancel`, { organization_id: organizationId });
    const { items } = await owner.ok<{ items: { action: string; record_name: string; details: object }[] }>(
      'GET',
      `/api/organizations/${organizationId}/audit_log?page_size=3`,
    );
    assert.deepEqual(
      items.map(({ action, record_name }) => [action, record_name]),
      [
        ['reactions.cancel', 'Follow-up'],
        ['touchpointEvents.createListener', 'Nordwind news: CLICK'],
        ['touchpointEvents.create', 'Nordwind news: CLICK'],
      ],
    );
    assert.doesNotMatch(JSON.stringify(items), /"ada"/);
    assertProblem(
      await analyst.request('PATCH', `${path}/${event.id}`, { is_active: false }),
      403,
      'forbidden',
    );
  });
});
