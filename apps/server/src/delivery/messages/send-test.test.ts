import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { simpleParser } from 'mailparser';
import type { Message } from '@reachout/contract/messages.ts';
import type { Send } from '@reachout/contract/sends.ts';
import { execute, rowsOf } from '../../platform/database/database.ts';
import { useTestApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { startProductWorker } from '../../testing/product-worker.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { useOpened } from '../../testing/use-made.ts';
import { waitUntil } from '../../testing/wait-until.ts';

suite('test sends', () => {
  const app = useTestApp();

  const sink = useOpened(() => startSmtpSink({ keepMessages: true }));

  const request = <T>(email: ReadyEmail, method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
    app.request<T>(method, path, { ...(body === undefined ? {} : { body }), as: email.person });
  const sendTest = (email: ReadyEmail, body: object = {}) =>
    request<Message>(email, 'POST', `/api/touchpoints/emails/${email.touchpointId}/test`, {
      to: email.person.email,
      ...body,
    });
  const waitForResult = (email: ReadyEmail, { id }: Pick<Message, 'id'>) =>
    waitUntil('the test has a result', async () => {
      const { body } = await request<Message>(email, 'GET', `/api/messages/${id}`);
      return body.at === null ? undefined : body;
    });

  test('a test is stored with the contact whose values it has', async () => {
    const email = await buildReadyEmail(app);
    assert.equal((await sendTest(email)).status, 202);
    const rows = await rowsOf<{ contact_id: string; values: string }>(app.owner)`
      select d.contact_id, d.variables::text as values from deliveries d
      join touchpoint_sends s on s.organization_id = d.organization_id and s.id = d.send_id
      where d.organization_id = ${email.organizationId} and s.kind = 'test'
    `;
    assert.equal(rows[0]?.contact_id, 'contact-000001');
    assert.match(rows[0].values, /Person 1/);
  });

  test('a test goes to a member and counts nowhere', async (t) => {
    const email = await buildReadyEmail(app);
    const sent = await sendTest(email, { collectionItemId: 'contact-000002' });
    assert.equal(sent.status, 202, JSON.stringify(sent.body));
    assert.deepEqual([sent.body.is_test, sent.body.to], [true, email.person.email]);
    startProductWorker(t, app, sink);
    assert.equal((await waitForResult(email, sent.body)).state, 'sent');

    const { raw } = sink.taken.find(({ recipient }) => recipient === email.person.email)!;
    assert.match(raw, /^Subject: \[Test\] News for Person 2\r$/m);
    assert.match(raw, /^Auto-Submitted: auto-generated\r$/m);
    const { html } = await simpleParser(raw);
    const [pixel] = /\/t\/o\/[\w-]+/.exec(String(html)) ?? [];
    await app.ok('GET', pixel!);
    const [unsubscribe] = /\/u\/[\w-]+/.exec(raw) ?? [];
    await app.ok('POST', unsubscribe!, {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const rows = await rowsOf<{ events: number; suppressions: number }>(app.owner)`
      select (select count(*)::int from unfolded_message_events where organization_id = ${email.organizationId}) as events,
        (select count(*)::int from choices where kind = 'suppression' and organization_id = ${email.organizationId}) as suppressions
    `;
    assert.deepEqual(rows, [{ events: 0, suppressions: 0 }]);

    const path = `/api/touchpoints/${email.touchpointId}`;
    assert.equal((await request<{ status: string }>(email, 'GET', path)).body.status, 'draft');
    assert.deepEqual((await request(email, 'GET', `${path}/sends`)).body, { items: [], count: 0 });
    const recent = `/api/sends/recent?organization_id=${email.organizationId}`;
    assert.deepEqual((await request(email, 'GET', recent)).body, []);
    const send = await request<Send>(email, 'GET', `/api/sends/${sent.body.send_id}`);
    assert.deepEqual([send.body.kind, send.body.status], ['test', 'completed']);
    // The email can still be sent, and its own send is the first in the list.
    const real = await request<Send>(email, 'POST', `${path}/sends`, {});
    assert.equal(real.status, 201);
    assert.equal((await sendTest(email)).status, 202);
    assert.equal((await request<{ count: number }>(email, 'GET', `${path}/sends`)).body.count, 1);
  });

  test('a rejected test shows the reply and suppresses no address', async (t) => {
    const email = await buildReadyEmail(app);
    sink.refuse = (recipient) =>
      recipient === email.person.email ? { code: 550, text: '5.1.1 no such user' } : undefined;
    t.after(() => {
      sink.refuse = () => undefined;
    });
    const { body } = await sendTest(email);
    startProductWorker(t, app, sink);
    const result = await waitForResult(email, body);
    assert.equal(result.state, 'bounced');
    assert.match(result.reply ?? '', /no such user/);
    const rows = await rowsOf(app.owner)`
      select from choices where kind = 'suppression' and organization_id = ${email.organizationId}`;
    assert.equal(rows.length, 0);
  });

  test('a test goes to members only, after the content checks', async () => {
    const email = await buildReadyEmail(app);
    const change = (body: object) =>
      request(email, 'PATCH', `/api/touchpoints/${email.touchpointId}/email`, body);
    await change({ filter_id: null });
    assert.equal((await sendTest(email)).status, 202);
    assertInvalid(await sendTest(email, { to: 'stranger@elsewhere.example' }), 'to');
    assertInvalid(await sendTest(email, { collectionItemId: 'nobody' }), 'collectionItemId');
    await change({ subject: '' });
    const blocked = await sendTest(email);
    assertProblem(blocked, 409, 'send_blocked');
    assert.match(JSON.stringify(blocked.body), /"check":"subject"/);
    const analyst = await app.signInMember(email.organizationId, 'analyst');
    assertProblem(await sendTest({ ...email, person: analyst }), 403, 'forbidden');
  });

  test('a person can send 20 tests an hour', async () => {
    const email = await buildReadyEmail(app);
    assert.equal((await sendTest(email)).status, 202);
    await execute(app.owner)`
      insert into touchpoint_sends (organization_id, id, touchpoint_id, brand_id, kind, status, send_date, user_created)
      select organization_id, gen_random_uuid(), touchpoint_id, brand_id, 'test', 'completed', send_date, user_created
      from touchpoint_sends, generate_series(1, 19)
      where organization_id = ${email.organizationId}
    `;
    const refused = await sendTest(email);
    assertProblem(refused, 429, 'too_many_attempts');
    assert.ok(Number(refused.headers['retry-after']) > 0);
  });
});
