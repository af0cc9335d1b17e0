import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { execute, rowsOf, type Database, inOrganization } from '../../platform/database/database.ts';
import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import { newId } from '../../platform/ids.ts';
import { findDueSends } from '../../queue/due-sends.queries.ts';
import { leaseChunk, leaseChunkFrom } from '../../queue/lease-chunk.queries.ts';
import { listStuckSends } from '../../queue/send-checks.queries.ts';
import type { SendKey } from '../../queue/send-statements.ts';
import { mailboxPolicies } from '../../testing/mailbox-policies.ts';
import { insertRows } from '../../sample/rows.ts';
import { updateRows } from '../../testing/rows.ts';
import { countAccounts } from '../../testing/send-accounts.ts';
import { buildDueSend, letQueuedBeDue } from '../../testing/send-fixture.ts';
import { startSendWorker, useSendDatabase } from '../../testing/send-worker.ts';
import { type SmtpSink, startSmtpSink } from '../../testing/smtp-sink.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { createWaker } from '../../testing/wake-workers.ts';
import { assertBalanced, watchAccounts } from '../../testing/watch-accounts.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { cancelSend, pauseSend, resumeSend } from '../sends/change-send.ts';
import { getSend } from '../sends/send-list.queries.ts';
import { startFollowUp } from '../sends/send.routes.ts';
import type { SendRow } from '../sends/send.ts';
import { prepareSend } from './prepare-send.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

interface Plan {
  contacts: number;
  domains?: string[];
  /** The time zone of the contact with this number. */
  zoneOf?: (contact: number) => string | null;
  /** Hours from now, of the schedule; without it, the send has none. */
  inHours?: number;
  time_zone?: string;
  contact_time_zones?: boolean;
  spread_minutes?: number;
  window?: readonly [string, string];
  quiet?: readonly [string, string];
}

interface Chunk {
  lane: string;
  first_seq: number;
  last_seq: number;
  not_before: string | null;
}

suite('messages that start later than their send', () => {
  const database = useSendDatabase();
  let owner: Database;
  let app: Database;
  let pipelined: PipelinedDatabase;
  let sink: SmtpSink;
  let wake: () => Promise<void>;
  let workers: ReturnType<typeof startSendWorker>[] = [];

  before(() => {
    ({ owner, app, pipelined } = database);
    wake = createWaker(owner);
  });
  beforeEach(async () => {
    sink = await startSmtpSink();
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    workers = [];
    await sink.close();
  });

  const start = () => {
    const worker = startSendWorker(database, { url: sink.url, connections: 4, inFlightLimit: 16 });
    workers.push(worker);
    return worker;
  };

  /** @returns the prepared send, and when its schedule is */
  async function build(plan: Plan): Promise<SendKey & { planned: string; touchpointId: string }> {
    const { contacts, domains, zoneOf, inHours, quiet, window } = plan;
    const { organizationId, sendId, touchpointId, brandId } = await buildDueSend(owner, {
      contacts,
      ...(domains === undefined ? {} : { domains }),
    });
    const planned = new Date(Date.now() + (inHours ?? 0) * hourMs).toISOString();
    const zones = Array.from({ length: contacts }, (_, index) => zoneOf?.(index + 1) ?? null);
    await execute(owner)`
      update content_items i set data = i.data || jsonb_build_object('time_zone', zone)
      from unnest(${zones}::text[]) with ordinality zoned(zone, number)
      where i.organization_id = ${organizationId} and i.id = 'contact-' || lpad(number::text, 9, '0')`;
    await execute(owner)`
      update touchpoint_send_contents set audience = jsonb_set(audience, '{field_mapping,time_zone}', '"time_zone"')
      where send_id = ${sendId}`;
    if (quiet !== undefined)
      await updateRows(
        owner,
        'brands',
        { id: brandId },
        { quiet_hours_start: quiet[0], quiet_hours_end: quiet[1] },
      );
    if (inHours !== undefined) {
      const schedule_id = newId();
      await insertRows(owner, 'touchpoint_schedules', {
        id: schedule_id,
        organization_id: organizationId,
        touchpoint_id: touchpointId,
        brand_id: brandId,
        start_date: planned,
        time_zone: plan.time_zone ?? 'UTC',
        contact_time_zones: plan.contact_time_zones ?? false,
        spread_minutes: plan.spread_minutes ?? null,
        window_start: window?.[0] ?? null,
        window_end: window?.[1] ?? null,
      });
      await updateRows(owner, 'touchpoint_sends', { id: sendId }, { schedule_id, occurrence_at: planned });
    }
    const ref = { organizationId, sendId };
    assert.ok(await prepareSend(app, mailboxPolicies, ref));
    assertBalanced(await countAccounts(owner, sendId));
    return { ...ref, planned, touchpointId };
  }

  const chunksOf = ({ sendId }: SendKey): Promise<Chunk[]> =>
    owner
      .selectFrom('delivery_chunks')
      .select(['lane', 'first_seq', 'last_seq', 'not_before'])
      .where('send_id', '=', sendId)
      .orderBy('first_seq')
      .execute();

  /** The local time of the schedule in another zone. */
  const inZone = (planned: string, zone: string) =>
    Temporal.Instant.from(planned)
      .toZonedDateTimeISO('UTC')
      .toPlainDateTime()
      .toZonedDateTime(zone)
      .toInstant()
      .toString({ smallestUnit: 'millisecond' });

  /** Moves all times of chunks so that this one is now. */
  async function letCome({ sendId }: SendKey, at: string): Promise<void> {
    await execute(owner)`
      update delivery_chunks set not_before = not_before - (${at}::timestamptz - now())
      where send_id = ${sendId}`;
    await execute(owner)`
      update touchpoint_sends set next_due_at = now() where id = ${sendId} and status = 'sending'`;
    await wake();
  }

  const readSend = async ({ sendId, organizationId }: SendKey) =>
    await inOrganization(app, organizationId, (trx): Promise<SendRow> => getSend(trx, sendId));
  const sentOf = async ({ sendId }: SendKey) => (await countAccounts(owner, sendId)).counters.sent;
  const isDue = async ({ sendId }: SendKey) =>
    (
      await findDueSends(
        app,
        { toPrepare: 200, preparedFor: undefined, perList: 200, ofDeadWorkers: true },
        [],
      )
    ).some((found) => found.send_id === sendId);
  /** Waits until the worker has nothing of a send and knows when there will be something. */
  const rests = (ref: SendKey) =>
    waitUntil('the send waits', async () => (await readSend(ref)).waits_until ?? undefined);

  const zones = ['Asia/Tokyo', 'Europe/Berlin', 'America/New_York', 'Mars/Olympus'];
  const zoneOf = (contact: number) => zones[contact % 4]!;

  test('contacts get their messages at the local time of their zone', async () => {
    const ref = await build({ contacts: 40, zoneOf, inHours: 48, contact_time_zones: true });
    const times = zones.slice(0, 3).map((zone) => inZone(ref.planned, zone));
    const chunks = await chunksOf(ref);
    assert.deepEqual(
      chunks.map(({ first_seq, last_seq, not_before }) => [first_seq, last_seq, not_before]),
      [times[0], times[1], ref.planned, times[2]].map((at, index) => [index * 10 + 1, index * 10 + 10, at]),
    );
    const watch = watchAccounts(owner, ref.sendId);
    start();
    assert.equal(await rests(ref), times[0]);
    assert.equal(sink.taken.length, 0);
    for (const expected of [10, 20, 30, 40]) {
      const next = (await chunksOf(ref)).find(({ last_seq }) => last_seq === expected);
      await letCome(ref, next!.not_before!);
      await waitUntil('the zone has its messages', async () => (await sentOf(ref)) === expected);
      if (expected < 40) await rests(ref);
      assert.equal(sink.taken.length, expected);
    }
    const ended = await waitUntil('the send ends', async () => {
      const accounts = await countAccounts(owner, ref.sendId);
      return accounts.hasEnded ? accounts : undefined;
    });
    await watch.stop();
    assert.equal(ended.status, 'completed');
    const number = ({ recipient }: { recipient: string }) => Number(/\d+/.exec(recipient)?.[0]);
    for (const [index, zone] of ['Asia/Tokyo', 'Europe/Berlin', 'Mars/Olympus', 'America/New_York'].entries())
      assert.deepEqual(
        new Set(sink.taken.slice(index * 10, index * 10 + 10).map((taken) => zoneOf(number(taken)))),
        new Set([zone]),
      );
  });

  test('an hour that has passed is sent at once, and the names of zones need no capitals', async () => {
    const ref = await build({
      contacts: 6,
      zoneOf: (contact) => [' asia/tokyo ', 'US/Pacific', null][contact % 3]!,
      inHours: 1,
      contact_time_zones: true,
    });
    assert.deepEqual(
      (await chunksOf(ref)).map(({ not_before }) => not_before),
      [null, ref.planned, inZone(ref.planned, 'America/Los_Angeles')],
    );
    start();
    await waitUntil('they have their messages', async () => (await sentOf(ref)) === 2);
    assert.equal(await rests(ref), ref.planned);
  });

  test('a spread divides the audience evenly', async () => {
    const domains = ['gmail.com', 'sink.example'];
    const ref = await build({ contacts: 600, domains, inHours: 24, spread_minutes: 30 });
    const chunks = await chunksOf(ref);
    const minutes = Map.groupBy(
      chunks,
      ({ not_before }) => (Date.parse(not_before!) - Date.parse(ref.planned)) / 60_000,
    );
    assert.deepEqual(
      [...minutes.keys()].toSorted((one, other) => one - other),
      Array.from({ length: 30 }, (_, n) => n),
    );
    for (const some of minutes.values())
      assert.equal(
        some.reduce((sum, { first_seq, last_seq }) => sum + last_seq - first_seq + 1, 0),
        20,
      );
    // Each chunk has one lane and one time, and within a lane they are in order.
    const rows = await rowsOf<{ lanes: number }>(owner)`
      select count(distinct split_part(address, '@', 2))::int as lanes
      from delivery_chunks c join deliveries d on d.organization_id = c.organization_id and d.send_id = c.send_id
        and d.seq between c.first_seq and c.last_seq
      where c.send_id = ${ref.sendId} group by c.first_seq`;
    assert.deepEqual(new Set(rows.map(({ lanes }) => lanes)), new Set([1]));
    for (const lane of Map.groupBy(chunks, (chunk) => chunk.lane).values())
      assert.deepEqual(
        lane,
        lane.toSorted((one, other) => Date.parse(one.not_before!) - Date.parse(other.not_before!)),
      );
    assert.equal(
      chunks.reduce((seq, { first_seq, last_seq }) => (first_seq === seq ? last_seq + 1 : 0), 1),
      601,
    );

    start();
    await rests(ref);
    await letCome(ref, chunks[0]!.not_before!);
    await waitUntil('the first minute is sent', async () => (await sentOf(ref)) === 20);
    const times = new Set((await chunksOf(ref)).map(({ not_before }) => not_before!));
    assert.equal(await rests(ref), [...times].toSorted()[1], 'of the second minute');
    assert.equal(sink.taken.length, 20);
    assertBalanced(await countAccounts(owner, ref.sendId));
  });

  test('a spread over time zones has few chunks', async () => {
    const all = Intl.supportedValuesOf('timeZone');
    const ref = await build({
      contacts: 2_000,
      zoneOf: (contact) => all[contact % all.length]!,
      inHours: 48,
      contact_time_zones: true,
      spread_minutes: 2_880,
    });
    const chunks = await chunksOf(ref);
    const distinct = new Set(chunks.map(({ not_before }) => not_before));
    assert.ok(distinct.size > 50 && distinct.size <= 400, `${distinct.size} times`);
    assert.equal(chunks.at(-1)?.last_seq, 2_000);
  });

  test('a window and quiet hours delay all messages alike', async () => {
    const local = (ms: number) => new Date(Date.now() + ms).toISOString().slice(11, 16);
    const windowed = await build({ contacts: 3, inHours: 0, window: [local(2 * hourMs), local(5 * hourMs)] });
    const [chunk] = await chunksOf(windowed);
    const wait = Date.parse(chunk!.not_before!) - Date.now();
    assert.ok(wait > hourMs && wait <= 2 * hourMs);
    // A send without a schedule has the quiet hours of its brand.
    const quietEnd = local(2 * hourMs);
    const quiet = await build({ contacts: 3, quiet: [local(-hourMs), quietEnd] });
    const [quietChunk] = await chunksOf(quiet);
    assert.equal(quietChunk!.not_before?.slice(11, 16), quietEnd);
    const loud = await build({ contacts: 3, quiet: [local(hourMs), local(2 * hourMs)] });
    assertColumn(await chunksOf(loud), 'not_before', [null]);
    start();
    await waitUntil('it is sent', async () => (await sentOf(loud)) === 3);
    await rests(quiet);
    assert.deepEqual([await sentOf(quiet), await sentOf(windowed)], [0, 0]);
  });

  test('nothing is leased before its time', async () => {
    const ref = await build({ contacts: 20, inHours: 24, spread_minutes: 2 });
    const wanted = [{ lane: 'other', limit: 10 }] as const;
    const lease = () => leaseChunk(pipelined, ref, 1, wanted, []);
    const leaseFrom = () => leaseChunkFrom(pipelined, ref, 1, [{ ...wanted[0], from: 0 }]);
    assert.deepEqual([await lease(), await leaseFrom()], [undefined, undefined]);
    const [first] = await chunksOf(ref);
    await letCome(ref, first!.not_before!);
    const leased = await leaseFrom();
    assert.equal(leased?.lease.firstSeq, 1);
    assert.equal(await leaseFrom(), undefined);
    // No worker with this id is alive: another takes over what it had, and only that.
    const taken = await leaseChunk(pipelined, ref, 2, wanted, []);
    assert.deepEqual([taken?.lease.firstSeq, taken?.recipients.length], [1, 0]);
    const held = [taken!.lease.firstSeq];
    assert.equal(await leaseChunk(pipelined, ref, 2, wanted, held), undefined);
    assert.equal((await countAccounts(owner, ref.sendId)).counters.uncertain, 10);
    assertBalanced(await countAccounts(owner, ref.sendId));
    // So that no worker of another test continues it.
    await inOrganization(app, ref.organizationId, (trx) => cancelSend(trx, ref.sendId));
  });

  test('a send of a dead worker goes on, and its later messages wait', async () => {
    const ref = await build({ contacts: 20, inHours: 24, spread_minutes: 2 });
    const [first] = await chunksOf(ref);
    await letCome(ref, first!.not_before!);
    const [due] = await chunksOf(ref);
    await leaseChunk(pipelined, ref, 1, [{ lane: 'other', limit: 4 }], []);
    const watch = watchAccounts(owner, ref.sendId);
    start();
    await waitUntil('its messages are sent', async () => (await sentOf(ref)) === 10);
    await rests(ref);
    await watch.stop();
    assert.equal(sink.taken.length, 10);
    // The Date of repeats is that of the first copies: the time of their chunk.
    const date = new Date(Math.floor(Date.parse(due!.not_before!) / 1_000) * 1_000).toISOString();
    assert.deepEqual(new Set(sink.taken.map((taken) => new Date(taken.date).toISOString())), new Set([date]));
  });

  test('a retry does not wait for later messages, and has the Date of its chunk', async () => {
    const ref = await build({ contacts: 4, inHours: 24, spread_minutes: 2 });
    sink.refuse = () => ({ code: 450, text: '4.2.1 greylisted' });
    const [first] = await chunksOf(ref);
    await letCome(ref, first!.not_before!);
    const [due, later] = await chunksOf(ref);
    start();
    const retryAt = Date.parse(await rests(ref));
    assert.ok(retryAt <= Date.parse(later!.not_before!) + 20_000);
    sink.refuse = () => undefined;
    await letQueuedBeDue(owner, ref.sendId);
    await waitUntil('both are sent', async () => (await sentOf(ref)) === 2);
    assert.equal(await rests(ref), later!.not_before);
    const seconds = (at: string) => Math.floor(Date.parse(at) / 1_000);
    assert.deepEqual(
      sink.taken.map(({ date }) => seconds(date)),
      [due, due].map((chunk) => seconds(chunk!.not_before!)),
    );
  });

  test('a waiting send costs nothing', async () => {
    const ref = await build({ contacts: 20, inHours: 24, spread_minutes: 20 });
    start();
    await rests(ref);
    const version = async () =>
      (
        await rowsOf<{ xmin: string }>(owner)`
          select xmin::text from touchpoint_sends where id = ${ref.sendId}`
      )[0]!.xmin;
    const unchanged = await version();
    for (let look = 0; look < 5; look += 1) {
      await wake();
      await delay(300);
      assert.equal(await isDue(ref), false);
    }
    assert.equal(await version(), unchanged);
    assert.deepEqual(
      (await listStuckSends(app)).filter(({ sendId }) => sendId === ref.sendId),
      [],
    );
    // One that is due although nothing is free is scheduled again with one look.
    await execute(owner)`update touchpoint_sends set next_due_at = now() where id = ${ref.sendId}`;
    await wake();
    assert.equal(await rests(ref), ref.planned);
  });

  test('a paused send keeps its times, and a cancelled one gives them up', async () => {
    const ref = await build({ contacts: 20, inHours: 24, spread_minutes: 2 });
    const change = (verb: typeof pauseSend) =>
      inOrganization(app, ref.organizationId, (trx) => verb(trx, ref.sendId));
    const watch = watchAccounts(owner, ref.sendId);
    start();
    await rests(ref);
    await change(pauseSend);
    const [first] = await chunksOf(ref);
    await letCome(ref, first!.not_before!);
    await delay(300);
    assert.equal(sink.taken.length, 0);
    await change(resumeSend);
    await waitUntil('what was due is sent', async () => (await sentOf(ref)) === 10);
    const [, later] = await chunksOf(ref);
    assert.equal(await rests(ref), later!.not_before);
    await change(pauseSend);
    await change(resumeSend);
    assert.equal(await rests(ref), later!.not_before);
    await change(cancelSend);
    const ended = await waitUntil('it ends', async () => {
      const accounts = await countAccounts(owner, ref.sendId);
      return accounts.hasEnded ? accounts : undefined;
    });
    await watch.stop();
    assert.deepEqual([ended.status, ended.counters.sent, ended.counters.cancelled], ['cancelled', 10, 10]);
    assertBalanced(ended);
  });

  test('a follow-up waits for the end of quiet hours, and for nothing else of its parent', async () => {
    const local = (ms: number) => new Date(Date.now() + ms).toISOString().slice(11, 16);
    const ref = await build({ contacts: 4, zoneOf, inHours: 0, spread_minutes: 60 * 24 });
    sink.refuse = () => ({ code: 554, text: '5.7.1 no' });
    start();
    await letCome(ref, new Date(Date.now() + 2 * dayMs).toISOString());
    await waitUntil('all have failed', async () => (await countAccounts(owner, ref.sendId)).hasEnded);
    const accounts = await countAccounts(owner, ref.sendId);
    assert.equal(accounts.counters.failed, 4);
    for (const worker of workers) await worker.stop();
    const quietEnd = local(2 * hourMs);
    await execute(owner)`
      update brands set quiet_hours_start = ${local(-hourMs)}, quiet_hours_end = ${quietEnd}`;
    const userId = newId();
    await insertRows(owner, 'users', {
      id: userId,
      full_name: 'Ada',
      email: `${userId}@x.example`,
    });
    const sendId = await inOrganization(app, ref.organizationId, (trx) =>
      startFollowUp(trx, ref.sendId, { userId, immediately: true, policies: mailboxPolicies }),
    );
    const followUp = { organizationId: ref.organizationId, sendId };
    assert.ok(await prepareSend(app, mailboxPolicies, followUp));
    const chunks = await chunksOf(followUp);
    assert.deepEqual(
      chunks.map(({ last_seq, not_before }) => [last_seq, not_before?.slice(11, 16)]),
      [[4, quietEnd]],
    );
  });
});
