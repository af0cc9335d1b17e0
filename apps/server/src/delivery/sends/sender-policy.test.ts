import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { Send } from '@reachout/contract/sends.ts';
import type { Review } from '@reachout/contract/touchpoints.ts';
import type { DashboardWork } from '@reachout/contract/dashboard.ts';
import { policyOfInstallation } from '../../email/transports/sender-policy.ts';
import { newId } from '../../platform/ids.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../../testing/app.ts';
import { assertProblem } from '../../testing/assert-problem.ts';
import { buildMember } from '../../sample/records.ts';
import { startProductWorker } from '../../testing/product-worker.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { insertRows } from '../../sample/rows.ts';
import { updateRows } from '../../testing/rows.ts';
import { fixtureMjml } from '../../testing/send-fixture.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { useOpened } from '../../testing/use-made.ts';
import { waitUntil } from '../../testing/wait-until.ts';

const dailyRecipientLimit = 5;

suite('rules of a mail server that delivers', () => {
  /** Allows nordwind.example, the sender domain of the ready emails. */
  const sink = useOpened(() => startSmtpSink({ keepMessages: true }));
  const app = useOpened(() => createRelayApp(['nordwind.example']));

  const createRelayApp = (senderDomains: string[], options: TestAppOptions = {}) =>
    createTestApp({ smtpUrl: sink.url, senderDomains, dailyRecipientLimit }, options);

  const review = async (email: ReadyEmail, of = app) => {
    const path = `/api/touchpoints/${email.touchpointId}/review`;
    return await of.ok<Review>('GET', path, { as: email.person });
  };
  const blockedIn = ({ checks }: Review) =>
    checks.filter(({ level }) => level === 'block').map(({ check }) => check);
  const start = (email: ReadyEmail, of = app) =>
    of.request<Send>('POST', `/api/touchpoints/${email.touchpointId}/sends`, {
      body: { immediately: true },
      as: email.person,
    });
  const setSender = async (email: ReadyEmail, body: { from_email?: string; reply_to?: string }) => {
    const path = `/api/touchpoints/${email.touchpointId}/email`;
    await email.person.ok('PATCH', path, body);
  };
  const getSend = async (email: ReadyEmail, { id }: Send) =>
    await email.person.ok<Send>('GET', `/api/sends/${id}`);
  const arrived = ({ brandId }: ReadyEmail) => sink.taken.filter(({ raw }) => raw.includes(brandId));

  const startTestWorker = (t: TestContext, senderDomains = app.services.config.senderDomains) =>
    startProductWorker(t, app, sink, {
      policy: policyOfInstallation({ ...app.services.config, senderDomains }),
    });

  test('the dashboard lists brands with senders that are not allowed', async () => {
    const email = await buildReadyEmail(app);
    const attentionAt = async (from_email: string) => {
      const path = `/api/brands/${email.brandId}`;
      await email.person.request('PATCH', path, { from_email });
      const work = `/api/dashboard/work?organization_id=${email.organizationId}`;
      const body = await email.person.ok<DashboardWork>('GET', work);
      return body.attention.map(({ kind }) => kind);
    };
    assert.deepEqual(await attentionAt('news@elsewhere.example'), ['brand_sender_denied']);
    assert.deepEqual(await attentionAt('news@below.nordwind.example'), ['brand_sender_denied']);
    assert.deepEqual(await attentionAt('News@NORDWIND.example'), []);
    assert.deepEqual(await attentionAt(''), ['brand_sender_missing']);
  });

  test('the dashboard says if no domain can send', async (t) => {
    const own = await createRelayApp([], { beside: app });
    t.after(() => own.close());
    const { organizationId, person } = await buildReadyEmail(app);
    const kindsIn = async (of: TestApp) => {
      const path = `/api/dashboard/work?organization_id=${organizationId}`;
      const body = await of.ok<DashboardWork>('GET', path, { as: person });
      return body.attention.map(({ kind }) => kind).filter((kind) => kind.startsWith('domain_'));
    };
    assert.deepEqual(await kindsIn(own), ['domain_missing']);
    assert.deepEqual(await kindsIn(app), []);
    const row = { organization_id: organizationId, id: newId(), domain: `${newId().slice(-12)}.example` };
    await insertRows(app.owner, 'sending_domains', { ...row, status: 'pending' });
    assert.deepEqual(await kindsIn(own), ['domain_missing']);
    await updateRows(app.owner, 'sending_domains', { id: row.id }, { status: 'failing' });
    assert.deepEqual(await kindsIn(own), ['domain_failing']);
    await updateRows(app.owner, 'sending_domains', { id: row.id }, { status: 'verified' });
    assert.deepEqual(await kindsIn(own), []);
  });

  test('senders need exactly a listed domain (EML-3)', async () => {
    const email = await buildReadyEmail(app);
    const cases: [sender: string, isAllowed: boolean][] = [
      ['news@nordwind.example', true],
      ['News+spring@NORDWIND.Example', true],
      ['ceo@bank.example', false],
      ['news@mail.nordwind.example', false],
      ['news@nordwind.example.org', false],
      ['news@xnordwind.example', false],
      ['news@xn--nrdwind-90a.example', false],
    ];
    for (const [from_email, isAllowed] of cases) {
      await setSender(email, { from_email, reply_to: 'anybody@elsewhere.example' });
      const { checks } = await review(email);
      const found = checks.find(({ check }) => check === 'sender_domain');
      assert.equal(found?.level, isAllowed ? 'fine' : 'block', from_email);
      if (isAllowed) continue;
      assert.match(found?.message ?? '', /^Senders at .* are not allowed here/);
      const started = await start(email);
      assertProblem(started, 409, 'send_blocked');
      assert.match(JSON.stringify(started.body), /"check":"sender_domain"/);
    }
    const none = await createRelayApp([], { beside: app });
    const unset = await review(email, none);
    assert.deepEqual(blockedIn(unset), ['sender_domain']);
    assert.match(JSON.stringify(unset.checks), /before .* the operator .* \(SENDER_DOMAINS\)/);
    assertProblem(await start(email, none), 409, 'send_blocked');
    await none.close();
    const home = await createTestApp({}, { beside: app });
    const kept = await review(email, home);
    assert.deepEqual([blockedIn(kept), kept.daily_limit], [[], null]);
    await home.close();
  });

  test('envelope senders belong to this installation (EML-3)', async (t) => {
    const email = await buildReadyEmail(app);
    await setSender(email, { reply_to: 'anybody@elsewhere.example' });
    await start(email);
    startTestWorker(t);
    await waitUntil('the messages arrive', () => arrived(email).length >= 3);
    const messages = arrived(email);
    assert.equal(messages.length, 3);
    for (const { sender, raw } of messages) {
      assert.match(sender, /^b\.[a-z\d]+-[a-z\d]+-[a-z\d]{26}@localhost$/);
      assert.match(raw, /^From: .*<?news@nordwind\.example>?\r$/m);
      assert.match(raw, /^Reply-To: anybody@elsewhere\.example\r$/m);
    }
  });

  test('a removed sender domain stops confirmed sends (EML-3)', async (t) => {
    const [waiting, going] = [await buildReadyEmail(app), await buildReadyEmail(app)];
    // It was sending when the process ended, and continues after a start with other settings.
    const { body: paused } = await start(going);
    await updateRows(
      app.owner,
      'touchpoint_sends',
      { id: paused.id },
      { status: 'sending', recipients_total_count: 3 },
    );
    const { owner } = app;
    await insertRows(owner, 'delivery_chunks', {
      organization_id: going.organizationId,
      send_id: paused.id,
      first_seq: 1,
      last_seq: 3,
      marked_up_to: 0,
    });
    await updateRows(owner, 'touchpoints', { id: going.touchpointId }, { status: 'sending' });
    await updateRows(owner, 'campaigns', { id: going.campaignId }, { status: 'running' });
    const { body: queued } = await start(waiting);
    startTestWorker(t, ['other.example']);
    const failed = await waitUntil('the send fails', async () => {
      const send = await getSend(waiting, queued);
      return send.status === 'failed' ? send : undefined;
    });
    const stopped = await waitUntil('the send pauses itself', async () => {
      const send = await getSend(going, paused);
      return send.status === 'paused' ? send : undefined;
    });
    for (const { error_content, error } of [failed, stopped]) {
      assert.match(error_content ?? '', /^Senders at nordwind\.example are not allowed here/);
      assert.deepEqual(error, { code: 'sender_domain_denied', values: { domain: 'nordwind.example' } });
    }
    assert.deepEqual([...arrived(waiting), ...arrived(going)], []);
  });

  test('a confirmation in place counts only further recipients', async () => {
    const email = await buildReadyEmail(app);
    const post = (path: string, body: object) =>
      email.person.request('POST', `/api/touchpoints/${email.touchpointId}/${path}`, body);
    const start_date = new Date(Date.now() + 3_600_000).toISOString();
    assert.equal((await post('schedules', { start_date, time_zone: 'UTC' })).status, 201);
    const setLimit = (limit: number) =>
      updateRows(app.owner, 'organizations', { id: email.organizationId }, { daily_recipient_limit: limit });
    await setLimit(3);
    const reviewed = await review(email);
    assert.deepEqual([blockedIn(reviewed), reviewed.daily_limit], [[], null]);
    assert.equal((await post('confirm', {})).status, 200);
    await setLimit(2);
    assertProblem(await post('confirm', {}), 409, 'send_blocked');
  });

  test('concurrent sends share the daily limit (EML-7)', async () => {
    const first = await buildReadyEmail(app);
    const second = await buildReadyEmail(app);
    // Each email has 3 recipients: one email of the first organization is within its limit, two are not.
    await updateRows(app.owner, 'organizations', { id: first.organizationId }, { daily_recipient_limit: 4 });
    assert.deepEqual((await review(first)).daily_limit, { limit: 4, used: 0 });
    assert.deepEqual((await review(second)).daily_limit, { limit: dailyRecipientLimit, used: 0 });
    const copy = await copyTouchpoint(first);
    const answers = await Promise.all([start(first), start(copy)]);
    assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), ['201', '409']);
    const refused =
      answers[0].status === 409 ? { answer: answers[0], email: first } : { answer: answers[1], email: copy };
    assertProblem(refused.answer, 409, 'send_blocked');
    assert.match(
      JSON.stringify(refused.answer.body),
      /would reach 6 recipients within 24 hours; its limit is 4/,
    );
    const reviewed = await review(refused.email);
    assert.deepEqual(reviewed.daily_limit, { limit: 4, used: 3 });
    assert.deepEqual(blockedIn(reviewed), ['daily_limit']);
    // Other organizations have separate limits.
    assert.equal((await start(second)).status, 201);
  });

  test('organizations of one owner share the daily limit (EML-7)', async () => {
    const first = await buildReadyEmail(app);
    const { person } = first;
    const second = await buildReadyEmail(app, { person });
    const third = await buildReadyEmail(app, { person });
    // A member who confirms the send does not give the owner another limit.
    const member = await app.signInMember(second.organizationId, 'admin');
    const answers = await Promise.all([start(first), start({ ...second, person: member })]);
    assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), ['201', '409']);
    const refused = answers.find(({ status }) => status === 409)!;
    assertProblem(refused, 409, 'send_blocked');
    assert.match(JSON.stringify(refused.body), /6 recipients within 24 hours over all of your organizations/);
    assert.deepEqual((await review(third)).daily_limit, { limit: dailyRecipientLimit, used: 3 });
    assert.deepEqual(blockedIn(await review(third)), ['daily_limit']);
    // An owner cannot go on in an organization of somebody else, nor with a deleted one.
    const elsewhere = await buildReadyEmail(app);
    await buildMember(app.owner, {
      organization_id: elsewhere.organizationId,
      user_id: person.userId,
      role: 'admin',
    });
    await app.owner
      .updateTable('organizations')
      .set({ deleted: true, deleted_at: new Date().toISOString() })
      .where('id', 'in', [first.organizationId, second.organizationId])
      .execute();
    assert.equal((await start({ ...elsewhere, person })).status, 409);
    assert.equal((await start(elsewhere)).status, 201);
    // A limit set by the operator is that of the organization alone.
    await updateRows(app.owner, 'organizations', { id: third.organizationId }, { daily_recipient_limit: 4 });
    assert.equal((await start(third)).status, 201);
  });

  test('a grown audience cannot exceed the daily limit (EML-7)', async (t) => {
    const email = await buildReadyEmail(app);
    const { body: send } = await start(email);
    const item = (index: number) =>
      email.person.request('POST', `/api/content/${email.organizationId}/items/contacts`, {
        email: `late${index}@sink.example`,
      });
    for (let index = 0; index < 3; index += 1) assert.equal((await item(index)).status, 200);
    startTestWorker(t);
    const failed = await waitUntil('the send fails', async () => {
      const found = await getSend(email, send);
      return found.status === 'failed' ? found : undefined;
    });
    assert.match(failed.error_content ?? '', /would reach 6 recipients within 24 hours; its limit is 5/);
    assert.deepEqual(arrived(email), []);
    // Messages that were never sent do not count.
    assert.deepEqual((await review(email)).daily_limit, { limit: 5, used: 0 });
  });

  test('a follow-up beyond the daily limit is rejected (EML-7)', async (t) => {
    const email = await buildReadyEmail(app);
    const { body: send } = await start(email);
    startTestWorker(t);
    await waitUntil('the send ends', async () => (await getSend(email, send)).end_date !== null);
    // Simulates that all 3 have failed.
    await updateRows(
      app.owner,
      'touchpoint_sends',
      { id: send.id },
      { recipients_total_sent_count: 0, recipients_total_failed_count: 3 },
    );
    const followUp = await email.person.request('POST', `/api/sends/${send.id}/follow_ups`, {});
    assertProblem(followUp, 429, 'daily_limit_reached');
    assert.deepEqual((followUp.body as { data: unknown }).data, { limit: 5, used: 3 });
  });

  test('unsent messages of paused sends count towards the limit (EML-7)', async () => {
    const email = await buildReadyEmail(app);
    const { body: send } = await start(email);
    const set = (values: object) => updateRows(app.owner, 'touchpoint_sends', { id: send.id }, values);
    const old = new Date(Date.now() - 25 * 3_600_000).toISOString();
    await set({
      status: 'paused',
      created_at: old,
      send_date: old,
      recipients_total_count: 3,
      recipients_total_sent_count: 1,
    });
    assert.equal((await review(email)).daily_limit?.used, 2);
    await set({ status: 'completed', recipients_total_sent_count: 3, end_date: old });
    assert.equal((await review(email)).daily_limit?.used, 0);
  });

  test('a planned send counts on the day that it starts (EML-7)', async () => {
    const email = await buildReadyEmail(app);
    const { body: send } = await start(email);
    const set = (values: object) => updateRows(app.owner, 'touchpoint_sends', { id: send.id }, values);
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const other = await copyTouchpoint(email);
    const used = async () => (await review(other)).daily_limit?.used;
    await set({ send_date: inHours(25) });
    assert.equal(await used(), 0);
    await set({ send_date: inHours(23) });
    assert.equal(await used(), 3);
    await set({ status: 'held' });
    assert.equal(await used(), 3);
    // It was confirmed long ago, but has started today.
    await set({
      status: 'completed',
      created_at: inHours(-300),
      send_date: inHours(-1),
      end_date: inHours(-1),
      recipients_total_count: 3,
      recipients_total_sent_count: 3,
    });
    assert.equal(await used(), 3);
  });

  /** Creates another email of the same campaign with the same content. */
  async function copyTouchpoint(email: ReadyEmail): Promise<ReadyEmail> {
    const { organizationId: organization_id, campaignId: campaign_id, person } = email;
    const created = await app.request<{ id: string }>('POST', '/api/touchpoints', {
      body: { organization_id, campaign_id, name: 'Again', type: 'email' },
      as: person,
    });
    const copy = { ...email, touchpointId: created.body.id };
    await person.ok('PATCH', `/api/touchpoints/${copy.touchpointId}/email`, {
      filter_id: email.filterId,
      mjml: fixtureMjml,
      subject: 'Again',
      from_email: 'news@nordwind.example',
    });
    return copy;
  }
});
