import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import type { Message } from '@reachout/contract/messages.ts';
import type { Recipient, Send, SendReceipt } from '@reachout/contract/sends.ts';
import type { Topic } from '@reachout/contract/topics.ts';
import type { Review, Touchpoint } from '@reachout/contract/touchpoints.ts';
import { rememberErasure } from '../../contacts/consent/erased-addresses.ts';
import { execute, hasRows, rowsOf, valuesOf, inOrganization } from '../../platform/database/database.ts';
import { makeKeyOf } from '../../testing/actors.ts';
import { createTestApp, useTestApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { startProductWorker } from '../../testing/product-worker.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { insertRows } from '../../sample/rows.ts';
import { countAccounts } from '../../testing/send-accounts.ts';
import { letQueuedBeDue } from '../../testing/send-fixture.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { useOpened } from '../../testing/use-made.ts';
import { waitUntil } from '../../testing/wait-until.ts';

suite('single messages', () => {
  const app = useTestApp();

  const sink = useOpened(() => startSmtpSink({ keepMessages: true }));

  const arrivedTo = (address: string) => sink.taken.filter(({ recipient }) => recipient === address);
  const booksOf = async ({ id }: Pick<Send, 'id'>) => {
    const accounts = await countAccounts(app.owner, id);
    assert.deepEqual(accounts.counters, accounts.rows);
    return accounts;
  };

  const startTestWorker = (t: TestContext) => startProductWorker(t, app, sink, { inFlightLimit: 8 });

  const activate = async (email: ReadyEmail, of = app) => {
    const { status, body } = await of.request<Send>('POST', `/api/touchpoints/${email.touchpointId}/sends`, {
      body: { kind: 'triggered' },
      as: email.person,
    });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const post = (email: ReadyEmail, body: object = {}, headers: Record<string, string> = {}, of = app) =>
    of.request<Message & { data?: unknown }>('POST', '/api/messages', {
      body: {
        organization_id: email.organizationId,
        touchpoint_id: email.touchpointId,
        to: 'ada@sink.example',
        ...body,
      },
      as: email.person,
      headers,
    });
  const send = async (email: ReadyEmail, to: string) => {
    const { status, body } = await post(email, { to });
    assert.equal(status, 202, JSON.stringify(body));
    return body;
  };
  const read = async ({ person }: ReadyEmail, { id }: Pick<Message, 'id'>) =>
    await person.ok<Message>('GET', `/api/messages/${id}`);
  const waitForState = (email: ReadyEmail, message: Pick<Message, 'id'>, state: Message['state']) =>
    waitUntil(`the message is ${state}`, async () => {
      const found = await read(email, message);
      return found.state === state ? found : undefined;
    });
  const change = (email: ReadyEmail, { id }: Pick<Send, 'id'>, verb: string) =>
    email.person.request<Send>('POST', `/api/sends/${id}/${verb}`);
  const statusOf = async ({ person, touchpointId }: ReadyEmail) =>
    (await person.ok<Touchpoint>('GET', `/api/touchpoints/${touchpointId}`)).status;

  test('a message to an address whose data was erased is suppressed', async (t) => {
    const email = await buildReadyEmail(app);
    await activate(email);
    const { organizationId } = email;
    await inOrganization(app.services.db, organizationId, (trx) =>
      rememberErasure(trx, app.services.secrets, organizationId, 'erased@sink.example'),
    );
    startTestWorker(t);
    await waitForState(email, await send(email, 'Erased@sink.example'), 'suppressed');
    await waitForState(email, await send(email, 'known@sink.example'), 'sent');
    assert.equal(arrivedTo('Erased@sink.example').length, 0);
  });

  test('a message of an active email is sent with its data', async (t) => {
    const email = await buildReadyEmail(app);
    const active = await activate(email);
    assert.deepEqual([active.kind, active.status, await statusOf(email)], ['triggered', 'sending', 'active']);
    const order = { to: 'once@sink.example', data: { first_name: 'Ada', order: [{ sku: 1 }] } };
    const first = await post(email, order, { 'idempotency-key': 'order 1' });
    assert.equal(first.status, 202, JSON.stringify(first.body));
    assert.deepEqual((await post(email, order, { 'idempotency-key': 'order 1' })).body, first.body);
    const { id, created_at, ...rest } = first.body;
    assert.deepEqual(rest, {
      organization_id: email.organizationId,
      touchpoint_id: email.touchpointId,
      send_id: active.id,
      is_test: false,
      to: 'once@sink.example',
      state: 'queued',
      attempts: 0,
      reply: null,
      error_content: null,
      error: null,
      next_attempt_at: rest.next_attempt_at,
      at: null,
    });

    startTestWorker(t);
    const sent = await waitForState(email, { id }, 'sent');
    assert.equal(sent.attempts, 1);
    assert.equal(arrivedTo('once@sink.example').length, 1);
    const { raw, date } = arrivedTo('once@sink.example')[0]!;
    assert.match(raw, /^Subject: News for Ada\r$/m);
    assert.equal(Date.parse(date), Math.floor(Date.parse(created_at) / 1_000) * 1_000);
    // Variables that the template does not use are not stored.
    const rows = await rowsOf<{ variables: object }>(app.owner)`
      select variables from deliveries where send_id = ${active.id}`;
    assert.deepEqual(rows, [{ variables: { first_name: 'Ada' } }]);

    await send(email, 'next@sink.example');
    await waitUntil('the next one arrives', () => arrivedTo('next@sink.example').length === 1);
    await waitUntil('both are counted', async () => (await booksOf(active)).counters.sent === 2);
    const books = await booksOf(active);
    assert.deepEqual([books.status, books.total, books.queued], ['sending', 2, 0]);
  });

  test('invalid message requests are rejected', async () => {
    const [email, foreign] = [await buildReadyEmail(app), await buildReadyEmail(app)];
    const analyst = await app.signInMember(email.organizationId, 'analyst');
    assertProblem(await post(email), 409, 'touchpoint_not_active');
    const active = await activate(email);
    const path = '/api/messages';
    assertProblem(await app.request('POST', path, { body: {} }), 401, 'not_signed_in');
    assertProblem(await post({ ...email, person: analyst }), 403, 'forbidden');
    assertProblem(await post({ ...email, person: foreign.person }), 404, 'not_found');
    assertProblem(await post(email, { touchpoint_id: foreign.touchpointId }), 404, 'not_found');
    assertInvalid(await post(email, { to: 'nobody' }), 'to');
    assertInvalid(await post(email, { to: 'jürgen@sink.example' }), 'to');
    assertInvalid(await post(email, { data: { text: '\0' } }), 'data.text');
    assertInvalid(await post(email, { data: { text: 'x'.repeat(20_001) } }), 'data.text');
    const much = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, 'x'.repeat(19_000)]));
    assertInvalid(await post(email, { data: much }), 'data');
    const keyOf = (scope: string) => makeKeyOf(app, email.organizationId, email.person.userId, [scope]);
    assertProblem(await post({ ...email, person: await keyOf('campaigns:read') }), 403, 'forbidden');
    assert.equal((await post({ ...email, person: await keyOf('campaigns:send') })).status, 202);

    assert.equal((await change(email, active, 'pause')).status, 200);
    assert.equal(await statusOf(email), 'paused');
    assertProblem(await post(email), 409, 'touchpoint_not_active');
    assert.equal((await change(email, active, 'resume')).status, 200);
    assert.equal((await post(email)).status, 202);
    const again = await email.person.request('POST', `/api/touchpoints/${email.touchpointId}/sends`, {
      kind: 'campaign',
    });
    assertProblem(again, 409, 'invalid_transition');
  });

  test('an email without an audience is reviewed for single messages', async () => {
    const email = await buildReadyEmail(app);
    const patch = (body: object) =>
      email.person.request('PATCH', `/api/touchpoints/${email.touchpointId}/email`, body);
    const review = async (query: string) => {
      const path = `/api/touchpoints/${email.touchpointId}/review${query}`;
      return await email.person.request<Review>('GET', path);
    };
    const blocking = ({ body }: { body: Review }) =>
      body.checks.filter(({ level }) => level === 'block').map(({ check }) => check);
    const named = await review('?kind=triggered');
    assert.deepEqual([named.body.audience, named.body.audience_breakdown], [null, null]);
    await patch({ filter_id: null });
    for (const query of ['', '?kind=campaign']) assert.deepEqual(blocking(await review(query)), ['audience']);
    assert.deepEqual(blocking(await review('?kind=triggered')), []);
    assertInvalid(await review('?kind=test'), 'kind');
    await patch({ subject: '' });
    assert.deepEqual(blocking(await review('?kind=triggered')), ['subject']);
    const refused = await email.person.request('POST', `/api/touchpoints/${email.touchpointId}/sends`, {
      kind: 'triggered',
    });
    assertProblem(refused, 409, 'send_blocked');
  });

  test('the receipt says what a request may contain', async () => {
    const email = await buildReadyEmail(app);
    const active = await activate(email);
    const body = await email.person.ok<SendReceipt>('GET', `/api/sends/${active.id}/receipt`);
    assert.deepEqual(body.contact_fields, ['first_name', 'last_name']);
  });

  test('single messages are listed with the newest first', async () => {
    const email = await buildReadyEmail(app);
    const active = await activate(email);
    for (const to of ['one', 'two', 'three', 'four', 'five']) await send(email, `${to}@sink.example`);
    const list = async (query: string) => {
      const body = await email.person.ok<{ items: Recipient[]; count: number }>(
        'GET',
        `/api/sends/${active.id}/deliveries?page_size=2&${query}`,
      );
      return [body.count, ...body.items.map(({ address }) => address?.split('@')[0])];
    };
    for (const filter of ['', '&state=queued', '&search=sink']) {
      assert.deepEqual(await list(`page=0${filter}`), [5, 'five', 'four'], filter);
      assert.deepEqual(await list(`page=1${filter}`), [5, 'three', 'two'], filter);
      assert.deepEqual(await list(`page=2${filter}`), [5, 'one'], filter);
      assert.deepEqual(await list(`page=3${filter}`), [5], filter);
    }
  });

  test('suppressed addresses get no message, and transient rejections are retried', async (t) => {
    const email = await buildReadyEmail(app);
    const active = await activate(email);
    await execute(app.owner)`
      insert into choices (kind, organization_id, id, brand_id, address_key, value)
      values ('suppression', ${email.organizationId}, gen_random_uuid(), ${email.brandId}, 'gone@sink.example', 'unsubscribe')
    `;
    let isBusy = true;
    sink.refuse = (recipient) =>
      recipient === 'later@sink.example' && isBusy ? { code: 451, text: '4.7.1 greylisted' } : undefined;
    t.after(() => {
      sink.refuse = () => undefined;
    });
    const [gone, later] = [await send(email, 'Gone@sink.example'), await send(email, 'later@sink.example')];
    startTestWorker(t);
    await waitForState(email, gone, 'suppressed');
    const deferred = await waitUntil('the message is deferred', async () => {
      const message = await read(email, later);
      return message.attempts === 1 && message.state === 'queued' ? message : undefined;
    });
    assert.match(deferred.reply ?? '', /greylisted/);
    isBusy = false;
    await letQueuedBeDue(app.owner, active.id);
    assert.equal((await waitForState(email, later, 'sent')).attempts, 2);
    assert.equal(arrivedTo('Gone@sink.example').length, 0);
    const { counters, total, status } = await booksOf(active);
    assert.deepEqual([counters.sent, counters.suppressed, total, status], [1, 1, 2, 'sending']);
  });

  test('unsubscribed contacts get no single message', async (t) => {
    const email = await buildReadyEmail(app);
    await activate(email);
    const contacts = `/api/content/${email.organizationId}/items/contacts`;
    const created = await email.person.ok<{ data: { id: string } }>('POST', contacts, {
      email: ' Left@sink.example',
      unsubscribed: false,
    });
    const left = await send(email, 'LEFT@sink.example');
    await email.person.request('PATCH', `${contacts}/${created.data.id}`, { unsubscribed: true });
    await email.person.request('POST', contacts, { email: 'stays@sink.example' });
    const stays = await send(email, 'stays@sink.example');
    startTestWorker(t);
    await waitForState(email, left, 'suppressed');
    await waitForState(email, stays, 'sent');
    assert.equal(arrivedTo('LEFT@sink.example').length, 0);
  });

  test('single messages go to those who get the topic, and do not pause', async (t) => {
    const email = await buildReadyEmail(app);
    const topic = await email.person.ok<Topic>('POST', `/api/brands/${email.brandId}/topics`, {
      name: 'Offers',
      is_default: false,
    });
    await email.person.request('PATCH', `/api/touchpoints/${email.touchpointId}/email`, {
      topic_id: topic.id,
    });
    const choice = {
      organization_id: email.organizationId,
      brand_id: email.brandId,
      source: 'preferences' as const,
    };
    for (const [name, value] of [
      ['chose', 'subscribed'],
      ['declined', 'not_subscribed'],
      ['pauses', 'subscribed'],
      ['paused', 'subscribed'],
    ] as const)
      await insertRows(app.owner, 'choices', {
        kind: 'topic',
        ...choice,
        topic_id: topic.id,
        address_key: `${name}@sink.example`,
        value,
      });
    for (const [name, days] of [
      ['pauses', 1],
      ['paused', -1],
    ] as const)
      await insertRows(app.owner, 'choices', {
        kind: 'pause',
        value: 'paused',
        ...choice,
        address_key: `${name}@sink.example`,
        until: new Date(Date.now() + days * 86_400_000).toISOString(),
      });
    await activate(email);
    // The send keeps its topic.
    await app.owner
      .updateTable('touchpoint_emails')
      .set({ topic_id: null })
      .where('touchpoint_id', '=', email.touchpointId)
      .execute();
    const expected = {
      chose: 'sent',
      declined: 'suppressed',
      pauses: 'suppressed',
      paused: 'sent',
      'says.nothing': 'suppressed',
    } as const;
    const sent = await Promise.all(Object.keys(expected).map((name) => send(email, `${name}@sink.example`)));
    startTestWorker(t);
    for (const [index, state] of Object.values(expected).entries())
      await waitForState(email, sent[index]!, state);
  });

  test('a message of a dead worker is retried once', async (t) => {
    const email = await buildReadyEmail(app);
    const active = await activate(email);
    const message = await send(email, 'unclear@sink.example');
    // The state after a killed worker: leased by a worker that does not exist.
    await execute(app.owner)`
      update delivery_queue set worker_id = 2147483647, lease_until = now() + interval '1 hour'
      where send_id = ${active.id}`;
    startTestWorker(t);
    const sent = await waitForState(email, message, 'sent');
    assert.equal(sent.attempts, 2);
    assert.equal((await booksOf(active)).counters.sent, 1);
  });

  test('messages that waited a day need a resume', async (t) => {
    const email = await buildReadyEmail(app);
    const active = await activate(email);
    await send(email, 'yesterday@sink.example');
    await execute(app.owner)`
      update touchpoint_sends set next_due_at = now() - interval '25 hours' where id = ${active.id}`;
    await send(email, 'today@sink.example');
    startTestWorker(t);
    await waitUntil('the email is paused', async () => (await statusOf(email)) === 'paused');
    assert.equal(arrivedTo('yesterday@sink.example').length, 0);
    assert.equal(arrivedTo('today@sink.example').length, 0);
    assert.equal((await change(email, active, 'resume')).status, 200);
    for (const day of ['today', 'yesterday'])
      await waitUntil(`that of ${day} arrives`, () => arrivedTo(`${day}@sink.example`).length === 1);
  });

  test('an earlier failure does not block new messages', async (t) => {
    const email = await buildReadyEmail(app);
    const active = await activate(email);
    // The state after a worker that ended between the two.
    await execute(app.owner)`
      update touchpoint_sends set failure_count = 1, next_due_at = null where id = ${active.id}`;
    const message = await send(email, 'afterwards@sink.example');
    startTestWorker(t);
    await waitForState(email, message, 'sent');
  });

  test('messages that cannot be built do not pause the email', async (t) => {
    const email = await buildReadyEmail(app);
    const active = await activate(email);
    const data = { first_name: 'too long for a subject '.repeat(50) };
    for (let number = 0; number < 50; number += 1) {
      const { status } = await post(email, { to: `bad${number}@sink.example`, data });
      assert.equal(status, 202);
    }
    startTestWorker(t);
    await waitUntil('they have failed', async () => (await booksOf(active)).counters.failed === 50);
    await waitForState(email, await send(email, 'good@sink.example'), 'sent');
  });

  test('cancelling the send cancels its waiting messages', async (t) => {
    const email = await buildReadyEmail(app);
    const active = await activate(email);
    const message = await send(email, 'late@sink.example');
    assert.equal((await change(email, active, 'cancel')).status, 200);
    assert.equal((await read(email, message)).state, 'cancelled');
    assert.equal(await statusOf(email), 'draft');
    assertProblem(await post(email), 409, 'touchpoint_not_active');
    startTestWorker(t);
    const next = await activate(email);
    await send(email, 'early@sink.example');
    await waitUntil(
      'the message of the next send arrives',
      () => arrivedTo('early@sink.example').length === 1,
    );
    assert.equal(arrivedTo('late@sink.example').length, 0);
    assert.notEqual(next.id, active.id);
    const { counters, total } = await booksOf(active);
    assert.deepEqual([counters.cancelled, total], [1, 1]);
  });

  test('single messages do not wait for bulk sends', async (t) => {
    const [bulk, email] = [await buildReadyEmail(app, { contacts: 60 }), await buildReadyEmail(app)];
    const active = await activate(email);
    const gate = Promise.withResolvers<void>();
    const isReached = Promise.withResolvers<void>();
    t.after(() => {
      gate.resolve();
      sink.beforeAnswer = () => Promise.resolve();
    });
    sink.beforeAnswer = async ({ raw }) => {
      if (!raw.includes(bulk.brandId)) return;
      isReached.resolve();
      await gate.promise;
    };
    const from = sink.taken.length;
    await bulk.person.request('POST', `/api/touchpoints/${bulk.touchpointId}/sends`, { immediately: true });
    startTestWorker(t);
    await isReached.promise;
    await send(email, 'urgent@sink.example');
    await waitUntil(
      'the worker has the message',
      () => hasRows(app.owner)`
        select from delivery_queue where send_id = ${active.id} and worker_id is not null`,
    );
    gate.resolve();
    await waitUntil('all messages arrive', () => sink.taken.length >= from + 61);
    const place = sink.taken.slice(from).findIndex(({ recipient }) => recipient === 'urgent@sink.example');
    assert.ok(place < 30, `the message came after ${place} of the bulk send`);
  });

  async function createRelayedApp(t: TestContext, dailyRecipientLimit: number) {
    const config = { smtpUrl: sink.url, senderDomains: ['nordwind.example'], dailyRecipientLimit };
    const relayed = await createTestApp(config, { beside: app });
    t.after(() => relayed.close());
    return relayed;
  }

  test('unknown recipient domains are looked up for their lane', async (t) => {
    const relayed = await createRelayedApp(t, 100);
    const email = await buildReadyEmail(app);
    const active = await activate(email, relayed);
    const domain = 'kundin.de';
    const lanes = () => valuesOf<string>(app.owner)`
        select lane from delivery_queue where send_id = ${active.id} order by seq`;
    const isDue = () => valuesOf<boolean>(app.owner)`
        select due_at <= now() as is_due from recipient_domains where domain = ${domain}`;
    const lookedUp = (at: string) =>
      execute(app.owner)`
        update recipient_domains
        set recipient_group = 'google', looked_up_at = now() - ${at}::interval, due_at = null
        where domain = ${domain}`;

    for (const to of [`Ada@${domain.toUpperCase()}`, 'ada@gmail.com'])
      assert.equal((await post(email, { to }, {}, relayed)).status, 202);
    assert.deepEqual([await lanes(), await isDue()], [['other', 'google'], [true]]);
    await lookedUp('1 hour');
    assert.equal((await post(email, { to: `bob@${domain}` }, {}, relayed)).status, 202);
    assert.deepEqual([await lanes(), await isDue()], [['other', 'google', 'google'], [null]]);
    await lookedUp('25 hours');
    assert.equal((await post(email, { to: `eve@${domain}` }, {}, relayed)).status, 202);
    assert.deepEqual(await isDue(), [true]);
    await execute(app.owner)`delete from recipient_domains`;
  });

  test('single messages are audited once a day per caller', async () => {
    const email = await buildReadyEmail(app);
    await activate(email);
    const key = await makeKeyOf(app, email.organizationId, email.person.userId, ['campaigns:send']);
    const entries = () => rowsOf<object>(app.owner)`
        select user_id, api_key_id, record_type, record_id, details from audit_log
        where organization_id = ${email.organizationId} and action = 'messages.create' order by at`;
    const entryOf = (api_key_id: string | null) => ({
      user_id: email.person.userId,
      api_key_id,
      record_type: 'touchpoints',
      record_id: email.touchpointId,
      details: {},
    });
    for (const person of [email.person, key, key, email.person])
      assert.equal((await post({ ...email, person })).status, 202);
    assert.deepEqual(await entries(), [entryOf(null), entryOf(key.keyId)]);
    await execute(app.owner)`
      update audit_log set at = at - interval '25 hours' where organization_id = ${email.organizationId}`;
    assert.equal((await post({ ...email, person: key })).status, 202);
    assert.deepEqual(await entries(), [entryOf(null), entryOf(key.keyId), entryOf(key.keyId)]);
  });

  test('single messages count towards the daily limit', async (t) => {
    const relayed = await createRelayedApp(t, 2);
    const email = await buildReadyEmail(app);
    await activate(email, relayed);
    for (const to of ['one@sink.example', 'two@sink.example'])
      assert.equal((await post(email, { to }, {}, relayed)).status, 202);
    const refused = await post(email, { to: 'three@sink.example' }, {}, relayed);
    assertProblem(refused, 429, 'daily_limit_reached');
    assert.deepEqual(refused.body.data, { limit: 2, used: 2 });
    // The first was accepted two days ago and counts while it is queued, but not after it was sent.
    const firstOf = (table: 'messages' | 'delivery_queue') => sql`
      update ${sql.table(table)} set created_at = now() - interval '2 days'
      where organization_id = ${email.organizationId} and seq = 1`;
    for (const table of ['messages', 'delivery_queue'] as const) await firstOf(table).execute(app.owner);
    assertProblem(await post(email, { to: 'three@sink.example' }, {}, relayed), 429, 'daily_limit_reached');
    await execute(app.owner)`
      delete from delivery_queue where organization_id = ${email.organizationId} and seq = 1`;
    assert.equal((await post(email, { to: 'three@sink.example' }, {}, relayed)).status, 202);
    assertProblem(await post(email, { to: 'four@sink.example' }, {}, relayed), 429, 'daily_limit_reached');
  });
});
