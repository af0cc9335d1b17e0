import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { ContentChanges, Schedule } from '@reachout/contract/schedules.ts';
import type { Send, SendReceipt } from '@reachout/contract/sends.ts';
import type { TouchpointDetails } from '@reachout/contract/touchpoints.ts';
import { useTestApp, type Method } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { letDaysPass } from '../../testing/let-days-pass.ts';
import { startProductWorker } from '../../testing/product-worker.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { fixtureMjml } from '../../testing/send-fixture.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { useOpened } from '../../testing/use-made.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { createWaker } from '../../testing/wake-workers.ts';

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

suite('confirming a scheduled email again', () => {
  const app = useTestApp();
  let wake: () => Promise<void>;
  const sink = useOpened(() => startSmtpSink({ keepMessages: true }));
  before(async () => {
    wake = createWaker(app.owner);
  });

  const request = <T>({ person }: ReadyEmail, method: Method, path: string, body?: object, as = person) =>
    as.request<T>(method, `/api${path}`, body);
  const call = <T>({ person }: ReadyEmail, method: Method, path: string, body?: object, as = person) =>
    as.ok<T>(method, `/api${path}`, body);
  const of = ({ touchpointId }: ReadyEmail) => `/touchpoints/${touchpointId}`;
  const schedule = async (email: ReadyEmail, body: object = {}) =>
    (
      await call<Schedule>(email, 'POST', `${of(email)}/schedules`, {
        start_date: inDays(10),
        time_zone: 'Europe/Berlin',
        ...body,
      })
    ).next!;
  const write = (email: ReadyEmail, body: object) => request(email, 'PATCH', `${of(email)}/email`, body);
  const details = (email: ReadyEmail) => call<TouchpointDetails>(email, 'GET', of(email));
  const changesOf = (email: ReadyEmail) => call<ContentChanges | null>(email, 'GET', `${of(email)}/changes`);
  const confirm = (email: ReadyEmail, body: object = {}) =>
    request<{ sends: number }>(email, 'POST', `${of(email)}/confirm`, body);
  const receiptOf = (email: ReadyEmail, id: string) =>
    call<SendReceipt>(email, 'GET', `/sends/${id}/receipt`);
  const letPass = ({ touchpointId }: ReadyEmail) => letDaysPass(app.owner, touchpointId, 10);
  const completed = async (email: ReadyEmail, id: string) => {
    await waitUntil('the send is completed', async () => {
      await wake();
      return (await call<Send>(email, 'GET', `/sends/${id}`)).status === 'completed' || undefined;
    });
  };
  const messagesOf = (email: ReadyEmail) => sink.taken.filter(({ raw }) => raw.includes(email.brandId));

  test('changes are sent only after they were confirmed', async (t) => {
    const [changed, confirmed] = [await buildReadyEmail(app), await buildReadyEmail(app)];
    const sends = [];
    for (const email of [changed, confirmed]) {
      sends.push(await schedule(email));
      const { is_planned, is_changed } = await details(email);
      assert.deepEqual([is_planned, is_changed], [true, false]);
      assert.equal((await write(email, { subject: 'Better news' })).status, 200);
      assert.equal((await details(email)).is_changed, true);
    }
    const [first, second] = sends as [Schedule['next'] & {}, Schedule['next'] & {}];
    const answer = await confirm(confirmed, {
      expected_recipients: 3,
      expected_filter_id: confirmed.filterId,
    });
    assert.equal(answer.body.sends, 1, JSON.stringify(answer.body));
    const { is_changed, scheduled_date } = await details(confirmed);
    assert.deepEqual([is_changed, scheduled_date], [false, second.scheduled_date]);
    assert.equal((await receiptOf(confirmed, second.send_id)).subject, 'Better news');
    assert.match((await receiptOf(changed, first.send_id)).subject, /^News for/);

    startProductWorker(t, app, sink);
    for (const [index, email] of [changed, confirmed].entries()) {
      await letPass(email);
      await completed(email, sends[index]!.send_id);
    }
    assert.equal(messagesOf(changed).filter(({ raw }) => /^Subject: News for/m.test(raw)).length, 3);
    assert.equal(messagesOf(confirmed).filter(({ raw }) => /^Subject: Better news/m.test(raw)).length, 3);
    assertProblem(await write(confirmed, { subject: 'Too late' }), 409, 'touchpoint_locked');
    assertProblem(await confirm(confirmed), 409, 'invalid_transition');
    assert.equal(await changesOf(confirmed), null);
  });

  test('each difference from what was confirmed is shown', async () => {
    const email = await buildReadyEmail(app);
    await schedule(email);
    const same = await changesOf(email);
    assert.deepEqual([same?.changes, same?.message, same?.recipients_confirmed], [[], null, 3]);

    const filter = await call<{ id: string }>(email, 'POST', '/filters', {
      organization_id: email.organizationId,
      name: 'Germany',
      rule: { country: { _eq: 'DE' } },
    });
    await write(email, {
      subject: 'Sale',
      preheader: 'Only today',
      from_name: 'Nordwind Team',
      reply_to: 'team@nordwind.example',
      filter_id: filter.id,
      mjml: fixtureMjml.replace('Hello', 'Good morning'),
    });
    await call(email, 'PATCH', `/brands/${email.brandId}`, { name: 'Nordwind Sports' });
    const { changes, message, sends, content_hash } = (await changesOf(email))!;
    assert.deepEqual(
      changes.map(({ field }) => field),
      ['subject', 'preheader', 'sender', 'reply_to', 'audience', 'audience_rule', 'body', 'values'],
    );
    const shown = Object.fromEntries(changes.map(({ field, ...values }) => [field, values]));
    assert.deepEqual(shown['audience'], { confirmed: 'Everybody', current: 'Germany' });
    assert.deepEqual(shown['reply_to'], { confirmed: null, current: 'team@nordwind.example' });
    assert.match(message?.confirmed.html ?? '', /Hello/);
    assert.match(message?.current.html ?? '', /Good morning/);
    assert.equal(sends, 1);

    assertProblem(await confirm(email, { expected_recipients: 3 }), 409, 'audience_changed');
    assertProblem(await confirm(email, { expected_filter_id: email.filterId }), 409, 'changed_elsewhere');
    await write(email, { preheader: 'Only this week' });
    const seen = { expected_recipients: 2, expected_content_hash: content_hash };
    assertProblem(await confirm(email, seen), 409, 'changed_elsewhere');
    await write(email, { preheader: 'Only today' });
    assert.equal((await confirm(email, seen)).status, 200);
    assert.deepEqual((await changesOf(email))?.changes, []);
  });

  test('what blocks a send blocks its confirmation', async () => {
    const email = await buildReadyEmail(app);
    const { send_id } = await schedule(email);
    await write(email, {
      mjml: fixtureMjml.replaceAll(/\{\{ links\.unsubscribe \}\}/g, 'https://example.org'),
    });
    assertProblem(await confirm(email), 409, 'send_blocked');
    assertProblem(await request(email, 'GET', `${of(email)}/changes`), 409, 'send_blocked');
    assert.match((await receiptOf(email, send_id)).subject, /^News for/);
  });

  test('each queued content item keeps its item and time', async () => {
    const email = await buildReadyEmail(app, {
      mjml: fixtureMjml.replace('Hello', '{{ item.title }} Hello'),
    });
    const add = async (title: string) =>
      (
        await call<{ data: { id: string } }>(
          email,
          'POST',
          `/content/${email.organizationId}/items/newsletters`,
          { title },
        )
      ).data.id;
    const items = [await add('Alpine'), await add('Bivouac')];
    await call(email, 'PATCH', of(email), { collection: 'newsletters' });
    await call(email, 'POST', `${of(email)}/collection_items`, {
      item_ids: items,
      start_date: inDays(1),
      time_zone: 'UTC',
      rrule: 'FREQ=DAILY',
    });
    const sendsOf = async () =>
      (await call<{ items: Send[] }>(email, 'GET', `${of(email)}/sends?order=send_date.asc`)).items;
    const planned = await sendsOf();
    await call(email, 'PATCH', `/content/${email.organizationId}/items/newsletters/${items[1]}`, {
      title: 'Bothy',
    });
    await write(email, { subject: '{{ item.title }}' });
    assert.equal((await confirm(email)).body.sends, 2);
    const confirmed = await sendsOf();
    assert.deepEqual(
      confirmed.map(({ item_id, item_title, occurrence_at }) => [item_id, item_title, occurrence_at]),
      [
        [items[0], 'Alpine', planned[0]!.occurrence_at],
        [items[1], 'Bothy', planned[1]!.occurrence_at],
      ],
    );
  });

  test('an occurrence of a series that has started keeps its content', async (t) => {
    const email = await buildReadyEmail(app);
    const { send_id } = await schedule(email, { rrule: 'FREQ=DAILY;COUNT=2', time_zone: 'UTC' });
    startProductWorker(t, app, sink);
    await letPass(email);
    await completed(email, send_id);
    assert.equal((await write(email, { subject: 'Second issue' })).status, 200);
    assert.equal((await confirm(email)).body.sends, 1);
    const sends = (await call<{ items: Send[] }>(email, 'GET', `${of(email)}/sends?order=send_date.asc`))
      .items;
    const subjects = await Promise.all(sends.map(async ({ id }) => (await receiptOf(email, id)).subject));
    assert.deepEqual(subjects, ['News for {{ contact.first_name }}', 'Second issue']);
  });

  test('emails with single messages stay locked', async () => {
    const email = await buildReadyEmail(app);
    await call(email, 'POST', `${of(email)}/sends`, { kind: 'triggered' });
    assertProblem(await write(email, { subject: 'Other' }), 409, 'touchpoint_locked');
    assertProblem(await confirm(email), 409, 'invalid_transition');
    assertInvalid(await confirm(email, { uncertain_policy: 'hold' }), 'uncertain_policy');
  });
});
