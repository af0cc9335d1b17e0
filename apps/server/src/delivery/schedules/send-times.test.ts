import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { sql } from 'kysely';
import type { Schedule, SchedulePreview } from '@reachout/contract/schedules.ts';
import type { Review } from '@reachout/contract/touchpoints.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildReadyEmail, type ReadyEmail } from '../../testing/ready-email.ts';
import { getRow } from '../../testing/rows.ts';

const hourMs = 3_600_000;

suite('times of sends', () => {
  const app = useSharedApp();
  let email: ReadyEmail;
  let owner: Person;

  before(async () => {
    email = await buildReadyEmail(app, { contacts: 12 });
    owner = email.person;
    await owner.ok('PATCH', `/api/filters/${email.filterId}`, {
      field_mapping: { email: 'email', unsubscribed: 'unsubscribed', time_zone: 'city' },
    });
    await sql`
      update content_items
      set data = data || jsonb_build_object('city', (array['Asia/Tokyo', 'America/New_York', 'Nowhere'])[1 + right(id, 1)::int % 3])
      where organization_id = ${email.organizationId} and collection = 'contacts'`.execute(app.owner);
  });

  const preview = (body: object, as = owner) =>
    as.request<SchedulePreview>('POST', `/api/touchpoints/${email.touchpointId}/schedules/preview`, body);
  const create = (body: object, of = email) =>
    of.person.request<Schedule>('POST', `/api/touchpoints/${of.touchpointId}/schedules`, body);
  const review = async () => await owner.ok<Review>('GET', `/api/touchpoints/${email.touchpointId}/review`);
  const setQuietHours = (body: object) =>
    owner.request<{ quiet_hours_start: string | null }>('PATCH', `/api/brands/${email.brandId}`, body);
  const noQuietHours = { quiet_hours_start: null, quiet_hours_end: null };
  const local = (at: string | number) => new Date(at).toISOString().slice(11, 16);

  /** 9:00 in Berlin, some days from now. */
  const berlin = Temporal.Now.zonedDateTimeISO('Europe/Berlin').add({ days: 3 }).withPlainTime('09:00');
  const toText = (time: Temporal.ZonedDateTime) => time.toInstant().toString({ smallestUnit: 'millisecond' });
  const planned = { start_date: toText(berlin), time_zone: 'Europe/Berlin' };
  const there = (zone: string) => toText(berlin.toPlainDateTime().toZonedDateTime(zone));

  test('a preview says when messages start, and for how many', async () => {
    const { status, body } = await preview({ ...planned, contact_time_zones: true, spread_minutes: 60 });
    assert.equal(status, 200, JSON.stringify(body));
    const { recipients, ...rest } = body;
    const perZone = Object.fromEntries(recipients!.zones.map((zone) => [zone.time_zone, zone]));
    assert.deepEqual(
      [recipients!.count, recipients!.past, recipients!.without_zone, recipients!.zones_more],
      [12, 0, 12 - perZone['Asia/Tokyo']!.count - perZone['America/New_York']!.count, 0],
    );
    assert.equal(perZone['Asia/Tokyo']!.first_at, there('Asia/Tokyo'));
    assert.equal(perZone['America/New_York']!.first_at, there('America/New_York'));
    const lastMinute = Date.parse(there('America/New_York')) + 50 * 60_000;
    assert.deepEqual(rest, {
      first_at: there('Asia/Tokyo'),
      last_at: new Date(lastMinute).toISOString(),
      quiet_hours: null,
    });

    const plain = await preview(planned);
    assert.deepEqual(plain.body, {
      first_at: planned.start_date,
      last_at: planned.start_date,
      recipients: { count: 12, past: 0, without_zone: 0, zones: [], zones_more: 0 },
      quiet_hours: null,
    });
  });

  test('a preview counts those whose hour has passed', async () => {
    const soon = new Date(Date.now() + hourMs).toISOString();
    const { body } = await preview({ start_date: soon, time_zone: 'UTC', contact_time_zones: true });
    const tokyo = body.recipients?.zones.find(({ time_zone }) => time_zone === 'Asia/Tokyo');
    assert.equal(body.recipients?.past, tokyo?.count);
    assert.ok(Math.abs(Date.parse(body.first_at) - Date.now()) < 60_000);
  });

  test('numbers of contacts are only for those who may read them', async () => {
    const { status, body } = await preview(planned);
    assert.equal(status, 200);
    assert.ok(body.recipients !== null);
    assertProblem(
      await preview(planned, await app.signInMember(email.organizationId, 'analyst')),
      403,
      'forbidden',
    );
  });

  test('times are checked', async () => {
    assertInvalid(await preview({ ...planned, window_start: '09:00' }), 'window_end');
    assertInvalid(await preview({ ...planned, window_start: '09:00', window_end: '09:00' }), 'window_end');
    assertInvalid(await preview({ ...planned, window_start: '9:00', window_end: '25:00' }), 'window_start');
    assertInvalid(await preview({ ...planned, spread_minutes: 0 }), 'spread_minutes');
    assertInvalid(await preview({ ...planned, spread_minutes: 10_081 }), 'spread_minutes');
    const long = { ...planned, spread_minutes: 10_080, window_start: '09:00', window_end: '10:00' };
    assertInvalid(await preview(long), 'spread_minutes');
    assertInvalid(await create(long), 'spread_minutes');
  });

  test('a schedule keeps its times, and its send starts where the day does', async () => {
    const other = await buildReadyEmail(app);
    const times = {
      contact_time_zones: true,
      spread_minutes: 30,
      window_start: '08:00',
      window_end: '20:00',
    };
    const { status, body } = await create({ ...planned, ...times }, other);
    assert.equal(status, 201, JSON.stringify(body));
    const { contact_time_zones, spread_minutes, window_start, window_end, next } = body;
    assert.deepEqual({ contact_time_zones, spread_minutes, window_start, window_end }, times);
    assert.deepEqual(
      [next?.send_date, next?.scheduled_date],
      [there('Pacific/Kiritimati'), planned.start_date],
    );
    const { touchpointId, person } = other;
    const touchpoint = await person.request<{ scheduled_date: string }>(
      'GET',
      `/api/touchpoints/${touchpointId}`,
    );
    assert.equal(touchpoint.body.scheduled_date, planned.start_date);

    const change = (changes: object) =>
      app.request<Schedule>('PATCH', `/api/schedules/${body.id}`, {
        body: { start_date: toText(berlin.add({ days: 1 })), time_zone: 'Europe/Berlin', ...changes },
        as: person,
      });
    const moved = await change({});
    assert.equal(moved.body.spread_minutes, 30);
    assert.equal(moved.body.next?.scheduled_date, toText(berlin.add({ days: 1 })));
    assert.ok(moved.body.next.send_date < moved.body.next.scheduled_date);
    const changed = await change({
      contact_time_zones: false,
      spread_minutes: null,
      window_start: null,
      window_end: null,
    });
    assert.deepEqual([changed.body.spread_minutes, changed.body.window_end], [null, null]);
    assert.equal(changed.body.next?.send_date, changed.body.next?.scheduled_date);
    assertInvalid(await change({ window_start: '08:00' }), 'window_end');
  });

  test('the send of a time that comes soon starts now', async () => {
    const other = await buildReadyEmail(app);
    const start_date = new Date(Date.now() + 2 * hourMs).toISOString();
    const { body } = await create({ start_date, time_zone: 'UTC', contact_time_zones: true }, other);
    const send = await getRow(app.owner, 'touchpoint_sends', '*', { id: body.next!.send_id });
    assert.ok(Math.abs(Date.parse(send.send_date) - Date.now()) < 60_000);
    assert.equal(body.next?.scheduled_date, start_date);
  });

  test('quiet hours are two times, which a review mentions', async () => {
    assertInvalid(await setQuietHours({ quiet_hours_start: '22:00' }), 'quiet_hours_end');
    assertInvalid(
      await setQuietHours({ quiet_hours_start: '22:00', quiet_hours_end: '22:00' }),
      'quiet_hours_end',
    );
    assertInvalid(await setQuietHours({ quiet_hours_end: '22:00' }), 'quiet_hours_start');
    assertInvalid(await setQuietHours({ time_zone: 'Mars/Olympus' }), 'time_zone');
    assert.equal((await review()).quiet_until, null);
    const now = Date.now();
    const [start, end] = [local(now - hourMs), local(now + 2 * hourMs)];
    const set = await setQuietHours({ quiet_hours_start: start, quiet_hours_end: end, time_zone: 'UTC' });
    assert.equal(set.body.quiet_hours_start, start);
    const { quiet_until, checks } = await review();
    assert.equal(local(quiet_until!), end);
    const note = checks.find(({ check }) => check === 'quiet_hours');
    assert.equal(note?.level, 'note');
    assert.match(note.message ?? '', new RegExp(`start at ${end} \\(UTC\\)`));

    const { body } = await preview(planned);
    assert.deepEqual(body.quiet_hours, { start, end });
    assert.equal((await setQuietHours({ quiet_hours_start: '03:00' })).status, 200);
    assert.equal((await setQuietHours(noQuietHours)).body.quiet_hours_start, null);
  });
});
