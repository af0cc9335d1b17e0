import assert from 'node:assert/strict';
import { before, suite, test, type TestContext } from 'node:test';
import type { Campaign } from '@reachout/contract/campaigns.ts';
import type { DashboardWork } from '@reachout/contract/dashboard.ts';
import type { ItemQueue, Occurrence, Schedule } from '@reachout/contract/schedules.ts';
import type { Send } from '@reachout/contract/sends.ts';
import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
import { sql, type RawBuilder } from 'kysely';
import { useTestApp } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { letDaysPass } from '../../testing/let-days-pass.ts';
import { mailboxPolicies } from '../../testing/mailbox-policies.ts';
import { startProductWorker } from '../../testing/product-worker.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { updateRows } from '../../testing/rows.ts';
import { fixtureMjml } from '../../testing/send-fixture.ts';
import { startSendWorker } from '../../testing/send-worker.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { useOpened } from '../../testing/use-made.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { startWorkerProcess } from '../../testing/worker-process.ts';
import { createWaker } from '../../testing/wake-workers.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { prepareSend } from '../worker/prepare-send.ts';

type Body<T> = T & { data?: unknown };

/** @returns ISO 8601 in full seconds */
const inDays = (days: number): string =>
  Temporal.Now.instant()
    .add({ seconds: Math.round(days * 86_400) })
    .toString({ smallestUnit: 'second' });

suite('schedules', () => {
  const app = useTestApp();
  let wakeWorkers: () => Promise<void>;

  const sink = useOpened(() => startSmtpSink({ keepMessages: true }));
  before(async () => {
    wakeWorkers = createWaker(app.owner);
  });

  const call = <T>(
    { person }: ReadyEmail,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ) => person.request<Body<T>>(method, `/api${path}`, body);
  const get = async <T>(email: ReadyEmail, path: string): Promise<T> => {
    const { status, body } = await call<T>(email, 'GET', path);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const done = async <T>(
    email: ReadyEmail,
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ) => {
    const response = await call<T>(email, method, path, body);
    assert.ok(response.status < 300, JSON.stringify(response.body));
    return response.body;
  };
  const plan = (email: ReadyEmail, body: object) =>
    call<Schedule>(email, 'POST', `/touchpoints/${email.touchpointId}/schedules`, {
      start_date: inDays(60),
      time_zone: 'Europe/Berlin',
      ...body,
    });
  const planned = async (
    email: ReadyEmail,
    body: object = {},
  ): Promise<Schedule & { next: NonNullable<Schedule['next']> }> => {
    const { status, body: schedule } = await plan(email, body);
    assert.equal(status, 201, JSON.stringify(schedule));
    assert.ok(schedule.next !== null);
    return { ...schedule, next: schedule.next };
  };
  const touchpointOf = (email: ReadyEmail) => get<Touchpoint>(email, `/touchpoints/${email.touchpointId}`);
  const campaignOf = (email: ReadyEmail) => get<Campaign>(email, `/campaigns/${email.campaignId}`);
  const statusesOf = async (email: ReadyEmail) => [
    (await touchpointOf(email)).status,
    (await campaignOf(email)).status,
  ];
  const sendsOf = async (email: ReadyEmail) =>
    (await get<{ items: Send[] }>(email, `/touchpoints/${email.touchpointId}/sends?order=send_date.asc`))
      .items;
  const scheduleOf = async (email: ReadyEmail) =>
    (await get<Schedule[]>(email, `/touchpoints/${email.touchpointId}/schedules`))[0];
  const messagesOf = (email: ReadyEmail) => sink.taken.filter(({ raw }) => raw.includes(email.brandId));

  const letPass = ({ touchpointId }: ReadyEmail, days: number) => letDaysPass(app.owner, touchpointId, days);
  /** Adds touchpoints with the same plan. */
  async function copyPlan({ touchpointId }: ReadyEmail, count: number): Promise<void> {
    await sql`
      with copy as materialized (
        select uuidv7() as touchpoint, uuidv7() as schedule, uuidv7() as send, s.*, p.start_date, p.time_zone, p.rrule, t.campaign_id
        from touchpoint_sends s
        join touchpoint_schedules p on p.id = s.schedule_id
        join touchpoints t on t.id = s.touchpoint_id, generate_series(1, ${count})
        where s.touchpoint_id = ${touchpointId}
      ), touchpoints as (
        insert into touchpoints (organization_id, id, campaign_id, name, type, status)
        select organization_id, touchpoint, campaign_id, 'Newsletter', 'email', 'active' from copy
      ), schedules as (
        insert into touchpoint_schedules (organization_id, id, touchpoint_id, brand_id, start_date, time_zone, rrule)
        select organization_id, schedule, touchpoint, brand_id, start_date, time_zone, rrule from copy
      ), sends as (
        insert into touchpoint_sends (organization_id, id, touchpoint_id, brand_id, kind, schedule_id, occurrence_at, in_series,
          send_date, next_due_at, recipients_confirmed_count, user_created)
        select organization_id, send, touchpoint, brand_id, kind, schedule, occurrence_at, in_series, send_date, next_due_at,
          recipients_confirmed_count, user_created
        from copy
      )
      insert into touchpoint_send_contents (organization_id, send_id, content, audience, audience_name)
      select copy.organization_id, send, c.content, c.audience, c.audience_name
      from copy join touchpoint_send_contents c on c.send_id = copy.id`.execute(app.owner);
  }
  const startTestWorker = (t: TestContext) => startProductWorker(t, app, sink);
  const waitFor = async <T>(what: string, read: () => Promise<T | undefined>): Promise<T> =>
    await waitUntil(what, async () => {
      await wakeWorkers();
      return await read();
    });
  const waitForStatus = (email: ReadyEmail, id: string, status: Send['status']) =>
    waitFor(`the send is ${status}`, async () => {
      const send = await get<Send>(email, `/sends/${id}`);
      return send.status === status ? send : undefined;
    });

  test('an email is scheduled for a date in a zone', async () => {
    const email = await buildReadyEmail(app);
    const start_date = inDays(60);
    const schedule = await planned(email, { start_date, expected_recipients: 3 });
    assert.equal(Date.parse(schedule.start_date), Date.parse(start_date));
    assert.deepEqual([schedule.time_zone, schedule.rrule, schedule.is_active], ['Europe/Berlin', null, true]);
    assert.deepEqual(await statusesOf(email), ['scheduled', 'scheduled']);
    const send = await get<Send>(email, `/sends/${schedule.next.send_id}`);
    assert.deepEqual(
      [send.status, send.schedule_id, send.occurrence_at, send.time_zone, send.in_series],
      ['queued', schedule.id, schedule.start_date, 'Europe/Berlin', false],
    );
    for (const record of [await touchpointOf(email), await campaignOf(email)])
      assert.deepEqual(
        [record.scheduled_date, record.scheduled_date_tz],
        [schedule.start_date, 'Europe/Berlin'],
      );
    // It is planned once.
    assertProblem(await plan(email, {}), 409, 'invalid_transition');
  });

  test('a time must be to come and a zone known', async () => {
    const email = await buildReadyEmail(app);
    assertInvalid(await plan(email, { start_date: inDays(-0.01) }), 'start_date');
    assertInvalid(await plan(email, { start_date: inDays(800) }), 'start_date');
    assertInvalid(await plan(email, { start_date: 'tomorrow' }), 'start_date');
    assertInvalid(await plan(email, { time_zone: 'Berlin' }), 'time_zone');
    for (const part of ['FREQ=HOURLY', 'FREQ=DAILY;BYMONTH=13', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'])
      assertInvalid(await plan(email, { rrule: part }), 'rrule');
    assertProblem(await plan(email, { expected_recipients: 2 }), 409, 'audience_changed');
    assert.deepEqual(await get(email, `/touchpoints/${email.touchpointId}/schedules`), []);
    assert.deepEqual(await statusesOf(email), ['draft', 'draft']);
  });

  test('a date 60 days ahead is sent exactly once', async (t) => {
    const email = await buildReadyEmail(app);
    const { next } = await planned(email);
    startTestWorker(t);
    await letPass(email, 59);
    await wakeWorkers();
    assert.equal((await get<Send>(email, `/sends/${next.send_id}`)).status, 'queued');
    await letPass(email, 1);
    const send = await waitForStatus(email, next.send_id, 'completed');
    assert.equal(send.recipients_total_sent_count, 3);
    assert.equal(messagesOf(email).length, 3);
    assert.deepEqual(await statusesOf(email), ['sent', 'completed']);
    assert.deepEqual([(await scheduleOf(email))?.is_active, (await scheduleOf(email))?.next], [false, null]);
    assert.equal((await sendsOf(email)).length, 1);
  });

  test('a schedule moves, pauses and ends before its send', async () => {
    const email = await buildReadyEmail(app);
    const { id, next } = await planned(email);
    const start_date = inDays(3);
    const moved = await done<Schedule>(email, 'PATCH', `/schedules/${id}`, {
      start_date,
      time_zone: 'America/New_York',
    });
    assert.deepEqual(
      [Date.parse(moved.next?.send_date ?? ''), moved.next?.send_id, moved.time_zone],
      [Date.parse(start_date), next.send_id, 'America/New_York'],
    );
    assert.equal((await touchpointOf(email)).scheduled_date_tz, 'America/New_York');
    assertInvalid(await call(email, 'PATCH', `/schedules/${id}`, { start_date: inDays(-1) }), 'start_date');
    assertInvalid(await call(email, 'PATCH', `/schedules/${id}`, { rrule: 'FREQ=DAILY' }), 'rrule');

    await done(email, 'POST', `/sends/${next.send_id}/pause`);
    assert.deepEqual(await statusesOf(email), ['paused', 'paused']);
    assert.equal((await scheduleOf(email))?.is_active, false);
    await done(email, 'POST', `/sends/${next.send_id}/resume`);
    assert.deepEqual(await statusesOf(email), ['scheduled', 'scheduled']);
    assert.equal((await scheduleOf(email))?.is_active, true);

    await done(email, 'DELETE', `/schedules/${id}`);
    assert.deepEqual(await statusesOf(email), ['draft', 'draft']);
    const [send] = await sendsOf(email);
    assert.deepEqual([send?.status, send?.schedule_id], ['cancelled', null]);
    // The same instant can be planned again.
    await planned(email, { start_date });
  });

  test('unscheduling cancels a send that is being prepared', async () => {
    const email = await buildReadyEmail(app);
    const { id, next } = await planned(email);
    await updateRows(app.owner, 'touchpoint_sends', { id: next.send_id }, { status: 'preparing' });
    await updateRows(app.owner, 'touchpoints', { id: email.touchpointId }, { status: 'sending' });
    await done(email, 'DELETE', `/schedules/${id}`);
    assert.equal((await sendsOf(email))[0]?.status, 'cancelled');
    assert.equal((await touchpointOf(email)).status, 'draft');
  });

  test('a campaign paused beyond a time waits and is sent once', async (t) => {
    const [email, other] = [await buildReadyEmail(app), await buildReadyEmail(app)];
    const { next } = await planned(email);
    const elsewhere = await planned(other);
    startTestWorker(t);
    const paused = await done<{ paused: number }>(email, 'POST', `/campaigns/${email.campaignId}/pause`);
    assert.equal(paused.paused, 1);
    assert.deepEqual(await statusesOf(email), ['paused', 'paused']);
    assert.equal((await get<Send>(other, `/sends/${elsewhere.next.send_id}`)).status, 'queued');
    await letPass(email, 90);
    const resumed = await done<{ resumed: number; held: number }>(
      email,
      'POST',
      `/campaigns/${email.campaignId}/resume`,
    );
    assert.deepEqual([resumed.resumed, resumed.held], [0, 1]);
    const held = await get<Send>(email, `/sends/${next.send_id}`);
    assert.deepEqual([held.status, held.error?.code], ['held', 'started_late']);
    assert.equal(messagesOf(email).length, 0);

    const late = await done<Send>(email, 'POST', `/sends/${next.send_id}/resume`);
    assert.equal(late.status, 'queued');
    const aheadMs = Date.parse(late.send_date) - Date.now();
    assert.ok(aheadMs > 0 && aheadMs <= 60_000, `${aheadMs} ms`);
    await sql`update touchpoint_sends set next_due_at = now() where id = ${next.send_id}`.execute(app.owner);
    await waitForStatus(email, next.send_id, 'completed');
    assert.equal(messagesOf(email).length, 3);
    assert.equal((await sendsOf(email)).length, 1);
  });

  test('a repeated email goes out at each occurrence', async (t) => {
    const email = await buildReadyEmail(app);
    const start_date = inDays(10);
    const { next } = await planned(email, { start_date, time_zone: 'UTC', rrule: 'FREQ=DAILY;COUNT=2' });
    assert.deepEqual(await statusesOf(email), ['active', 'running']);
    startTestWorker(t);
    await letPass(email, 10);
    await waitForStatus(email, next.send_id, 'completed');
    const [first, second, ...more] = await sendsOf(email);
    assert.ok(first !== undefined && second !== undefined);
    assert.deepEqual([second.status, more.length], ['queued', 0]);
    assert.equal(Date.parse(second.occurrence_at!) - Date.parse(first.occurrence_at!), 86_400_000);
    assert.deepEqual(await statusesOf(email), ['active', 'running']);
    await letPass(email, 1);
    await waitForStatus(email, second.id, 'completed');
    assert.equal(messagesOf(email).length, 6);
    assert.equal((await sendsOf(email)).length, 2);
    assert.deepEqual(await statusesOf(email), ['sent', 'completed']);
  });

  test('two schedules of an email never send it twice at a time', async () => {
    const email = await buildReadyEmail(app);
    const [day, later] = [inDays(10), inDays(11)];
    const { id, next } = await planned(email, {
      start_date: day,
      time_zone: 'UTC',
      rrule: 'FREQ=DAILY;COUNT=3',
    });
    assertInvalid(
      await plan(email, { start_date: day, time_zone: 'UTC', rrule: 'FREQ=WEEKLY' }),
      'start_date',
    );
    await planned(email, { start_date: later, time_zone: 'UTC', rrule: 'FREQ=WEEKLY' });
    assertInvalid(await call(email, 'PATCH', `/schedules/${id}`, { start_date: later }), 'start_date');
    // The second of three is planned by the other schedule.
    await done(email, 'POST', `/sends/${next.send_id}/cancel`);
    const schedules = await get<Schedule[]>(email, `/touchpoints/${email.touchpointId}/schedules`);
    const third = schedules.find((schedule) => schedule.id === id)?.next?.scheduled_date ?? '';
    assert.equal(Date.parse(third) - Date.parse(later), 86_400_000);
  });

  test('an occurrence can be skipped, and a series paused', async () => {
    const email = await buildReadyEmail(app);
    const { id, next } = await planned(email, { rrule: 'FREQ=WEEKLY', time_zone: 'UTC' });
    await done(email, 'POST', `/sends/${next.send_id}/cancel`);
    const moved = await scheduleOf(email);
    assert.equal(Date.parse(moved?.next?.send_date ?? '') - Date.parse(next.send_date), 7 * 86_400_000);
    assert.deepEqual(await statusesOf(email), ['active', 'running']);

    await done(email, 'POST', `/touchpoints/${email.touchpointId}/pause`);
    assert.deepEqual(await statusesOf(email), ['paused', 'paused']);
    await done(email, 'POST', `/touchpoints/${email.touchpointId}/resume`);
    assert.deepEqual(await statusesOf(email), ['active', 'running']);

    await done(email, 'DELETE', `/schedules/${id}`);
    assert.deepEqual(await statusesOf(email), ['draft', 'draft']);
    assertColumn(await sendsOf(email), 'status', ['cancelled', 'cancelled']);
  });

  test('an occurrence that is stopped while it is prepared has one successor', async () => {
    const email = await buildReadyEmail(app);
    const { next } = await planned(email, { rrule: 'FREQ=DAILY', time_zone: 'UTC', start_date: inDays(1) });
    await letPass(email, 1);
    const { db } = app.services;
    const ref = { organizationId: email.organizationId, sendId: next.send_id };
    const failing = { ...mailboxPolicies, of: () => Promise.reject(new Error('The worker fails.')) };
    await assert.rejects(prepareSend(db, failing, ref), /The worker fails/);
    await done(email, 'POST', `/campaigns/${email.campaignId}/pause`);
    const stopped = await sendsOf(email);
    assertColumn(stopped, 'status', ['held', 'held']);
    await done(email, 'POST', `/sends/${next.send_id}/resume`);
    await sql`update touchpoint_sends set next_due_at = now() where id = ${next.send_id}`.execute(app.owner);
    assert.ok(await prepareSend(db, mailboxPolicies, ref));
    assert.deepEqual(
      (await sendsOf(email)).map(({ id, status }) => [id, status]),
      [
        [next.send_id, 'sending'],
        [stopped[1]!.id, 'held'],
      ],
    );
  });

  test('of missed occurrences only the latest waits', async (t) => {
    const email = await buildReadyEmail(app);
    const { next } = await planned(email, { rrule: 'FREQ=DAILY', time_zone: 'UTC', start_date: inDays(1) });
    await letPass(email, 5);
    startTestWorker(t);
    const held = await waitForStatus(email, next.send_id, 'held');
    const lateMs = Date.now() - Date.parse(held.occurrence_at!);
    assert.ok(lateMs >= 0 && lateMs < 86_400_000, `${lateMs} ms`);
    assert.deepEqual(await statusesOf(email), ['paused', 'paused']);
    assert.equal((await sendsOf(email)).length, 1);
    const work = await get<DashboardWork>(email, `/dashboard/work?organization_id=${email.organizationId}`);
    const late = work.attention.flatMap((entry) => (entry.kind === 'send_paused' ? [entry.send.id] : []));
    assert.deepEqual(late, [next.send_id]);
    // Skipping it goes on with the next one.
    await done(email, 'POST', `/sends/${next.send_id}/cancel`);
    const coming = await scheduleOf(email);
    assert.ok(Date.parse(coming?.next?.send_date ?? '') > Date.now());
    assert.deepEqual(await statusesOf(email), ['active', 'running']);
    assert.equal(messagesOf(email).length, 0);
  });

  test('200 sends due at once start once each despite a killed worker', async (t) => {
    const emails = await Promise.all(Array.from({ length: 20 }, () => buildReadyEmail(app, { contacts: 1 })));
    for (const email of emails) {
      await planned(email, { rrule: 'FREQ=DAILY;COUNT=3', time_zone: 'UTC', start_date: inDays(1) });
      await copyPlan(email, 9);
    }
    const organizations = emails.map(({ organizationId }) => organizationId);
    const dueAt = sql`date_trunc('second', now())`;
    await sql`update touchpoint_schedules set start_date = ${dueAt} where organization_id = any(${organizations}::uuid[])`.execute(
      app.owner,
    );
    await sql`update touchpoint_sends set send_date = ${dueAt}, next_due_at = ${dueAt}, occurrence_at = ${dueAt}
      where organization_id = any(${organizations}::uuid[])`.execute(app.owner);
    const countSends = async (where: RawBuilder<unknown>) => {
      const { rows } = await sql<{ count: number }>`select count(*) from touchpoint_sends
        where organization_id = any(${organizations}::uuid[]) and ${where}`.execute(app.owner);
      return rows[0]?.count;
    };
    const killed = startWorkerProcess(app, sink.url);
    t.after(() => killed.kill());
    await waitFor(
      'some have started',
      async () => (await countSends(sql`status = 'completed'`)) || undefined,
    );
    await killed.kill();
    // Without jobs, which would take most of the time.
    const { services, owner, appUrl, authUrl } = app;
    const worker = startSendWorker(
      {
        owner,
        appUrl,
        authUrl,
        app: services.db,
        pipelined: services.trackingPipelined,
        close: () => Promise.resolve(),
      },
      { url: sink.url, connections: 4, inFlightLimit: 64 },
    );
    t.after(worker.stop);
    await waitFor(
      'all have ended',
      async () => (await countSends(sql`status = 'completed'`)) === 200 || undefined,
    );
    assert.equal(await countSends(sql`recipients_total_sent_count = 1 and recipients_total_count = 1`), 200);
    assert.equal(await countSends(sql`status = 'queued' and occurrence_at = ${dueAt}::timestamptz`), 0);
    assert.equal(await countSends(sql`status = 'queued'`), 200);
    assert.equal(await countSends(sql`true`), 400);
    // None waits for another: each has its first one before any has its last one.
    const { rows: orders } = await sql<{ first: number; last: number }>`
      select min(place)::integer as first, max(place)::integer as last
      from (
        select organization_id, row_number() over (order by end_date) as place from touchpoint_sends
        where organization_id = any(${organizations}::uuid[]) and status = 'completed') ended
      group by organization_id`.execute(app.owner);
    const lastFirst = Math.max(...orders.map(({ first }) => first));
    const firstLast = Math.min(...orders.map(({ last }) => last));
    assert.ok(lastFirst < firstLast, `${lastFirst} and ${firstLast}`);
  });

  test('items of a collection are sent one by one at free times', async (t) => {
    const email = await buildReadyEmail(app, {
      mjml: fixtureMjml.replace('<mj-text>Hello', '<mj-text>{{ item.title }} Hello'),
    });
    const queue = (body: object) =>
      call<ItemQueue>(email, 'POST', `/touchpoints/${email.touchpointId}/collection_items`, {
        start_date: inDays(2),
        time_zone: 'UTC',
        rrule: 'FREQ=DAILY',
        ...body,
      });
    const keys: string[] = [];
    for (const title of ['Alpine', 'Bivouac', 'Cairn']) {
      const path = `/content/${email.organizationId}/items/newsletters`;
      keys.push((await done<{ data: { id: string } }>(email, 'POST', path, { title })).data.id);
    }
    const [alpine, bivouac, cairn] = keys as [string, string, string];
    assertInvalid(await queue({ item_ids: [alpine] }), 'item_ids');
    await done(email, 'PATCH', `/touchpoints/${email.touchpointId}`, { collection: 'newsletters' });
    assertInvalid(await queue({ item_ids: ['unknown'] }), 'item_ids.0');
    assertInvalid(await queue({ item_ids: [alpine, bivouac], rrule: 'FREQ=DAILY;COUNT=1' }), 'rrule');
    assert.deepEqual(await statusesOf(email), ['draft', 'draft']);

    const start_date = inDays(2);
    const dayMs = 86_400_000;
    const freePath = (rrule: string) => {
      const path = `/touchpoints/${email.touchpointId}/collection_items/free_times`;
      return `${path}?start_date=${start_date}&time_zone=UTC&rrule=${encodeURIComponent(rrule)}`;
    };
    const never = 'FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2';
    assertInvalid(await call(email, 'GET', freePath(never)), 'rrule');
    const freeTimes = async () => {
      const free = await get<string[]>(email, freePath('FREQ=DAILY;COUNT=3'));
      return free.map((at) => (Date.parse(at) - Date.parse(start_date)) / dayMs);
    };
    assert.deepEqual(await freeTimes(), [0, 1, 2]);
    assert.equal((await queue({ start_date, item_ids: [alpine, bivouac] })).status, 201);
    assert.deepEqual(await freeTimes(), [2]);
    assert.equal((await queue({ start_date, item_ids: [cairn], rrule: 'FREQ=DAILY;COUNT=3' })).status, 201);
    const queued = () => get<ItemQueue>(email, `/touchpoints/${email.touchpointId}/collection_items`);
    const list = async () => (await queued()).items;
    assert.deepEqual(
      (await list()).map(({ item_id, item_title, item_status, schedule_date }) => [
        item_id,
        item_title,
        item_status,
        (Date.parse(schedule_date) - Date.parse(start_date)) / dayMs,
      ]),
      [
        [cairn, 'Cairn', 'scheduled', 2],
        [bivouac, 'Bivouac', 'scheduled', 1],
        [alpine, 'Alpine', 'scheduled', 0],
      ],
    );
    assert.deepEqual(await statusesOf(email), ['active', 'running']);
    // Further items get the next times of the rule, which has no end for them.
    const { slots } = await queued();
    const atDay = (day: number) => new Date(Date.parse(start_date) + day * dayMs).toISOString();
    assert.deepEqual(slots, { start_date: atDay(3), time_zone: 'UTC', rrule: 'FREQ=DAILY' });
    await done(email, 'PATCH', `/schedules/${(await list())[1]?.schedule_id}`, {
      start_date: new Date(Date.parse(start_date) + 1.5 * dayMs).toISOString(),
    });
    assert.equal((await queued()).slots?.start_date, atDay(1));
    await done(email, 'PATCH', `/schedules/${(await list())[1]?.schedule_id}`, { start_date: atDay(1) });

    // What was confirmed is what is sent.
    const changed = `/content/${email.organizationId}/items/newsletters/${alpine}`;
    await done(email, 'PATCH', changed, { title: 'Changed' });
    startTestWorker(t);
    await letPass(email, 2);
    await waitFor('the first is sent', async () => (await list())[2]?.item_status === 'sent' || undefined);
    assert.equal(messagesOf(email).length, 3);
    for (const { raw } of messagesOf(email)) assert.match(raw, /Alpine/);
    await letPass(email, 1);
    await waitFor('the second is sent', async () => (await list())[1]?.item_status === 'sent' || undefined);
    assert.equal(messagesOf(email).filter(({ raw }) => raw.includes('Bivouac')).length, 3);
    const last = (await list())[0];
    await done(email, 'DELETE', `/schedules/${last?.schedule_id}`);
    assertColumn(await list(), 'item_status', ['cancelled', 'sent', 'sent']);
    assert.deepEqual(await statusesOf(email), ['sent', 'completed']);
  });

  test('the calendar has sends and planned occurrences in order', async () => {
    const email = await buildReadyEmail(app);
    const start_date = inDays(2);
    const { next, id } = await planned(email, { start_date, rrule: 'FREQ=WEEKLY;COUNT=4', time_zone: 'UTC' });
    const period = (from: number, to: number, more = '') =>
      `/schedules/occurrences?organization_id=${email.organizationId}&from=${inDays(from)}&to=${inDays(to)}${more}`;
    const { items, is_cut } = await get<{ items: Occurrence[]; is_cut: boolean }>(email, period(0, 20));
    assert.equal(is_cut, false);
    assert.deepEqual(
      items.map(({ status, send_id, schedule_id, at }) => [
        status,
        send_id,
        schedule_id,
        (Date.parse(at) - Date.parse(start_date)) / 86_400_000,
      ]),
      [
        ['queued', next.send_id, id, 0],
        ['planned', null, id, 7],
        ['planned', null, id, 14],
      ],
    );
    assert.deepEqual(
      [items[0]?.recipients, items[0]?.sent, items[0]?.touchpoint.name, items[0]?.brand.id],
      [3, 0, 'Newsletter', email.brandId],
    );
    const later = await get<{ items: Occurrence[] }>(email, period(20, 60));
    assert.equal(later.items.length, 1);
    const other = await get<{ items: Occurrence[] }>(email, period(0, 20, `&brand_id=${email.campaignId}`));
    assert.deepEqual(other.items, []);
    assertInvalid(await call(email, 'GET', period(0, 60)), 'to');
    assertInvalid(await call(email, 'GET', period(2, 1)), 'to');
  });
});
