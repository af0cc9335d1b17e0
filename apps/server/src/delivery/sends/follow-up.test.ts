import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Send } from '@reachout/contract/sends.ts';
import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
import { relayRulesOf } from '../../email/transports/relay-rules.ts';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { countAccounts } from '../../testing/send-accounts.ts';
import { startSmtpSink, type SmtpSink } from '../../testing/smtp-sink.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { startWorker } from '../../worker.ts';

suite('a follow-up', () => {
  let app: TestApp;
  let sink: SmtpSink;

  before(async () => {
    sink = await startSmtpSink({ keepMessages: true });
    app = await createTestApp();
  });
  after(async () => {
    await app.close();
    await sink.close();
  });

  const request = <T>({ person }: ReadyEmail, method: 'GET' | 'POST', path: string, body?: object) =>
    app.request<T>(method, path, { ...(body === undefined ? {} : { body }), as: person });
  const followUp = (email: ReadyEmail, { id }: Pick<Send, 'id'>) =>
    request<Send>(email, 'POST', `/api/sends/${id}/follow_ups`, { immediately: true });
  const waitForEnd = (email: ReadyEmail, { id }: Pick<Send, 'id'>) =>
    waitUntil('the send ends', async () => {
      const { body } = await request<Send>(email, 'GET', `/api/sends/${id}`);
      return body.end_date === null ? undefined : body;
    });

  test('goes once to those whose delivery failed, in a send of its own', async (t) => {
    const { config } = app.services;
    const worker = startWorker({
      ...config,
      logins: app,
      smtpUrl: sink.url,
      smtpConnections: 2,
      relay: relayRulesOf(config),
    });
    t.after(() => worker.stop());
    const email = await buildReadyEmail(app, { contacts: 4 });
    let isFull = true;
    sink.refuse = (recipient) =>
      isFull && /user[23]@/.test(recipient) ? { code: 552, text: '5.3.4 message too big' } : undefined;
    const started = await request<Send>(email, 'POST', `/api/touchpoints/${email.touchpointId}/sends`, {
      immediately: true,
    });
    const parent = await waitForEnd(email, started.body);
    assert.deepEqual([parent.recipients_total_sent_count, parent.recipients_total_failed_count], [2, 2]);
    isFull = false;

    const from = sink.taken.length;
    const { status, body } = await followUp(email, parent);
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual([body.kind, body.parent_send_id], ['follow_up', parent.id]);
    assertProblem(await followUp(email, parent), 409, 'nothing_to_follow_up');
    const ended = await waitForEnd(email, body);
    assert.deepEqual([ended.status, ended.recipients_total_sent_count], ['completed', 2]);
    const { counters, rows } = await countAccounts(app.owner, ended.id);
    assert.deepEqual(counters, rows);
    const copies = sink.taken.slice(from);
    assert.deepEqual(copies.map(({ recipient }) => recipient).toSorted(), [
      'user2@sink.example',
      'user3@sink.example',
    ]);
    assert.equal(new Set(sink.taken.map(({ messageId }) => messageId)).size, 4);
    assert.match(copies[0]!.raw, /^Subject: News for Person [23]\r$/m);
    const path = `/api/touchpoints/${email.touchpointId}`;
    assert.equal((await request<Touchpoint>(email, 'GET', path)).body.status, 'sent');
    assertProblem(await followUp(email, ended), 409, 'nothing_to_follow_up');
  });

  test('is for sends that have ended', async () => {
    const email = await buildReadyEmail(app);
    const { body } = await request<Send>(email, 'POST', `/api/touchpoints/${email.touchpointId}/sends`, {});
    assertProblem(await followUp(email, body), 409, 'nothing_to_follow_up');
    const analyst = await app.signInMember(email.organizationId, 'analyst');
    assertProblem(await followUp({ ...email, person: analyst }, body), 403, 'forbidden');
  });
});
