import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sql, type RawBuilder } from 'kysely';
import type { ContactMessage, ContactNote, ContactVisit } from '@reachout/contract/contacts.ts';
import type { Item } from '@reachout/contract/content.ts';
import { handleHints } from '../../events/erase-hints.ts';
import { eraseVisitorOfContact } from '../conversions/erase-conversions.ts';
import { newId } from '../../platform/ids.ts';
import { signInGuest } from '../../testing/actors.ts';
import { useSharedApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildTouchpoint } from '../../sample/records.ts';
import { deleteRows, listRows, updateRows, getRow } from '../../testing/rows.ts';
import { buildSentEmail, type SentEmail } from '../../testing/sent-email.ts';
import { indexContacts } from '../../sample/sends.ts';
import { buildVisit, foldVisits, storeVisits } from '../../sample/events.ts';
import { startJobWorker } from '../../testing/job-worker.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { signInWithRules } from '../../testing/sign-in-with-rules.ts';
import { useWorld } from '../../testing/world.ts';

interface Page {
  items: (ContactMessage | ContactVisit)[];
  next: string | null;
  is_cut: boolean;
}

const messagesOf = ({ items }: Page): ContactMessage[] => items.filter((item) => item.kind === 'message');
const visitsOf = ({ items }: Page): ContactVisit[] => items.filter((item) => item.kind === 'visit');

const someTime = '2026-11-22T09:00:00.123456Z';
const someId = '019b0000-0000-7000-8000-000000000000';
/** Some have the form of a cursor, with parts that the database cannot hold. */
const malformedCursors = [
  'x',
  '\0',
  `9999-99-99T99:99:99.999Z_${someId}_1`,
  `0000-01-01T00:00:00.000Z_${someId}_1`,
  `----------------------_${someId}_1`,
  `${someTime}_${'-'.repeat(36)}_1`,
  `${someTime}_${'f'.repeat(36)}_1`,
  `${someTime}_${someId}_2147483648`,
  `${someTime}_${someId}_9999999999`,
  `${someTime}_${someId}_1_1`,
];

suite('contact pages', () => {
  const app = useSharedApp();
  const { owner, organizationId, base, branch, insert } = useWorld(app);
  const [north, south] = [branch('north'), branch('south')];
  const clients = { north: north.clientId, south: south.clientId };
  const touchpoints = { north: north.emailId, south: south.emailId };
  const websites = { north: north.websiteId, south: south.websiteId };

  const add = async (email: string, id = newId()): Promise<string> => {
    const body = { id, email };
    await owner.ok<{ data: Item }>('POST', `${base}/items/contacts`, body);
    return id;
  };
  const timeline = (key: string, query: Record<string, string> = {}, as = owner) =>
    as.request<Page>('GET', `${base}/timeline/contacts/${key}?${new URLSearchParams(query).toString()}`);
  const notes = (key: string, as = owner) =>
    as.request<{ items: ContactNote[] }>('GET', `${base}/notes/contacts/${key}`);
  const addNote = (key: string, text: string, as = owner) =>
    as.request<ContactNote>('POST', `${base}/notes/contacts/${key}`, { text });
  /** Stores a message to this contact, accepted at this time. */
  const send = async (key: string, of: 'north' | 'south', at: string, result = {}): Promise<SentEmail> => {
    const sent = await buildSentEmail(app.owner, { organizationId, touchpointId: touchpoints[of] });
    await updateRows(app.owner, 'deliveries', { send_id: sent.sendId }, { contact_id: key });
    await indexContacts(app.owner, organizationId, sent.sendId);
    await insert('delivery_results', {
      send_id: sent.sendId,
      seq: 1,
      state: 'sent',
      attempts: 1,
      reply: '250 ok',
      at,
      accepted_at: at,
      ...result,
    });
    return sent;
  };
  const count = (
    { touchpointId, sendId }: SentEmail,
    type: string,
    more: { link_no?: number; human_count?: number; bot_count?: number; first_human_at?: string | null } = {},
  ) =>
    insert('delivery_event_counts', {
      send_id: sendId,
      touchpoint_id: touchpointId,
      type,
      seq: 1,
      link_no: -1,
      human_count: 1,
      bot_count: 0,
      first_human_at: '2026-11-20T10:00:00Z',
      ...more,
    });

  test('a timeline shows messages with responses in pages', async () => {
    const key = await add('ada@mail.example');
    const first = await send(key, 'north', '2026-11-18T09:00:00Z');
    await count(first, 'OPEN_EMAIL', { human_count: 3, bot_count: 2 });
    await count(first, 'CLICK', { human_count: 2 });
    await count(first, 'CLICK', { link_no: 0, human_count: 1, first_human_at: '2026-11-20T10:05:00Z' });
    await count(first, 'CLICK', { link_no: 2, human_count: 0, bot_count: 1, first_human_at: null });
    await count(first, 'UNSUBSCRIBE');
    // Scheduled later than the one above, but sent before it.
    await send(key, 'south', '2026-11-17T09:00:00Z', {
      state: 'bounced',
      reply: '550 no such user',
      accepted_at: null,
    });

    const { body } = await timeline(key, { limit: '1' });
    assert.equal(body.items.length, 1);
    const [message] = messagesOf(body);
    assert.deepEqual(
      [message?.state, message?.at, message?.touchpoint.name, message?.brand.name, message?.client.name],
      ['sent', '2026-11-18T09:00:00.000Z', 'north news', 'north brand', 'north'],
    );
    assert.equal(message?.links_count, 2);
    assert.deepEqual(
      message.events.map(({ type, url, count: people, bot_count, at }) => [type, url, people, bot_count, at]),
      [
        ['OPEN_EMAIL', null, 3, 2, '2026-11-20T10:00:00+00:00'],
        ['CLICK', 'https://shop.example/spring?utm_source=mail', 1, 0, '2026-11-20T10:05:00+00:00'],
        ['CLICK', 'https://shop.example/about', 0, 1, null],
        ['UNSUBSCRIBE', null, 1, 0, '2026-11-20T10:00:00+00:00'],
      ],
    );
    const next = (await timeline(key, { limit: '1', cursor: body.next ?? '' })).body;
    assert.deepEqual(
      messagesOf(next).map(({ state, reply, touchpoint }) => [state, reply, touchpoint.name]),
      [['bounced', '550 no such user', 'south news']],
    );
    assert.equal(next.next, null);
    const ofSouth = (await timeline(key, { client_id: clients.south })).body.items;
    assert.deepEqual(
      ofSouth.map(({ client }) => client.name),
      ['south'],
    );
    for (const cursor of malformedCursors) assertInvalid(await timeline(key, { cursor }), 'cursor');
  });

  type Site = keyof typeof websites;
  /** Stores that this contact followed a link in a browser. */
  const bind = (
    contact_id: string,
    of: Site,
    visitor_id: string,
    bound_at: string,
    collection = 'contacts',
  ) =>
    insert('visitor_contacts', {
      touchpoint_id: websites[of],
      visitor_id,
      bound_at,
      send_id: newId(),
      seq: 1,
      collection,
      contact_id,
    });
  /** Waits until the job has erased what is left of the contacts that this visitor was. */
  const eraseHints = async (visitor_id: string) => {
    const worker = startJobWorker(app, [handleHints({ db: app.services.db, eraseVisitorOfContact })]);
    try {
      await waitUntil('the hints are erased', async () => {
        const left = await listRows(app.owner, 'visitor_contacts', ['is_erased'], {
          visitor_id,
          is_erased: true,
        });
        return left.length === 0;
      });
    } finally {
      await worker.stop();
      await deleteRows(app.owner, 'jobs', { kind: 'visitor_hints' });
    }
  };
  const visit = (
    of: Site,
    visitor_id: string,
    started_at: string,
    ended_at = started_at,
    more: object = {},
  ) =>
    insert('visitor_sessions', {
      touchpoint_id: websites[of],
      visitor_id,
      started_at,
      ended_at,
      page_views: 1,
      events: 1,
      first_path: '/',
      tracks: 0,
      ...more,
    });
  const timesOf = (page: Page) => page.items.map(({ kind, at }) => `${kind} ${at.slice(5, 16)}`);

  test('a timeline shows visits between messages in pages', async () => {
    const key = await add('hana@mail.example');
    await send(key, 'north', '2026-11-18T09:00:00Z');
    await send(key, 'south', '2026-11-20T09:00:00Z');
    const [here, elsewhere] = [newId(), newId()];
    await visit('north', here, '2026-11-17T09:00:00Z');
    await visit('north', here, '2026-11-18T09:05:00Z', '2026-11-18T09:25:30Z', {
      page_views: 3,
      events: 5,
      first_path: '/spring',
      referrer_host: 'mail.example',
    });
    await bind(key, 'north', here, '2026-11-18T09:06:00Z');
    await visit('north', here, '2026-11-21T09:00:00Z');
    await visit('south', elsewhere, '2026-11-19T09:00:00Z');
    await bind(key, 'south', elsewhere, '2026-11-19T09:00:00Z');
    // Somebody else.
    await visit('north', newId(), '2026-11-19T10:00:00Z');

    const { body } = await timeline(key);
    assert.deepEqual(timesOf(body), [
      'visit 11-21T09:00',
      'message 11-20T09:00',
      'visit 11-19T09:00',
      'visit 11-18T09:05',
      'message 11-18T09:00',
    ]);
    const shown = visitsOf(body).at(-1);
    assert.deepEqual(
      [shown?.touchpoint.name, shown?.brand.name, shown?.client.name, shown?.campaign.id !== undefined],
      ['north shop', 'north brand', 'north', true],
    );
    assert.deepEqual(
      [shown?.ended_at, shown?.page_views, shown?.events_count, shown?.first_path, shown?.referrer_host],
      ['2026-11-18T09:25:30+00:00', 3, 5, '/spring', 'mail.example'],
    );
    for (const limit of ['1', '2', '3']) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Page = (await timeline(key, { limit, ...(cursor !== '' && { cursor }) })).body;
        seen.push(...timesOf(page));
        cursor = page.next;
      }
      assert.deepEqual(seen, timesOf(body), `${limit} a page`);
    }
    assert.deepEqual(timesOf((await timeline(key, { client_id: clients.south })).body), [
      'message 11-20T09:00',
      'visit 11-19T09:00',
    ]);
  });

  test('visits belong to the contact whose link was followed last', async () => {
    const [one, other] = [await add('ina@mail.example'), await add('jon@mail.example')];
    const shared = newId();
    await visit('north', shared, '2026-11-10T09:00:00Z');
    await visit('north', shared, '2026-11-11T09:00:00Z', '2026-11-11T09:10:00Z');
    await bind(one, 'north', shared, '2026-11-11T09:05:00Z');
    await visit('north', shared, '2026-11-12T09:00:00Z');
    // Links to both are followed in one visit: it belongs to both.
    await visit('north', shared, '2026-11-13T09:00:00Z', '2026-11-13T09:20:00Z');
    await bind(other, 'north', shared, '2026-11-13T09:10:00Z');
    await visit('north', shared, '2026-11-14T09:00:00Z');
    assert.deepEqual(timesOf((await timeline(one)).body), [
      'visit 11-13T09:00',
      'visit 11-12T09:00',
      'visit 11-11T09:00',
    ]);
    assert.deepEqual(timesOf((await timeline(other)).body), ['visit 11-14T09:00', 'visit 11-13T09:00']);
    await bind(one, 'north', shared, '2026-11-13T09:15:00Z');
    assert.deepEqual(timesOf((await timeline(one)).body).slice(0, 2), [
      'visit 11-14T09:00',
      'visit 11-13T09:00',
    ]);
  });

  test('events that arrive late extend and join visits', async () => {
    const [key, visitorId] = [await add('pia@mail.example'), newId()];
    const website = { organizationId, touchpointId: websites.north };
    const at = (minute: number) => new Date(Date.now() - 7_200_000 + minute * 60_000);
    await bind(key, 'north', visitorId, at(0).toISOString());
    await storeVisits(app.owner, [
      buildVisit(website, { visitorId, at: at(0), path: '/start' }),
      buildVisit(website, { visitorId, at: at(10), path: '/more' }),
      buildVisit(website, { visitorId, at: at(50), path: '/again' }),
    ]);
    const shown = async () => {
      await foldVisits(app.owner, { organizationId });
      return visitsOf((await timeline(key)).body).map(({ first_path, page_views }) => [
        first_path,
        page_views,
      ]);
    };
    assert.deepEqual(await shown(), [
      ['/again', 1],
      ['/start', 2],
    ]);
    await storeVisits(app.owner, [buildVisit(website, { visitorId, at: at(30), path: '/between' })]);
    assert.deepEqual(await shown(), [['/start', 4]]);
    const late = await timeline(key, { limit: '1' });
    assert.equal(late.body.next, null);
  });

  test('links of single messages show the visits of their address', async () => {
    const key = await add('kim@mail.example');
    const visitor = newId();
    await visit('north', visitor, '2026-11-18T09:00:00Z');
    await bind('kim@mail.example', 'north', visitor, '2026-11-18T09:00:00Z', '');
    // An item of another collection has the same key.
    await bind(key, 'north', newId(), '2026-11-18T09:00:00Z', 'members');
    assert.deepEqual(timesOf((await timeline(key)).body), ['visit 11-18T09:00']);
  });

  test('visits of deleted websites are not shown', async () => {
    const key = await add('lea@mail.example');
    const { campaign_id } = await getRow(app.owner, 'touchpoints', ['campaign_id'], { id: websites.north });
    const website = await buildTouchpoint(app.owner, { campaign_id, type: 'website' });
    const [visitor, kept] = [newId(), websites.north];
    websites.north = website.id;
    await visit('north', visitor, '2026-11-18T09:00:00Z');
    await bind(key, 'north', visitor, '2026-11-18T09:00:00Z');
    websites.north = kept;
    assert.equal((await timeline(key)).body.items.length, 1);
    await updateRows(app.owner, 'touchpoints', { id: website.id }, { deleted: true });
    assert.equal((await timeline(key)).body.items.length, 0);
  });

  test('a deleted contact leaves no trace of its visits', async () => {
    const key = await add('mona@mail.example');
    const [kept, visitor] = [await add('nils@mail.example'), newId()];
    await bind(key, 'south', visitor, '2026-11-18T09:00:00Z');
    await bind(kept, 'south', visitor, '2026-11-19T09:00:00Z');
    const times = [
      '2026-11-18T08:59:59Z',
      '2026-11-18T09:00:00Z',
      '2026-11-19T08:59:59Z',
      '2026-11-19T09:00:00Z',
    ];
    for (const at of times) {
      const of = { organization_id: organizationId, touchpoint_id: websites.south, at };
      const message = { send_id: newId(), seq: 1, email_touchpoint_id: newId() };
      await insert('followed_links', { ...of, ...message, visitor_id: visitor });
      const conversion = { event_id: newId(), goal_id: newId(), window_days: 7, visitor_id: visitor };
      await insert('conversions', { ...of, ...message, ...conversion });
    }
    await owner.ok('DELETE', `${base}/items/contacts/${key}`);
    await eraseHints(visitor);
    for (const table of ['followed_links', 'conversions'] as const)
      assert.deepEqual(
        (await listRows(app.owner, table, ['at'], { visitor_id: visitor }))
          .map(({ at }) => Date.parse(at))
          .toSorted((one, other) => one - other),
        [times[0]!, times[3]!].map((at) => Date.parse(at)),
        table,
      );
    assert.deepEqual(await listRows(app.owner, 'visitor_contacts', ['contact_id'], { visitor_id: visitor }), [
      { contact_id: kept },
    ]);
  });

  test('what pages said about a deleted contact is erased', async () => {
    const key = await add('hints-erased@mail.example');
    const [visitor, other] = [newId(), newId()];
    const kept = await add('hints-kept@mail.example');
    await bind(key, 'south', visitor, '2026-11-18T09:00:00Z');
    await bind(kept, 'south', visitor, '2026-11-19T09:00:00Z');
    await visit('south', visitor, '2026-11-18T09:00:00Z', '2026-11-18T09:20:00Z');
    await visit('south', visitor, '2026-11-19T09:00:00Z');
    const store = (table: 'visitor_events' | 'unfolded_visitor_events', visitor_id: string, at: string) =>
      insert(table, {
        touchpoint_id: websites.south,
        id: newId(),
        at,
        type: 'IDENTIFY',
        visitor_id,
        url: 'https://shop.example/',
        path: '/',
        user_id: `${table} ${visitor_id === visitor ? at : 'other'}`,
        collection: 'contacts',
        is_bot: false,
      });
    for (const table of ['visitor_events', 'unfolded_visitor_events'] as const) {
      await store(table, visitor, '2026-11-18T09:10:00Z');
      await store(table, visitor, '2026-11-19T09:00:00Z');
      await store(table, other, '2026-11-18T09:10:00Z');
    }
    await owner.ok('DELETE', `${base}/items/contacts/${key}`);
    await eraseHints(visitor);
    const { rows } = await sql<{ user_id: string | null; collection: string | null }>`
      select user_id, collection from visitor_events where visitor_id in (${visitor}, ${other})
      union all
      select user_id, collection from unfolded_visitor_events where visitor_id in (${visitor}, ${other})
    `.execute(app.owner);
    assert.deepEqual(rows.map(({ user_id }) => user_id ?? '').toSorted(), [
      '',
      '',
      'unfolded_visitor_events 2026-11-19T09:00:00Z',
      'unfolded_visitor_events other',
      'visitor_events 2026-11-19T09:00:00Z',
      'visitor_events other',
    ]);
    assert.equal(rows.filter(({ collection }) => collection === null).length, 2);
  });

  test('visits with the latest 1,000 browsers are searched', async () => {
    const key = await add('olga@mail.example');
    const { rows } = await sql<{ id: string }>`
      select gen_random_uuid() as id from generate_series(1, 1001)
    `.execute(app.owner);
    const visitors = rows.map(({ id }) => id);
    await sql`
      insert into visitor_contacts (organization_id, touchpoint_id, visitor_id, bound_at, send_id, seq, collection, contact_id)
      select ${organizationId}::uuid, ${websites.north}::uuid, id, '2026-11-18T09:00:00Z'::timestamptz + place * interval '1 minute',
        gen_random_uuid(), 1, 'contacts', ${key}
      from unnest(${visitors}::uuid[]) with ordinality v(id, place)
    `.execute(app.owner);
    await visit('north', visitors[0]!, '2026-11-18T09:01:00Z');
    for (let hour = 10; hour < 20; hour++) await visit('north', visitors[1000]!, `2026-11-19T${hour}:00:00Z`);
    const { body } = await timeline(key);
    assert.equal(body.items.length, 10);
    assert.ok(body.is_cut);
  });

  test('a client member sees messages and visits of that client only', async () => {
    const key = await add('bea@mail.example');
    await send(key, 'north', '2026-11-18T09:00:00Z');
    await send(key, 'south', '2026-11-19T09:00:00Z');
    for (const site of ['north', 'south'] as const) {
      const visitor = newId();
      await visit(site, visitor, '2026-11-18T10:00:00Z');
      await bind(key, site, visitor, '2026-11-18T10:00:00Z');
    }
    await addNote(key, 'Best customer of south');
    const ofClients = { client_id: { $in: '${client_ids}' } };
    const rules = ['Content', 'Touchpoint', 'Statistics', 'Consent'].map((subject) => ({
      action: 'manage',
      subject,
      conditions: subject === 'Content' ? undefined : ofClients,
    }));
    const limited = await signInWithRules(app, organizationId, rules, [clients.north]);
    const { body } = await timeline(key, {}, limited);
    assert.deepEqual(
      body.items.map(({ kind, client }) => [kind, client.name]),
      [
        ['visit', 'north'],
        ['message', 'north'],
      ],
    );
    assert.deepEqual((await timeline(key, { client_id: clients.south }, limited)).body.items, []);
    assertProblem(await notes(key, limited), 403, 'forbidden');
    assertProblem(await addNote(key, 'Hello', limited), 403, 'forbidden');
    const guest = await signInGuest(app, organizationId, [clients.north]);
    assertProblem(await timeline(key, {}, guest), 404, 'not_found');
    assertProblem(await notes(key, guest), 403, 'forbidden');
  });

  test('notes are plain text and deleted with the contact', async () => {
    const key = await add('cleo@mail.example');
    await send(key, 'north', '2026-11-18T09:00:00Z');
    const editor = await app.signInMember(organizationId, 'editor');
    const text = '<b>Prefers</b>\nletters';
    assert.equal((await addNote(key, ` ${text} `)).body.text, text);
    const added = (await addNote(key, 'Met at the fair', editor)).body;
    assert.equal(added.by?.id, editor.userId);
    assert.deepEqual(
      (await notes(key)).body.items.map((note) => note.text),
      ['Met at the fair', text],
    );
    assertInvalid(await addNote(key, ' \n'), 'text');
    const analyst = await app.signInMember(organizationId, 'analyst');
    assert.equal((await notes(key, analyst)).body.items.length, 2);
    assertProblem(await addNote(key, 'Hello', analyst), 403, 'forbidden');
    const path = (id: string) => `${base}/notes/contacts/${key}/${id}`;
    await owner.ok('DELETE', path(added.id));
    assertProblem(await owner.request('DELETE', path(added.id)), 404, 'not_found');
    await owner.ok('DELETE', `${base}/items/contacts/${key}`);
    assertProblem(await notes(key), 404, 'not_found');
    assertProblem(await timeline(key), 404, 'not_found');
    const { rows } = await sql`select from contact_notes where contact_id = ${key}`.execute(app.owner);
    assert.equal(rows.length, 0);
    // The same person, added again, is a new contact.
    const again = await add('cleo@mail.example');
    assert.deepEqual((await notes(again)).body.items, []);
    assert.deepEqual((await timeline(again)).body.items, []);
  });

  test('a contact has at most 100 notes', async () => {
    const key = await add('dora@mail.example');
    await sql`
      insert into contact_notes (organization_id, collection, contact_id, id, text)
      select ${organizationId}::uuid, 'contacts', ${key}, gen_random_uuid(), 'x' from generate_series(1, 100)
    `.execute(app.owner);
    assertProblem(await addNote(key, 'One more'), 409, 'too_many_records');
  });

  /** Asserts that five pages of a truncated timeline list the latest messages, each once. */
  async function assertLatest(key: string): Promise<string> {
    const seen: number[] = [];
    let cursor: string | null = null;
    const tookMs: number[] = [];
    for (let pages = 0; pages < 5; pages += 1) {
      const started = performance.now();
      const { body }: { body: Page } = await timeline(key, {
        limit: '20',
        ...(cursor === null ? {} : { cursor }),
      });
      tookMs.push(performance.now() - started);
      seen.push(...body.items.map(({ at }) => Date.parse(at)));
      assert.ok(body.is_cut, 'the oldest are not listed');
      cursor = body.next;
    }
    assert.equal(new Set(seen).size, 100);
    assert.deepEqual(
      seen,
      seen.toSorted((one, other) => other - one),
    );
    return `${tookMs.map((ms) => ms.toFixed(0)).join(', ')} ms`;
  }
  /** Copies the only message of a send, numbered from 2, each older than the previous one. */
  const copyMessages = async (sendId: string, sendOf: RawBuilder<string>) => {
    const numbers = sql`generate_series(2, 5100) number`;
    await sql`
      insert into deliveries (organization_id, send_id, seq, contact_id, address, variables)
      select organization_id, ${sendOf}, number, contact_id, address, '{}' from deliveries, ${numbers} where send_id = ${sendId}
    `.execute(app.owner);
    await sql`
      insert into delivery_results (organization_id, send_id, seq, state, attempts, at, accepted_at)
      select organization_id, ${sendOf}, number, 'sent', 1, at - number * interval '1 minute', at
      from delivery_results, ${numbers} where send_id = ${sendId}
    `.execute(app.owner);
    await sql`
      insert into delivery_event_counts
        (organization_id, send_id, touchpoint_id, type, seq, link_no, human_count, bot_count, first_human_at)
      select organization_id, ${sendOf}, touchpoint_id, type, number, link_no, 10, 10, now()
      from (select organization_id, id as send_id, touchpoint_id from touchpoint_sends where id = ${sendId}) send, ${numbers},
        (values ('OPEN_EMAIL', -1), ('CLICK', -1), ('CLICK', 0)) kind(type, link_no)
    `.execute(app.owner);
  };

  test('a timeline of 5,100 single messages lists the latest', async (t) => {
    const key = await add('emil@mail.example');
    const { sendId } = await send(key, 'north', '2026-11-18T09:00:00Z');
    await copyMessages(sendId, sql`send_id`);
    await sql`update touchpoint_sends set kind = 'triggered' where id = ${sendId}`.execute(app.owner);
    await sql`
      insert into messages (organization_id, id, send_id, seq, contact_id)
      select organization_id, gen_random_uuid(), send_id, seq, 'emil@mail.example' from deliveries where send_id = ${sendId}
    `.execute(app.owner);
    t.diagnostic(await assertLatest(key));
  });

  // Must be the last test: its sends affect all contacts.
  test('a timeline of 5,100 sends lists the latest', async (t) => {
    const key = await add('fred@mail.example');
    const { sendId } = await send(key, 'north', '2026-11-18T09:00:00Z');
    const ids = Array.from({ length: 5_100 }, () => newId()).toReversed();
    const sendOf = sql<string>`(${ids}::uuid[])[number]`;
    await copyMessages(sendId, sendOf);
    await sql`
      insert into touchpoint_sends (id, organization_id, touchpoint_id, brand_id, status, send_date)
      select made.id, organization_id, touchpoint_id, brand_id, status, send_date
      from touchpoint_sends s, unnest(${ids.slice(1)}::uuid[]) made(id) where s.id = ${sendId}
    `.execute(app.owner);
    await sql`
      insert into touchpoint_send_contents (organization_id, send_id, content, audience)
      select organization_id, made.id, content, audience
      from touchpoint_send_contents, unnest(${ids.slice(1)}::uuid[]) made(id) where send_id = ${sendId}
    `.execute(app.owner);
    await sql`
      insert into contact_deliveries (organization_id, send_id, last_hash, hashes, seqs)
      select organization_id, ${sendOf}, last_hash, hashes, array[number]
      from contact_deliveries, generate_series(2, 5100) number where send_id = ${sendId}
    `.execute(app.owner);
    t.diagnostic(await assertLatest(key));
    const nobody = await add('gina@mail.example');
    assert.deepEqual((await timeline(nobody)).body, { items: [], next: null, is_cut: true });
  });
});
