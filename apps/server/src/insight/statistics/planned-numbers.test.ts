import assert from 'node:assert/strict';
import { before, suite, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import type { Campaign, ListedCampaign } from '@reachout/contract/campaigns.ts';
import type { ListedClient } from '@reachout/contract/clients.ts';
import type { DashboardResults, DashboardWork } from '@reachout/contract/dashboard.ts';
import type { Figures } from '@reachout/contract/figures.ts';
import type { Occurrence, QueuedItem, Schedule } from '@reachout/contract/schedules.ts';
import type { Recipient, Send } from '@reachout/contract/sends.ts';
import {
  comingSendStatuses,
  openSendStatuses,
  outcomeOfSend,
  sendCan,
  type SendKind,
  type SendStatus,
} from '@reachout/contract/states/send.ts';
import type { EmailStats } from '@reachout/contract/statistics.ts';
import type { DeliveryState } from '@reachout/contract/statuses.ts';
import type { ListedTouchpoint, Touchpoint } from '@reachout/contract/touchpoints.ts';
import { prepareSend } from '../../delivery/worker/prepare-send.ts';
import { policyForAll } from '../../email/transports/sender-policy.ts';
import { execute, rowsOf } from '../../platform/database/database.ts';
import { useTestApp } from '../../testing/app.ts';
import { mailboxPolicies } from '../../testing/mailbox-policies.ts';
import { insertRows } from '../../sample/rows.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { countAccounts } from '../../testing/send-accounts.ts';
import { fixtureMjml } from '../../testing/send-fixture.ts';
import { startSendWorker } from '../../testing/send-worker.ts';
import { startSmtpSink } from '../../testing/smtp-sink.ts';
import { useOpened } from '../../testing/use-made.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { createWaker } from '../../testing/wake-workers.ts';
import { assertBalanced } from '../../testing/watch-accounts.ts';

const contacts = 14;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const inDays = (days: number) =>
  new Date(Math.round((Date.now() + days * dayMs) / 1_000) * 1_000).toISOString();
const iso = (at: string | null) => at && new Date(at).toISOString();

type Shown = Pick<Touchpoint | Campaign, 'id' | 'status' | 'scheduled_date' | 'scheduled_date_tz'>;

/** A send as its rows have it. */
interface Stored {
  id: string;
  touchpoint_id: string;
  kind: SendKind;
  status: SendStatus;
  schedule_id: string | null;
  item_id: string | null;
  in_series: boolean;
  send_date: string;
  end_date: string | null;
  /** The later of start and planned time, which screens show. */
  planned_at: string;
  occurrence_at: string | null;
  time_zone: string | null;
  has_error: boolean;
  is_prepared: boolean;
  confirmed: number;
  deliveries: number;
  results: Partial<Record<DeliveryState, number>>;
  uncertain: number;
  exclusions: Partial<Record<string, number>>;
}

suite('equal numbers of planned sends', () => {
  const app = useTestApp();
  let first: ReadyEmail;
  let wake: () => Promise<void>;

  const sink = useOpened(() => startSmtpSink());
  before(async () => {
    wake = createWaker(app.owner);
    first = await buildReadyEmail(app, { contacts });
    await done('PATCH', `/filters/${first.filterId}`, {
      field_mapping: { email: 'email', unsubscribed: 'unsubscribed', time_zone: 'city' },
    });
    // Contacts 10 to 14 get nothing: one has no address, one that of another, one has unsubscribed, one pauses, one has declined
    // the topic.
    await execute(app.owner)`
      update content_items i
      set data = data || jsonb_build_object('city', (array['Asia/Tokyo', 'Europe/Berlin', 'America/New_York', null])[n % 4 + 1])
        || case n when 10 then '{"email": null}' when 11 then '{"email": "USER1@sink.example"}' when 12 then '{"unsubscribed": true}' else '{}' end::jsonb
      from (select id, right(id, 6)::int as n from content_items where organization_id = ${first.organizationId} and collection = 'contacts') c
      where i.organization_id = ${first.organizationId} and i.collection = 'contacts' and i.id = c.id`;
    const { brandId } = first;
    const topic = await done<{ id: string }>('POST', `/brands/${brandId}/topics`, {
      name: 'News',
      is_default: true,
    });
    await done('PATCH', `/touchpoints/${first.touchpointId}/email`, { topic_id: topic.id });
    const choice = {
      organization_id: first.organizationId,
      brand_id: brandId,
      source: 'preferences' as const,
    };
    await insertRows(app.owner, 'choices', {
      kind: 'pause',
      value: 'paused',
      ...choice,
      address_key: 'user13@sink.example',
      until: inDays(400),
    });
    await insertRows(app.owner, 'choices', {
      kind: 'topic',
      ...choice,
      address_key: 'user14@sink.example',
      topic_id: topic.id,
      value: 'not_subscribed',
    });
    sink.refuse = (recipient) =>
      recipient === 'user3@sink.example'
        ? { code: 550, text: '5.1.1 unknown user' }
        : recipient === 'user5@sink.example'
          ? { code: 554, text: '5.6.0 not this message' }
          : undefined;
  });

  /** It runs no jobs: what they would copy stays noted. */
  const startWorker = (t: TestContext) => {
    const { services, owner, appUrl, authUrl } = app;
    const worker = startSendWorker(
      { owner, appUrl, authUrl, app: services.db, pipelined: services.trackingPipelined, close: app.close },
      { url: sink.url, connections: 2, inFlightLimit: 16 },
    );
    t.after(worker.stop);
  };

  const call = <T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    app.request<T>(method, `/api${path}`, { as: first.person, ...(body === undefined ? {} : { body }) });
  const done = async <T>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<T> => {
    const response = await call<T>(method, path, body);
    assert.ok(response.status < 300, `${path}: ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const get = <T>(path: string) => done<T>('GET', path);
  const list = async <T>(path: string) =>
    (await get<{ items: T[] }>(`${path}${path.includes('?') ? '&' : '?'}page_size=100`)).items;

  /** Each email is in a campaign of its own. */
  async function addEmail(changes: object = {}): Promise<{ touchpointId: string; campaignId: string }> {
    const { organizationId: organization_id, brandId: brand_id, touchpointId } = first;
    const campaign = await done<{ id: string }>('POST', '/campaigns', {
      organization_id,
      brand_id,
      name: 'Spring',
    });
    const path = `/touchpoints/${touchpointId}/duplicate`;
    const copy = await done<{ id: string }>('POST', path, { name: 'News', campaign_id: campaign.id });
    if (Object.keys(changes).length > 0) await done('PATCH', `/touchpoints/${copy.id}/email`, changes);
    return { touchpointId: copy.id, campaignId: campaign.id };
  }
  const plan = async (touchpointId: string, body: object) => {
    const schedule = await done<Schedule>('POST', `/touchpoints/${touchpointId}/schedules`, {
      start_date: inDays(3),
      time_zone: 'Europe/Berlin',
      ...body,
    });
    return { scheduleId: schedule.id, sendId: schedule.next!.send_id };
  };
  const sendOf = (id: string) => get<Send>(`/sends/${id}`);
  const waitFor = (id: string, what: string, isSo: (send: Send) => boolean) =>
    waitUntil(what, async () => {
      await wake();
      const send = await sendOf(id);
      return isSo(send) ? send : undefined;
    });
  const refOf = (sendId: string) => ({ organizationId: first.organizationId, sendId });

  /** Lets time pass for one email: all that is planned, and all messages that wait. */
  async function letPass(touchpointId: string, ms: number): Promise<void> {
    const by = sql`${ms / 1_000} * interval '1 s'`;
    await app.owner.transaction().execute(async (trx) => {
      // Occurrences are unique, so the earlier ones move first.
      for (const isEnded of [true, false])
        await sql`
          update touchpoint_sends
          set send_date = send_date - ${by}, next_due_at = next_due_at - ${by}, occurrence_at = occurrence_at - ${by}
          where touchpoint_id = ${touchpointId} and (end_date is not null) = ${isEnded}`.execute(trx);
      await execute(trx)`
        update touchpoint_schedules set start_date = start_date - ${by} where touchpoint_id = ${touchpointId}`;
      await execute(trx)`
        update delivery_chunks c set not_before = not_before - ${by}
        from touchpoint_sends s
        where s.organization_id = c.organization_id and s.id = c.send_id and s.touchpoint_id = ${touchpointId}`;
    });
    // Before they are read: a worker may change them meanwhile, and notes that.
    await forgetChanges();
    for (const record of await readShown(touchpointId)) noted.set(record.id, textOf(record));
  }
  /** Lets time pass until the first chunks that are not due yet are. */
  async function letNextStart(touchpointId: string): Promise<void> {
    const rows = await rowsOf<{ ms: number }>(app.owner)`
      select extract(epoch from min(c.not_before) - now())::float8 * 1000 as ms
      from delivery_chunks c join touchpoint_sends s on s.organization_id = c.organization_id and s.id = c.send_id
      where s.touchpoint_id = ${touchpointId} and c.not_before > now() and not c.done`;
    await letPass(touchpointId, rows[0]!.ms + 1_000);
  }

  async function readStored(): Promise<Stored[]> {
    return await rowsOf<Stored>(app.owner)`
      select s.id, s.touchpoint_id, s.kind, s.status, s.schedule_id, s.item_id, s.in_series, s.send_date, s.end_date,
        greatest(s.send_date, s.occurrence_at) as planned_at, s.occurrence_at, p.time_zone, s.error is not null as has_error,
        s.audience_breakdown is not null as is_prepared, s.recipients_confirmed_count as confirmed,
        (select count(*) from deliveries d where d.organization_id = s.organization_id and d.send_id = s.id) as deliveries,
        (select coalesce(json_object_agg(state, n), '{}') from (
          select state, count(*) as n from delivery_results r
          where r.organization_id = s.organization_id and r.send_id = s.id group by 1) r) as results,
        (select count(*) from delivery_queue q
          where q.organization_id = s.organization_id and q.send_id = s.id and q.kind = 'uncertain') as uncertain,
        (select coalesce(json_object_agg(reason, n), '{}') from (
          select reason, count(*) as n from delivery_exclusions x
          where x.organization_id = s.organization_id and x.send_id = s.id group by 1) x) as exclusions
      from touchpoint_sends s
      left join touchpoint_schedules p on p.organization_id = s.organization_id and p.id = s.schedule_id
      where s.organization_id = ${first.organizationId}
      order by greatest(s.send_date, s.occurrence_at), s.id`;
  }

  /** Every recipient is in exactly one state. */
  function statesOf({ deliveries, results, uncertain, end_date }: Stored): Record<DeliveryState, number> {
    const { sent = 0, bounced = 0, failed = 0, suppressed = 0, skipped = 0 } = results;
    const rest = deliveries - sent - bounced - failed - suppressed - skipped - uncertain;
    const [queued, cancelled] = end_date === null ? [rest, 0] : [0, rest];
    return { queued, sending: 0, uncertain, sent, bounced, failed, suppressed, skipped, cancelled };
  }
  const sumOf = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const tally = (values: readonly string[]) =>
    Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]));
  const withoutZeros = (numbers: Record<string, number>) =>
    Object.fromEntries(Object.entries(numbers).filter(([, number]) => number > 0));

  const readShown = async (touchpointId: string): Promise<Shown[]> => {
    const touchpoint = await get<Touchpoint>(`/touchpoints/${touchpointId}`);
    return [touchpoint, await get<Campaign>(`/campaigns/${touchpoint.campaign_id}`)];
  };
  const textOf = ({ status, scheduled_date, scheduled_date_tz }: Shown) =>
    `${status} ${scheduled_date} ${scheduled_date_tz}`;
  /** What was shown of touchpoints and campaigns when their changes were last noted. */
  const noted = new Map<string, string>();
  const forgetChanges = () =>
    execute(app.owner)`delete from content_outbox where organization_id = ${first.organizationId}`;

  const compared = new Map<string, string>();
  /** All numbers and times of an email, and those of everything above it, are those of the stored rows. */
  async function assertAgree(touchpointId: string): Promise<void> {
    const all = await readStored();
    const own = all.filter((send) => send.touchpoint_id === touchpointId);
    const listed = await list<Send>(`/touchpoints/${touchpointId}/sends`);
    assert.equal(listed.length, own.length);
    for (const stored of own) {
      const text = JSON.stringify(stored);
      if (compared.get(stored.id) !== text)
        await assertSend(
          stored,
          listed.find(({ id }) => id === stored.id),
        );
      compared.set(stored.id, text);
    }
    const shown = await readShown(touchpointId);
    await assertTouchpoint(touchpointId, own, shown);
    await assertLists(all);
    await assertDashboard(all);
    await assertCalendar(all);
    for (const record of shown) {
      const [then, now] = [noted.get(record.id), textOf(record)];
      const rows = await rowsOf(app.owner)`select from content_outbox where id = ${record.id}`;
      assert.ok(then === undefined || then === now || rows.length === 1, `copies follow: ${then}, ${now}`);
      noted.set(record.id, now);
    }
    await forgetChanges();
  }

  async function assertSend(stored: Stored, listed: Send | undefined): Promise<void> {
    const { id, deliveries, exclusions } = stored;
    assertBalanced(await countAccounts(app.owner, id));
    const states = statesOf(stored);
    const excluded = sumOf(Object.values(exclusions as Record<string, number>));
    const send = await sendOf(id);
    assert.deepEqual({ ...send, pace: null }, listed && { ...listed, pace: null });
    assert.deepEqual(
      {
        queued: send.recipients_queued_count,
        sending: 0,
        uncertain: send.recipients_uncertain_count,
        sent: send.recipients_total_sent_count,
        bounced: send.recipients_total_delivery_failed_count,
        failed: send.recipients_total_failed_count,
        suppressed: send.recipients_suppressed_count,
        skipped: send.recipients_skipped_count,
        cancelled: send.recipients_cancelled_count,
      },
      states,
    );
    assert.equal(send.recipients_total_count, deliveries);
    assert.deepEqual(
      [send.status, send.send_date, send.occurrence_at],
      [stored.status, stored.send_date, stored.occurrence_at],
    );
    const { audience_breakdown: breakdown } = send;
    assert.equal(breakdown === null, !stored.is_prepared);
    if (breakdown !== null && stored.kind === 'campaign')
      assert.deepEqual(
        { ...breakdown, excluded: withoutZeros(breakdown.excluded) },
        { matched: deliveries + excluded, excluded: exclusions, will_receive: deliveries },
      );
    const path = `/sends/${id}/deliveries`;
    const recipients = await list<Recipient>(path);
    const expected = withoutZeros({ ...states, excluded });
    assert.deepEqual(tally(recipients.map(({ state }) => state)), expected);
    const rows = (await get<string>(`${path}/export`)).trim().split('\r\n').slice(1);
    assert.deepEqual(tally(rows.map((row) => row.split(',')[2]!)), expected);
    const { queued, sent } = states;
    for (const [state, count] of Object.entries({ queued, not_sent: deliveries - queued - sent }))
      assert.equal((await get<{ count: number }>(`${path}?state=${state}`)).count, count, state);
    assertStats(await statsOf({ touchpoint: stored.touchpoint_id, send: id }), [stored]);
  }

  const statsOf = async (query: Record<string, string>) => {
    const path = `/content/${first.organizationId}/reachout/touchpoint_emails/stats`;
    return (await get<{ data: EmailStats }>(`${path}?${new URLSearchParams(query).toString()}`)).data;
  };
  function assertStats(stats: EmailStats, of: readonly Stored[]): void {
    const sum = (state: DeliveryState) => sumOf(of.map((stored) => statesOf(stored)[state]));
    assert.deepEqual(
      [stats.recipients, stats.delivered, stats.bounced, stats.failed, stats.uncertain, stats.queued],
      [
        sumOf(of.map(({ deliveries }) => deliveries)),
        sum('sent'),
        sum('bounced'),
        sum('failed'),
        sum('uncertain'),
        sum('queued'),
      ],
    );
  }

  const isComing = ({ kind, status }: Stored) =>
    kind === 'campaign' && comingSendStatuses.some((one) => one === status);

  async function assertTouchpoint(
    touchpointId: string,
    own: readonly Stored[],
    shown: readonly Shown[],
  ): Promise<void> {
    assertStats(await statsOf({ touchpoint: touchpointId }), own);
    const next = own.find(isComing);
    for (const { scheduled_date, scheduled_date_tz } of shown)
      assert.deepEqual(
        [scheduled_date, scheduled_date_tz],
        [next?.planned_at ?? null, next?.time_zone ?? null],
      );
    for (const { id, is_active, next: following } of await get<Schedule[]>(
      `/touchpoints/${touchpointId}/schedules`,
    )) {
      const coming = own.filter((stored) => isComing(stored) && stored.schedule_id === id);
      assert.equal(
        is_active,
        coming.some(({ status }) => status === 'queued'),
      );
      assert.deepEqual(
        following && [
          following.send_id,
          following.status,
          iso(following.send_date),
          iso(following.scheduled_date),
        ],
        coming[0] === undefined
          ? null
          : [coming[0].id, coming[0].status, coming[0].send_date, coming[0].planned_at],
      );
    }
    const items = await list<QueuedItem>(`/touchpoints/${touchpointId}/collection_items`);
    assert.deepEqual(
      items.map(({ send_id, item_status, schedule_date, send_date }) => [
        send_id,
        item_status,
        schedule_date,
        send_date,
      ]),
      own
        .filter(({ item_id, kind }) => item_id !== null && kind === 'campaign')
        .toSorted((one, other) => Date.parse(other.occurrence_at!) - Date.parse(one.occurrence_at!))
        .map((stored) => [
          stored.id,
          itemStatusOf(stored),
          stored.occurrence_at,
          stored.is_prepared && !isComing(stored) ? stored.send_date : null,
        ]),
    );
  }

  function itemStatusOf(stored: Stored): QueuedItem['item_status'] {
    const { status } = stored;
    if (isComing(stored)) return 'scheduled';
    if (status === 'cancelled') return 'cancelled';
    if (openSendStatuses.includes(status)) return 'sending';
    return status === 'completed' && statesOf(stored).sent > 0 ? 'sent' : 'failed';
  }

  async function assertLists(all: readonly Stored[]): Promise<void> {
    const where = `organization_id=${first.organizationId}`;
    const campaignOf = new Map<string, string>();
    for (const { id, campaign_id, figures, scheduled_date } of await list<ListedTouchpoint>(
      `/touchpoints?${where}`,
    )) {
      const own = all.filter(({ touchpoint_id }) => touchpoint_id === id);
      campaignOf.set(id, campaign_id);
      assertFigures(figures!, own);
      assert.equal(scheduled_date, own.find(isComing)?.planned_at ?? null);
    }
    for (const { id, figures, scheduled_date } of await list<ListedCampaign>(`/campaigns?${where}`)) {
      const own = all.filter(({ touchpoint_id }) => campaignOf.get(touchpoint_id) === id);
      assertFigures(figures!, own);
      assert.equal(scheduled_date, own.find(isComing)?.planned_at ?? null);
    }
    for (const { figures } of await list<ListedClient>(`/clients?${where}`)) assertFigures(figures!, all);
  }

  function assertFigures({ recipients, delivered, last_send }: Figures, own: readonly Stored[]): void {
    const sum = sumOf(own.map((stored) => statesOf(stored).sent));
    assert.deepEqual([recipients, delivered], [sumOf(own.map(({ deliveries }) => deliveries)), sum]);
    const last = own.findLast(({ kind }) => kind === 'campaign');
    assert.deepEqual(
      last_send && [last_send.id, last_send.outcome, last_send.at],
      last === undefined
        ? null
        : [
            last.id,
            outcomeOfSend({ status: last.status, recipients: last.deliveries, sent: statesOf(last).sent }),
            last.planned_at,
          ],
    );
  }

  async function assertDashboard(all: readonly Stored[]): Promise<void> {
    const where = `organization_id=${first.organizationId}`;
    const { open, open_count, attention } = await get<DashboardWork>(`/dashboard/work?${where}`);
    const openStored = all.filter(({ status }) => openSendStatuses.includes(status));
    const [waiting, going] = [true, false].map((isWaiting) =>
      openStored.filter((stored) => (sendCan.resume(stored) && stored.has_error) === isWaiting),
    );
    assert.deepEqual(new Set(open.map(({ id }) => id)), new Set(going!.map(({ id }) => id)));
    assert.equal(open_count, going!.length);
    const starts = open.filter((send) => !sendCan.resume(send)).map(({ send_date }) => send_date);
    assert.deepEqual(starts, starts.toSorted());
    const sendsToAttend = attention.flatMap((one) => ('send' in one ? [one] : []));
    assert.deepEqual(
      new Set(sendsToAttend.filter(({ kind }) => kind === 'send_paused').map(({ send }) => send.id)),
      new Set(waiting!.map(({ id }) => id)),
    );
    for (const send of [...open, ...sendsToAttend.map((one) => one.send)]) {
      const stored = all.find(({ id }) => id === send.id)!;
      assert.deepEqual(
        [send.status, send.send_date, send.recipients_total_count, send.recipients_total_sent_count],
        [stored.status, stored.send_date, stored.deliveries, statesOf(stored).sent],
      );
    }
    const { total } = await get<DashboardResults>(`/dashboard/results?${where}&period=90day&time_zone=UTC`);
    for (const [name, state] of [
      ['delivered', 'sent'],
      ['bounced', 'bounced'],
    ] as const)
      assert.equal(total[name], sumOf(all.map((stored) => statesOf(stored)[state])), name);
  }

  async function assertCalendar(all: readonly Stored[]): Promise<void> {
    const from = inDays(-20);
    const to = inDays(20);
    const { items } = await get<{ items: Occurrence[] }>(
      `/schedules/occurrences?organization_id=${first.organizationId}&from=${from}&to=${to}`,
    );
    const times = items.map(({ at }) => Date.parse(at));
    assert.deepEqual(
      times,
      times.toSorted((one, other) => one - other),
    );
    const entries = items
      .filter(({ send_id }) => send_id !== null)
      .map(
        ({ send_id, status, at, recipients, sent, schedule_id, time_zone }) =>
          [send_id!, status, at, recipients, sent, schedule_id, time_zone] as const,
      );
    const byId = (one: readonly [string, ...unknown[]], other: readonly [string, ...unknown[]]) =>
      one[0].localeCompare(other[0]);
    assert.deepEqual(
      entries.toSorted(byId),
      all
        .filter(({ planned_at: at }) => at >= from && at < to)
        .filter(({ status, is_prepared }) => status !== 'cancelled' || is_prepared)
        .map(
          (stored) =>
            [
              stored.id,
              stored.status,
              stored.planned_at,
              stored.is_prepared ? stored.deliveries : stored.confirmed,
              statesOf(stored).sent,
              stored.schedule_id,
              stored.time_zone,
            ] as const,
        )
        .toSorted(byId),
    );
    // Those without a send come after the next one of their schedule.
    for (const { at, schedule_id } of items.filter(({ send_id }) => send_id === null)) {
      const coming = all.filter((stored) => isComing(stored) && stored.schedule_id === schedule_id);
      assert.ok(coming.length > 0 && coming.every(({ planned_at }) => planned_at < iso(at)!));
    }
  }

  /** A worker that dies leaves a send in preparation. */
  const failToPrepare = (sendId: string) =>
    assert.rejects(
      prepareSend(
        app.services.db,
        { ...mailboxPolicies, of: () => Promise.reject(new Error('The worker dies.')) },
        refOf(sendId),
      ),
    );
  const letBeDue = (sendId: string) =>
    execute(app.owner)`update touchpoint_sends set next_due_at = now() where id = ${sendId}`;

  test('numbers agree while one date passes through all states', async (t) => {
    const { touchpointId, campaignId } = await addEmail();
    const body = {
      contact_time_zones: true,
      spread_minutes: 120,
      window_start: '08:00',
      window_end: '23:00',
    };
    const { scheduleId, sendId } = await plan(touchpointId, { ...body, start_date: noonIn(3) });
    await assertAgree(touchpointId);
    await done('POST', `/campaigns/${campaignId}/pause`);
    await assertAgree(touchpointId);
    await done('POST', `/campaigns/${campaignId}/resume`);
    await done('PATCH', `/schedules/${scheduleId}`, { start_date: noonIn(4) });
    await assertAgree(touchpointId);
    // East of the schedule it is already noon.
    await letBeDue(sendId);
    await failToPrepare(sendId);
    await assertAgree(touchpointId);
    startWorker(t);
    await letBeDue(sendId);
    await waitFor(sendId, 'it waits', ({ waits_until }) => waits_until !== null);
    await assertAgree(touchpointId);
    await letNextStart(touchpointId);
    await letBeDue(sendId);
    await waitFor(
      sendId,
      'some have it',
      (send) => send.recipients_total_sent_count > 0 && send.waits_until !== null,
    );
    assert.ok((await sendOf(sendId)).recipients_queued_count > 0);
    await assertAgree(touchpointId);
    await done('POST', `/sends/${sendId}/pause`);
    await assertAgree(touchpointId);
    await done('POST', `/sends/${sendId}/resume`);
    await done('POST', `/sends/${sendId}/cancel`);
    await waitFor(sendId, 'it has ended', ({ end_date }) => end_date !== null);
    await assertAgree(touchpointId);
  });

  test('numbers agree while a series goes on', async (t) => {
    const { touchpointId } = await addEmail();
    const times = { contact_time_zones: true, spread_minutes: 30 };
    const { scheduleId, sendId } = await plan(touchpointId, { ...times, rrule: 'FREQ=DAILY;COUNT=4' });
    startWorker(t);
    await letBeDue(sendId);
    await waitFor(sendId, 'it waits', ({ waits_until }) => waits_until !== null);
    await assertAgree(touchpointId);
    // It is past the hour in all zones, and the next occurrence has not begun in the first one.
    await letPass(touchpointId, 3 * dayMs + 8 * hourMs);
    await letBeDue(sendId);
    const sent = await waitFor(sendId, 'it is sent', ({ status }) => status === 'completed');
    assert.ok(sent.recipients_total_failed_count > 0 && sent.recipients_total_delivery_failed_count > 0);
    await assertAgree(touchpointId);
    const [second] = await comingOf(touchpointId);
    await done('POST', `/sends/${second!.id}/cancel`);
    await assertAgree(touchpointId);
    const [third] = await comingOf(touchpointId);
    await done('POST', `/sends/${third!.id}/pause`);
    await assertAgree(touchpointId);
    await done('POST', `/sends/${third!.id}/resume`);
    const followUp = await done<Send>('POST', `/sends/${sendId}/follow_ups`);
    await assertAgree(touchpointId);
    await letBeDue(followUp.id);
    await waitFor(followUp.id, 'it is sent again', ({ end_date }) => end_date !== null);
    await assertAgree(touchpointId);
    await done('DELETE', `/schedules/${scheduleId}`);
    await assertAgree(touchpointId);
  });

  test('numbers agree while items are sent one by one', async (t) => {
    const { touchpointId, campaignId } = await addEmail({
      mjml: fixtureMjml.replace('<mj-text>Hello', '<mj-text>{{ item.title }} Hello'),
    });
    await done('PATCH', `/touchpoints/${touchpointId}`, { collection: 'newsletters' });
    const item_ids: string[] = [];
    for (const title of ['Alpine', 'Bivouac', 'Cairn', 'Dolomites']) {
      const path = `/content/${first.organizationId}/items/newsletters`;
      item_ids.push((await done<{ data: { id: string } }>('POST', path, { title })).data.id);
    }
    const rule = { start_date: inDays(2), time_zone: 'UTC', rrule: 'FREQ=DAILY' };
    await done('POST', `/touchpoints/${touchpointId}/collection_items`, { ...rule, item_ids });
    await assertAgree(touchpointId);
    startWorker(t);
    const sends = await comingOf(touchpointId);
    const [alpine, bivouac, cairn] = sends.map(({ id }) => id) as [string, string, string];
    await letPass(touchpointId, 2 * dayMs);
    await waitFor(alpine, 'it is sent', ({ status }) => status === 'completed');
    await assertAgree(touchpointId);
    await done('DELETE', `/schedules/${sends[1]!.schedule_id}`);
    assert.equal((await sendOf(bivouac)).status, 'cancelled');
    await done('POST', `/campaigns/${campaignId}/pause`);
    await letPass(touchpointId, 2 * dayMs + hourMs);
    await done('POST', `/campaigns/${campaignId}/resume`);
    await assertAgree(touchpointId);
    await done('POST', `/sends/${cairn}/resume`);
    await assertAgree(touchpointId);
    await letBeDue(cairn);
    await waitFor(cairn, 'it is sent', ({ status }) => status === 'completed');
    await assertAgree(touchpointId);
  });

  test('numbers agree if a send fails before it has started', async () => {
    const { touchpointId } = await addEmail();
    const { sendId } = await plan(touchpointId, {});
    await letBeDue(sendId);
    const elsewhere = policyForAll({
      transport: 'smtp',
      senderDomains: ['elsewhere.example'],
      dailyRecipientLimit: 0,
      bounceDomain: 'bounce.example',
      publicUrl: 'http://localhost:3000',
    });
    assert.equal(await prepareSend(app.services.db, elsewhere, refOf(sendId)), undefined);
    assert.equal((await sendOf(sendId)).status, 'failed');
    await assertAgree(touchpointId);
    // Once more, now because nobody is left.
    const again = await plan(touchpointId, {});
    await letBeDue(again.sendId);
    const unsubscribed = (value: boolean) =>
      execute(app.owner)`
        update content_items set data = data || jsonb_build_object('unsubscribed', ${value}::boolean)
        where organization_id = ${first.organizationId} and collection = 'contacts' and right(id, 6)::int < 12`;
    await unsubscribed(true);
    assert.equal(await prepareSend(app.services.db, mailboxPolicies, refOf(again.sendId)), undefined);
    await unsubscribed(false);
    assert.equal((await sendOf(again.sendId)).status, 'failed');
    await assertAgree(touchpointId);
  });

  test('numbers agree while quiet hours delay a send', async (t) => {
    const local = (ms: number) => new Date(Date.now() + ms).toISOString().slice(11, 16);
    const quiet = { quiet_hours_start: local(-hourMs), quiet_hours_end: local(2 * hourMs) };
    await done('PATCH', `/brands/${first.brandId}`, quiet);
    t.after(() =>
      done('PATCH', `/brands/${first.brandId}`, { quiet_hours_start: null, quiet_hours_end: null }),
    );
    const { touchpointId } = await addEmail();
    const { id } = await done<Send>('POST', `/touchpoints/${touchpointId}/sends`, { immediately: true });
    await assertAgree(touchpointId);
    startWorker(t);
    await waitFor(id, 'it waits', ({ waits_until }) => waits_until !== null);
    await assertAgree(touchpointId);
    await letPass(touchpointId, 3 * hourMs);
    await letBeDue(id);
    await waitFor(id, 'it is sent', ({ status }) => status === 'completed');
    await assertAgree(touchpointId);
  });

  const comingOf = async (touchpointId: string) =>
    (await readStored()).filter((stored) => stored.touchpoint_id === touchpointId && isComing(stored));
});

/** Noon in Berlin. */
const noonIn = (days: number) =>
  Temporal.Now.zonedDateTimeISO('Europe/Berlin')
    .add({ days })
    .withPlainTime('12:00')
    .toInstant()
    .toString({ smallestUnit: 'millisecond' });
