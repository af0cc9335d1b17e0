import assert, { AssertionError } from 'node:assert/strict';
import childProcess, { spawn } from 'node:child_process';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { before, mock, suite, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { simpleParser } from 'mailparser';
import type { Recipient, Send } from '@reachout/contract/sends.ts';
import { deliveryStates } from '@reachout/contract/statuses.ts';
import type { Review, Touchpoint, TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { useTestApp } from '../../testing/app.ts';
import { buildBrand } from '../../sample/records.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { startProductWorker } from '../../testing/product-worker.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { insertRows } from '../../sample/rows.ts';
import { deleteRows, updateRows } from '../../testing/rows.ts';
import { fixtureMjml } from '../../testing/send-fixture.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { findTemplateProcesses } from '../../testing/template-processes.ts';
import { useOpened } from '../../testing/use-made.ts';
import { waitForLook } from '../../testing/wait-for-look.ts';
import { waitUntilSomebodyWaits } from '../../testing/wait-for-lock.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { policyOfInstallation } from '../../email/transports/sender-policy.ts';

/** Maximum number of messages in flight. */
const window = 8;

/** A body that can also be an error with data. */
type Body<T> = T & { data?: unknown };

suite('sends', () => {
  const app = useTestApp();

  const sink = useOpened(() => startSmtpSink({ keepMessages: true }));

  const startOf = (email: ReadyEmail, body: object = {}, headers: Record<string, string> = {}) =>
    app.request<Body<Send>>('POST', `/api/touchpoints/${email.touchpointId}/sends`, {
      body,
      as: email.person,
      headers,
    });
  const get = async <T>({ person }: ReadyEmail, path: string): Promise<T> =>
    await person.ok<T>('GET', `/api${path}`);
  const change = (email: ReadyEmail, { id }: Pick<Send, 'id'>, verb: 'pause' | 'resume' | 'cancel') =>
    email.person.request<Body<Send>>('POST', `/api/sends/${id}/${verb}`);
  const patchEmail = (email: ReadyEmail, body: object) =>
    email.person.request('PATCH', `/api/touchpoints/${email.touchpointId}/email`, body);
  const statusOf = async (email: ReadyEmail) =>
    (await get<Touchpoint>(email, `/touchpoints/${email.touchpointId}`)).status;
  const messagesOf = (email: ReadyEmail) => sink.taken.filter(({ raw }) => raw.includes(email.brandId));

  const startTestWorker = (t: TestContext) =>
    startProductWorker(t, app, sink, {
      inFlightLimit: window,
      policy: { ...policyOfInstallation(app.services.config), bounceDomain: 'bounce.reachout.example' },
    });
  const waitForEnd = (email: ReadyEmail, { id }: Pick<Send, 'id'>) =>
    waitUntil('the send ends', async () => {
      const send = await get<Send>(email, `/sends/${id}`);
      return send.end_date === null ? undefined : send;
    });
  /** Makes the mail server accept this many messages of an email, and hold the next ones until released. */
  function holdAfter(t: TestContext, email: ReadyEmail, count: number) {
    const gate = Promise.withResolvers<void>();
    t.after(() => gate.resolve());
    const isReached = Promise.withResolvers<void>();
    sink.beforeAnswer = async (message) => {
      if (!message.raw.includes(email.brandId) || messagesOf(email).length <= count) return;
      isReached.resolve();
      await gate.promise;
    };
    return { isReached: isReached.promise, release: () => gate.resolve() };
  }

  test('starting a send needs a template process', async (t) => {
    const email = await buildReadyEmail(app);
    for (const pid of findTemplateProcesses()) process.kill(pid, 'SIGKILL');
    await waitUntil('they are gone', () => findTemplateProcesses().length === 0);
    const real = childProcess.fork;
    let kills = 1;
    let canStart = false;
    const fork = mock.method(childProcess, 'fork', (...args: Parameters<typeof real>) => {
      // How Node.js reports EAGAIN: a child without a process that emits an error later.
      if (!canStart) return spawn('/nowhere/node');
      const child = real(...args);
      const send = child.send.bind(child);
      mock.method(child, 'send', (task: childProcess.Serializable) => {
        if (kills > 0) child.kill('SIGKILL');
        kills -= 1;
        return send(task);
      });
      return child;
    });
    syncBuiltinESMExports();
    t.after(() => {
      fork.mock.restore();
      syncBuiltinESMExports();
    });
    const busy = await startOf(email);
    assertProblem(busy, 503, 'unavailable');
    assert.ok(Number(busy.headers['retry-after']) > 0);
    canStart = true;
    const started = await startOf(email);
    assert.equal(started.status, 201, JSON.stringify(started.body));
    assert.ok(kills < 1);
  });

  test('a send starts after a minute or immediately', async () => {
    const [calm, hasty] = [await buildReadyEmail(app), await buildReadyEmail(app)];
    const later = await startOf(calm, { expected_recipients: 3 });
    assert.equal(later.status, 201, JSON.stringify(later.body));
    const now = await startOf(hasty, { immediately: true });
    assert.equal(now.status, 201);

    const { send_date, status, touchpoint, campaign, brand, ...rest } = later.body;
    // Both use the clock of the server; the one that starts immediately was confirmed after the other.
    const aheadMs = Date.parse(send_date) - Date.parse(now.body.send_date);
    assert.ok(aheadMs > 0 && aheadMs <= 60_000, `${aheadMs} ms`);
    assert.equal(status, 'queued');
    assert.deepEqual(touchpoint, { id: calm.touchpointId, name: 'Newsletter' });
    assert.deepEqual(campaign, { id: calm.campaignId, name: 'Spring' });
    assert.deepEqual([brand.id, brand.name], [calm.brandId, 'Nordwind']);
    assert.equal(rest.end_date, null);
    assert.equal(rest.uncertain_policy, 'retry');
    assert.equal(await statusOf(calm), 'scheduled');
    assert.equal((await get<{ status: string }>(calm, `/campaigns/${calm.campaignId}`)).status, 'scheduled');
    assert.deepEqual(await get(calm, `/sends/${later.body.id}`), later.body);
  });

  test('invalid starts of a send are rejected', async () => {
    const email = await buildReadyEmail(app);
    const path = `/api/touchpoints/${email.touchpointId}/sends`;
    const analyst = await app.signInMember(email.organizationId, 'analyst');
    assertProblem(await app.request('POST', path, { body: {} }), 401, 'not_signed_in');
    assertProblem(await analyst.request('POST', path, {}), 403, 'forbidden');
    const foreign = await buildReadyEmail(app);
    assertProblem(await foreign.person.request('POST', path, {}), 404, 'not_found');
    assertInvalid(await startOf(email, { expected_recipients: -1 }), 'expected_recipients');
    assertInvalid(await startOf(email, { uncertain_policy: 'guess' }), 'uncertain_policy');
    assertInvalid(await startOf(email, { send_date: '2020-01-01T00:00:00Z' }), 'send_date');

    const archive = (status: string) =>
      email.person.request('PATCH', `/api/campaigns/${email.campaignId}`, { status });
    assert.equal((await archive('archived')).status, 200);
    assertProblem(await startOf(email), 409, 'campaign_archived');
    assert.equal((await archive('draft')).status, 200);

    assert.equal((await startOf(email)).status, 201);
    const again = await startOf(email);
    assertProblem(again, 409, 'invalid_transition');
    assert.deepEqual(again.body.data, { from: 'scheduled', to: 'scheduled' });
  });

  test('a start is rejected for the problems of the review', async () => {
    const email = await buildReadyEmail(app);
    const { organizationId: organization_id, filterId, touchpointId } = email;
    const { subject, from_email } = await get<TouchpointEmail>(email, `/touchpoints/${touchpointId}/email`);
    const restore = async () => {
      await updateRows(app.owner, 'filters', { id: filterId }, { client_id: null, brand_id: null });
      await setFilter(email, { is_active: true, rule: {} });
      await patchEmail(email, { subject, from_email, mjml: fixtureMjml, filter_id: filterId });
    };
    const breaks: [string, string[], () => Promise<unknown>][] = [
      ['no subject', ['subject'], () => patchEmail(email, { subject: ' ' })],
      ['a broken subject', ['subject'], () => patchEmail(email, { subject: '{{ contact.' })],
      ['no sender', ['sender'], () => patchEmail(email, { from_email: '' })],
      ['no body', ['body'], () => patchEmail(email, { mjml: ' ' })],
      ['no audience', ['audience'], () => patchEmail(email, { filter_id: null })],
      [
        'a draft with nothing',
        ['subject', 'sender', 'body', 'audience'],
        () => patchEmail(email, { subject: '', from_email: '', mjml: '', filter_id: null }),
      ],
      [
        'no link to unsubscribe',
        ['unsubscribe_link'],
        () => write(email, fixtureMjml.replace('{{ links.unsubscribe }}', 'https://a.example')),
      ],
      ['Liquid that is not closed', ['body'], () => write(email, `${fixtureMjml}{% if %}`)],
      ['an inactive audience', ['audience'], () => setFilter(email, { is_active: false })],
      [
        'an audience of a brand that is deleted',
        ['audience'],
        async () => {
          const { client_id, id } = await buildBrand(app.owner, { organization_id, deleted: true });
          await updateRows(app.owner, 'filters', { id: filterId }, { client_id, brand_id: id });
        },
      ],
      ['an audience of nobody', ['audience'], () => setFilter(email, { rule: { country: { _eq: 'CH' } } })],
      [
        'a rule over a field that is gone',
        ['audience'],
        async () => {
          await setFilter(email, { rule: { city: { _eq: 'Bern' } } });
          await sql`delete from content_fields where organization_id = ${organization_id} and field = 'city'`.execute(
            app.owner,
          );
        },
      ],
      ['nothing', [], () => Promise.resolve()],
    ];
    for (const [what, expected, spoil] of breaks) {
      await restore();
      await spoil();
      const review = await get<Review>(email, `/touchpoints/${touchpointId}/review`);
      const blocking = review.checks.filter(({ level }) => level === 'block');
      assert.deepEqual(
        blocking.map(({ check }) => check),
        expected,
        `${what}: ${JSON.stringify(blocking)}`,
      );
      const answer = await startOf(email, { immediately: true });
      if (expected.length === 0) {
        assert.equal(answer.status, 201, what);
        continue;
      }
      assertProblem(answer, 409, 'send_blocked', what);
      const checks = blocking.map(({ check, message }) => ({ check, message }));
      assert.deepEqual(answer.body.data, { checks }, what);
      assert.ok(
        checks.every(({ message }) => message !== null && message !== ''),
        what,
      );
      assert.equal(await statusOf(email), 'draft', what);
    }
  });

  const write = (email: ReadyEmail, mjml: string) => patchEmail(email, { mjml });
  const setFilter = (email: ReadyEmail, body: object) =>
    email.person.request('PATCH', `/api/filters/${email.filterId}`, body);

  test('a start is rejected when the audience has changed', async () => {
    const email = await buildReadyEmail(app, { contacts: 3 });
    const refused = await startOf(email, { expected_recipients: 4 });
    assertProblem(refused, 409, 'audience_changed');
    assert.deepEqual(refused.body.data, { expected: 4, actual: 3 });
    assert.equal(await statusOf(email), 'draft');
    assert.equal((await startOf(email, { expected_recipients: 3 })).status, 201);
  });

  test('a start is rejected when the email changes meanwhile', async () => {
    const email = await buildReadyEmail(app);
    const start = () => startOf(email, {}, { 'idempotency-key': 'press' });
    const started = await app.owner.transaction().execute(async (trx) => {
      await sql`select from touchpoints where id = ${email.touchpointId} for update`.execute(trx);
      const answer = start();
      await waitUntilSomebodyWaits(app.owner);
      await sql`update touchpoint_emails set subject = 'Changed' where touchpoint_id = ${email.touchpointId}`.execute(
        trx,
      );
      return { answer };
    });
    assertProblem(await started.answer, 409, 'changed_elsewhere');
    assert.equal(await statusOf(email), 'draft');

    const again = await start();
    assert.equal(again.status, 201);
    assert.equal((await start()).body.id, again.body.id);
  });

  test('concurrent starts make one send', async () => {
    const email = await buildReadyEmail(app);
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => startOf(email, {}, { 'idempotency-key': `press ${index}` })),
    );
    assert.equal(responses.filter(({ status }) => status === 201).length, 1);
    for (const answer of responses.filter(({ status }) => status !== 201)) {
      // On a slow machine, the last requests time out while they wait.
      if (answer.status === 503) assertProblem(answer, 503, 'unavailable');
      else assertProblem(answer, 409, 'invalid_transition');
    }
    const { items, count } = await get<{ items: Send[]; count: number }>(
      email,
      `/touchpoints/${email.touchpointId}/sends`,
    );
    assert.equal(count, 1);
    assert.equal(items.length, 1);
    const repeats = await Promise.all(
      Array.from({ length: 3 }, (_, index) => startOf(email, {}, { 'idempotency-key': `press ${index}` })),
    );
    for (const repeat of repeats)
      assert.ok([409, 503].includes(repeat.status) || repeat.body.id === items[0]?.id);
  });

  test('a send uses the content that was confirmed', async (t) => {
    const email = await buildReadyEmail(app, { contacts: 4 });
    await setFilter(email, { rule: { country: { _eq: 'AT' } } });
    const review = await get<Review>(email, `/touchpoints/${email.touchpointId}/review`);
    assert.equal(review.audience_breakdown?.will_receive, 2);
    const { body: send } = await startOf(email, { immediately: true, expected_recipients: 2 });

    await write(email, fixtureMjml.replace('Hello', 'CHANGED'));
    await setFilter(email, { rule: {}, name: 'Renamed' });
    await updateRows(
      app.owner,
      'touchpoint_emails',
      { touchpoint_id: email.touchpointId },
      { subject: 'CHANGED', from_email: 'other@nordwind.example' },
    );
    await updateRows(app.owner, 'brands', { id: email.brandId }, { name: 'CHANGED' });

    const worker = startTestWorker(t);
    const ended = await waitForEnd(email, send);
    await worker.stop();
    assert.equal(ended.status, 'completed');
    assert.equal(ended.recipients_total_sent_count, 2);
    assert.deepEqual(ended.audience_breakdown, review.audience_breakdown);
    assert.equal(await statusOf(email), 'sent');

    const messages = messagesOf(email);
    assert.deepEqual(messages.map(({ recipient }) => recipient).toSorted(), [
      'user2@sink.example',
      'user4@sink.example',
    ]);
    const message = messages.find(({ recipient }) => recipient === 'user2@sink.example');
    const { subject, from, text, html } = await simpleParser(Buffer.from(message?.raw ?? '', 'latin1'));
    assert.equal(subject, 'News for Person 2');
    assert.deepEqual(from?.value, [{ address: 'news@nordwind.example', name: 'Nordwind' }]);
    assert.match(String(text), /Hello Person 2/);
    assert.match(String(html), /Hello Person 2/);
    assert.doesNotMatch(message?.raw ?? '', /CHANGED/);
  });

  test('a queued send can be cancelled and started again', async (t) => {
    const email = await buildReadyEmail(app);
    const { body: send } = await startOf(email);
    assert.equal((await change(email, send, 'pause')).body.status, 'held');
    assert.equal(await statusOf(email), 'paused');
    assertProblem(await change(email, send, 'pause'), 409, 'invalid_transition');
    const cancelled = await change(email, send, 'cancel');
    assert.equal(cancelled.status, 200);
    assert.equal(cancelled.body.status, 'cancelled');
    assert.notEqual(cancelled.body.end_date, null);
    assert.equal(cancelled.body.recipients_total_count, 0);
    assert.equal(await statusOf(email), 'draft');
    assert.equal((await get<{ status: string }>(email, `/campaigns/${email.campaignId}`)).status, 'draft');
    for (const verb of ['pause', 'resume', 'cancel'] as const)
      assertProblem(await change(email, send, verb), 409, 'invalid_transition');

    // The minute is over, and a worker polls.
    await sql`update touchpoint_sends set send_date = now() - interval '1 minute', next_due_at = now() where id = ${send.id}`.execute(
      app.owner,
    );
    await patchEmail(email, { subject: 'Second thoughts' });
    const { body: second } = await startOf(email, { immediately: true });
    const worker = startTestWorker(t);
    const ended = await waitForEnd(email, second);
    await worker.stop();
    assert.equal(ended.recipients_total_sent_count, 3);
    assert.equal(messagesOf(email).length, 3);
    for (const { raw } of messagesOf(email)) assert.match(raw, /^Subject: Second thoughts/m);
    assert.deepEqual(
      (await get<{ items: Send[] }>(email, `/touchpoints/${email.touchpointId}/sends`)).items.map(
        ({ id }) => id,
      ),
      [second.id, send.id],
    );
  });

  test('a send in preparation cannot be paused or resumed', async () => {
    const email = await buildReadyEmail(app);
    const { body: send } = await startOf(email);
    await sql`update touchpoint_sends set status = 'preparing' where id = ${send.id}`.execute(app.owner);
    await sql`update touchpoints set status = 'sending' where id = ${email.touchpointId}`.execute(app.owner);
    for (const verb of ['pause', 'resume'] as const)
      assertProblem(await change(email, send, verb), 409, 'invalid_transition');
    assert.equal((await change(email, send, 'cancel')).body.status, 'cancelled');
    assert.equal(await statusOf(email), 'draft');
  });

  test('a running send can be paused, resumed and cancelled', async (t) => {
    const email = await buildReadyEmail(app, { contacts: 60 });
    const held = holdAfter(t, email, 3);
    const { body: send } = await startOf(email, { immediately: true });
    const worker = startTestWorker(t);
    await held.isReached;

    const paused = await change(email, send, 'pause');
    assert.equal(paused.body.status, 'paused', JSON.stringify(paused.body));
    assert.equal(await statusOf(email), 'paused');
    assertProblem(await change(email, send, 'pause'), 409, 'invalid_transition');
    assertProblem(await startOf(email), 409, 'invalid_transition');
    await waitForLook(app.owner);
    held.release();
    const rest = await waitUntil('what was under way has ended', async () => {
      const now = await get<Send>(email, `/sends/${send.id}`);
      const { count } = await get<{ count: number }>(email, `/sends/${send.id}/deliveries?state=sending`);
      return count === 0 && now.recipients_total_sent_count === messagesOf(email).length ? now : undefined;
    });
    assert.ok(rest.recipients_total_sent_count >= 4 && rest.recipients_total_sent_count <= 4 + window);
    assert.equal(rest.status, 'paused');

    const heldAgain = holdAfter(t, email, 25);
    assert.equal((await change(email, send, 'resume')).body.status, 'sending');
    assert.equal(await statusOf(email), 'sending');
    assertProblem(await change(email, send, 'resume'), 409, 'invalid_transition');
    await heldAgain.isReached;
    const cancelled = await change(email, send, 'cancel');
    assert.equal(cancelled.body.status, 'cancelled');
    await waitForLook(app.owner);
    heldAgain.release();
    const ended = await waitForEnd(email, send);
    await worker.stop();

    const taken = messagesOf(email);
    assert.equal(ended.recipients_total_sent_count, taken.length);
    assert.equal(ended.recipients_cancelled_count, 60 - taken.length);
    assert.ok(taken.length <= 26 + window);
    assert.equal(ended.recipients_queued_count, 0);
    assert.equal(new Set(taken.map(({ recipient }) => recipient)).size, taken.length);
    assert.equal(await statusOf(email), 'sent');
    await assertStates(email, ended);
  });

  test('each message is listed in exactly one state', async (t) => {
    const email = await buildReadyEmail(app, { contacts: 12 });
    // The first recipient, so that it is rejected before the mail server holds a message.
    let refused: string | undefined;
    sink.refuse = (recipient) => {
      refused ??= recipient;
      return recipient === refused ? { code: 550, text: '5.1.1 no such user' } : undefined;
    };
    const held = holdAfter(t, email, 2);
    const { body: send } = await startOf(email, { immediately: true });
    assert.deepEqual(await get(email, `/sends/${send.id}/deliveries`), {
      items: [],
      count: 0,
      collection: 'contacts',
    });
    const worker = startTestWorker(t);
    await held.isReached;
    // Messages may change their state between two requests, until all that can be sent are held.
    const counts = await waitUntil('the first outcomes are stored', async () => {
      const now = await get<Send>(email, `/sends/${send.id}`);
      if (now.recipients_total_sent_count < 2 || now.recipients_total_delivery_failed_count < 1)
        return undefined;
      return await assertStates(email, now).catch(ignoreMismatch);
    });
    assert.ok((counts['sending'] ?? 0) > 0 && (counts['queued'] ?? 0) > 0, JSON.stringify(counts));

    const list = (query: string) =>
      get<{ items: Recipient[]; count: number }>(email, `/sends/${send.id}/deliveries?${query}`);
    const bounced = await list('state=bounced');
    assert.deepEqual(
      bounced.items.map(({ address, attempts, state }) => ({ address, attempts, state })),
      [{ address: refused, attempts: 1, state: 'bounced' }],
    );
    assert.match(bounced.items[0]?.reply ?? '', /5\.1\.1 no such user/);
    assert.equal((await list('search=USER1')).count, 4);
    assert.equal((await list('search=user1%40')).count, 1);
    assert.equal((await list('search=%25')).count, 0);
    assert.equal((await list('search=_')).count, 0);
    assert.equal((await list('search=user1&state=queued')).count < 4, true);
    const pages = [
      await list('page_size=5'),
      await list('page_size=5&page=1'),
      await list('page_size=5&page=2'),
    ];
    assert.deepEqual(
      pages.flatMap(({ items }) => items.map(({ seq }) => seq)),
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
    assertInvalid(await email.person.request('GET', `/api/sends/${send.id}/deliveries?state=lost`), 'state');

    held.release();
    const ended = await waitForEnd(email, send);
    await worker.stop();
    sink.refuse = () => undefined;
    assert.deepEqual(await assertStates(email, ended), { sent: 11, bounced: 1 });
  });

  test('the five newest sends of an organization are listed', async () => {
    const email = await buildReadyEmail(app);
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      const { body } = await startOf(email);
      ids.unshift(body.id);
      await change(email, body, 'cancel');
    }
    const recent = await get<Send[]>(email, `/sends/recent?organization_id=${email.organizationId}`);
    assertColumn(recent, 'id', ids.slice(0, 5));
    const path = `/touchpoints/${email.touchpointId}/sends`;
    const second = await get<{ items: Send[]; count: number }>(email, `${path}?page=1&page_size=4`);
    assert.equal(second.count, 6);
    assertColumn(second.items, 'id', ids.slice(4));
  });

  function ignoreMismatch(error: unknown): undefined {
    if (!(error instanceof AssertionError)) throw error;
    return undefined;
  }

  /** Asserts that each message is listed once over all states, and that each state has as many as its counter. */
  async function assertStates(email: ReadyEmail, send: Send): Promise<Record<string, number>> {
    const seen: number[] = [];
    const counts: Record<string, number> = {};
    for (const state of deliveryStates) {
      const { items, count } = await get<{ items: Recipient[]; count: number }>(
        email,
        `/sends/${send.id}/deliveries?state=${state}&page_size=500`,
      );
      assert.equal(items.length, count);
      assert.ok(items.every((item) => item.state === state));
      seen.push(...items.map(({ seq }) => seq ?? 0));
      if (count > 0) counts[state] = count;
    }
    assert.deepEqual(
      seen.toSorted((a, b) => a - b),
      Array.from({ length: send.recipients_total_count }, (_, index) => index + 1),
    );
    assert.deepEqual(
      {
        sent: counts['sent'] ?? 0,
        bounced: counts['bounced'] ?? 0,
        failed: counts['failed'] ?? 0,
        cancelled: counts['cancelled'] ?? 0,
        uncertain: counts['uncertain'] ?? 0,
        open: (counts['queued'] ?? 0) + (counts['sending'] ?? 0),
      },
      {
        sent: send.recipients_total_sent_count,
        bounced: send.recipients_total_delivery_failed_count,
        failed: send.recipients_total_failed_count,
        cancelled: send.recipients_cancelled_count,
        uncertain: send.recipients_uncertain_count,
        open: send.recipients_queued_count,
      },
    );
    return counts;
  }

  suite('progress streams', { timeout: 300_000 }, () => {
    let port: number;

    before(async () => {
      await app.app.listen({ port: 0, host: '127.0.0.1' });
      const address = app.app.server.address();
      assert.ok(typeof address === 'object' && address !== null);
      ({ port } = address);
    });

    const open = async ({ person }: ReadyEmail, { id }: Pick<Send, 'id'>) =>
      await fetch(`http://127.0.0.1:${port}/api/sends/${id}/progress`, { headers: person.headers });

    test('a stream reports each change until the end', async (t) => {
      const email = await buildReadyEmail(app, { contacts: 6 });
      const held = holdAfter(t, email, 2);
      const { body: send } = await startOf(email, { immediately: true });
      const response = await open(email, send);
      assert.equal(response.status, 200);
      assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.equal(response.headers.get('content-encoding'), null);
      const events = readSends(response);
      const first = await events.next();
      assert.equal(first.value?.status, 'queued');

      const worker = startTestWorker(t);
      const seen: Send[] = [];
      // While the mail server holds a message, the stream has already reported the previous ones.
      await held.isReached;
      for (let now = await events.next(); !now.done; now = await events.next()) {
        seen.push(now.value);
        if (now.value.recipients_total_sent_count >= 1) break;
      }
      assert.ok(seen.at(-1)!.recipients_total_sent_count < 6);
      held.release();
      for await (const now of events) seen.push(now);
      await worker.stop();
      assert.equal(seen.at(-1)?.status, 'completed');
      assert.equal(seen.at(-1)?.recipients_total_sent_count, 6);
      assert.deepEqual(seen.at(-1), await get(email, `/sends/${send.id}`));
      const counts = seen.map(({ recipients_total_sent_count }) => recipients_total_sent_count);
      assert.deepEqual(
        counts,
        counts.toSorted((a, b) => a - b),
      );

      // For an ended send, the stream has one event.
      const again = [];
      for await (const now of readSends(await open(email, send))) again.push(now);
      assert.deepEqual(again, [seen.at(-1)]);
    });

    test('a stream needs sign-in and access', async () => {
      const email = await buildReadyEmail(app);
      const { body: send } = await startOf(email);
      const foreign = await buildReadyEmail(app);
      const refused = await open(foreign, send);
      assert.equal(refused.status, 404);
      assert.match(refused.headers.get('content-type') ?? '', /^application\/problem\+json/);
      assert.equal((await open({ ...email, person: { ...email.person, headers: {} } }, send)).status, 401);
    });

    test('a person can open twenty streams (TMO-2)', async () => {
      const email = await buildReadyEmail(app);
      const { body: send } = await startOf(email);
      const streams: Response[] = [];
      // One after the other: a busy server has no time for some of many at once.
      for (let count = 0; count < 25; count += 1) streams.push(await open(email, send));
      const refused = streams.filter(({ status }) => status !== 200);
      assert.deepEqual(
        refused.map(({ status, headers }) => [
          status,
          headers.get('content-type'),
          headers.get('retry-after'),
        ]),
        Array.from({ length: 5 }, () => [503, 'application/problem+json', '5']),
      );
      // Cancelled streams free their slots.
      for (const { body } of streams) await body?.cancel();
      await waitUntil('one can be opened again', async () => {
        const { status, body } = await open(email, send);
        await body?.cancel();
        return status === 200;
      });
    });

    test('a stream ends when access ends (SES-4, AUTH-10)', async () => {
      const email = await buildReadyEmail(app);
      const { body: send } = await startOf(email);
      const removed = await app.signInMember(email.organizationId, 'analyst');
      const leaving = await app.signInMember(email.organizationId, 'analyst');
      const demoted = await app.signInMember(email.organizationId, 'analyst');
      const strict = await buildReadyEmail(app);
      const { body: sendOfStrict } = await startOf(strict);
      const streams = [];
      for (const [of, person, { id }] of [
        [email, removed, send],
        [email, leaving, send],
        [email, demoted, send],
        [strict, strict.person, sendOfStrict],
      ] as const) {
        const events = readSends(await open({ ...of, person }, { id }));
        assert.equal((await events.next()).value?.id, id);
        streams.push(events);
      }
      const role = { organization_id: email.organizationId, role: 'receptionist' };
      await insertRows(app.owner, 'organization_roles', { ...role, name: 'Receptionist' });
      await insertRows(app.owner, 'role_permissions', {
        ...role,
        position: 1,
        action: 'read',
        subject: 'Client',
      });
      await updateRows(app.owner, 'organization_users', { user_id: demoted.userId }, { role: role.role });
      await updateRows(
        app.owner,
        'organizations',
        { id: strict.organizationId },
        { requires_second_factor: true },
      );
      await deleteRows(app.owner, 'organization_users', { user_id: removed.userId });
      await leaving.ok('POST', '/api/auth/sign-out');
      // The send does not end, so nothing else ends the streams.
      for (const events of streams) await assertEnds(events);
    });

    test('open streams do not delay a shutdown (SHD-1)', async () => {
      const email = await buildReadyEmail(app);
      const { body: send } = await startOf(email);
      const events = readSends(await open(email, send));
      assert.equal((await events.next()).value?.id, send.id);
      const closed = once(app.app.server, 'close');
      await app.app.close();
      await closed;
      await assertEnds(events);
    });
  });
});

/** Asserts that the stream ends, normally or by a broken connection. */
async function assertEnds(events: AsyncGenerator<Send>): Promise<void> {
  try {
    while (!(await events.next()).done);
  } catch (error) {
    assert.ok(error instanceof Error);
  }
}

/** Yields the events of the stream, without keep-alive comments. */
async function* readSends(response: Response): AsyncGenerator<Send, undefined> {
  let text = '';
  for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const kind = /^event: (.*)$/m.exec(block)?.[1];
      const told = /^data: (.*)$/m.exec(block)?.[1];
      if (kind === 'error') throw new Error(`The stream failed: ${told}`);
      if (kind === 'message' && told !== undefined) yield JSON.parse(told) as Send;
    }
  }
  return undefined;
}
