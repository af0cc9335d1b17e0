import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { maxSpreadMinutes } from '../schedules.ts';
import {
  earliestStart,
  hasOpenTime,
  isShort,
  listStarts,
  plannedFor,
  projectedEnd,
  type SendTimes,
} from './send-times.ts';

const plain: SendTimes = {
  time_zone: 'Europe/Berlin',
  contact_time_zones: false,
  spread_minutes: null,
  window: null,
  quiet_hours: null,
};
const hours = (text: string) => ({ start: text.slice(0, 5), end: text.slice(6) });

suite('when a message starts', () => {
  /** What is planned in the zone of the schedule, its options, the zone of the contact, and when the first message starts. */
  type Row = [
    planned: string,
    options: Partial<Record<'in' | 'window' | 'quiet' | 'now', string>>,
    contact: string | null,
    at: string,
  ];
  const own: Row[] = [
    // 9:00 in Berlin, summer and winter, in the zones of contacts.
    ['2027-07-01T09:00', {}, 'Europe/Berlin', '2027-07-01T07:00Z'],
    ['2027-07-01T09:00', {}, null, '2027-07-01T07:00Z'],
    ['2027-07-01T09:00', {}, 'UTC', '2027-07-01T09:00Z'],
    ['2027-07-01T09:00', {}, 'Europe/London', '2027-07-01T08:00Z'],
    ['2027-01-05T09:00', {}, 'Europe/London', '2027-01-05T09:00Z'],
    ['2027-07-01T09:00', {}, 'America/New_York', '2027-07-01T13:00Z'],
    ['2027-01-05T09:00', {}, 'America/New_York', '2027-01-05T14:00Z'],
    ['2027-07-01T09:00', {}, 'Pacific/Kiritimati', '2027-06-30T19:00Z'],
    ['2027-07-01T09:00', {}, 'Pacific/Auckland', '2027-06-30T21:00Z'],
    ['2027-01-05T09:00', {}, 'Pacific/Auckland', '2027-01-04T20:00Z'],
    ['2027-07-01T09:00', {}, 'Asia/Tokyo', '2027-07-01T00:00Z'],
    ['2027-07-01T09:00', {}, 'Pacific/Pago_Pago', '2027-07-01T20:00Z'],
    ['2027-07-01T09:00', {}, 'Pacific/Honolulu', '2027-07-01T19:00Z'],
    ['2027-07-01T09:00', {}, 'Etc/GMT+12', '2027-07-01T21:00Z'],
    // Half and quarter hours, and the former name of a zone.
    ['2027-07-01T09:00', {}, 'Asia/Kolkata', '2027-07-01T03:30Z'],
    ['2027-07-01T09:00', {}, 'Asia/Calcutta', '2027-07-01T03:30Z'],
    ['2027-07-01T09:00', {}, 'Asia/Kathmandu', '2027-07-01T03:15Z'],
    ['2027-07-01T09:00', {}, 'America/St_Johns', '2027-07-01T11:30Z'],
    ['2027-07-01T09:00', {}, 'Australia/Adelaide', '2027-06-30T23:30Z'],
    ['2027-07-01T09:00', {}, 'Pacific/Chatham', '2027-06-30T20:15Z'],
    // Clocks are set forward: Berlin on 28 March, New York on 14 March 2027.
    ['2027-03-14T02:30', {}, 'America/New_York', '2027-03-14T07:30Z'],
    ['2027-03-14T03:00', {}, 'America/New_York', '2027-03-14T07:00Z'],
    ['2027-03-14T01:59', {}, 'America/New_York', '2027-03-14T06:59Z'],
    ['2027-03-28T02:30', { in: 'America/New_York' }, 'Europe/Berlin', '2027-03-28T01:30Z'],
    ['2027-03-28T02:30', { in: 'America/New_York' }, null, '2027-03-28T06:30Z'],
    ['2027-03-28T09:00', { in: 'America/New_York' }, 'Europe/Berlin', '2027-03-28T07:00Z'],
    // And back: Berlin on 31 October, New York on 7 November 2027. The first of two is meant.
    ['2027-10-31T02:30', { in: 'America/New_York' }, 'Europe/Berlin', '2027-10-31T00:30Z'],
    ['2027-11-07T01:30', {}, 'America/New_York', '2027-11-07T05:30Z'],
    ['2027-11-07T02:00', {}, 'America/New_York', '2027-11-07T07:00Z'],
    // Half an hour is set on Lord Howe, on 3 October 2027.
    ['2027-10-03T02:15', {}, 'Australia/Lord_Howe', '2027-10-02T15:45Z'],
    // The hour has passed for contacts in the east: at once.
    ['2027-07-01T09:00', { now: '2027-07-01T06:59Z' }, 'Asia/Tokyo', '2027-07-01T06:59Z'],
    ['2027-07-01T09:00', { now: '2027-07-01T06:59Z' }, null, '2027-07-01T07:00Z'],
    ['2027-07-01T09:00', { now: '2027-07-01T07:00:01Z' }, null, '2027-07-01T07:00:01Z'],
    ['2027-07-01T09:00', { now: '2027-07-01T12:00Z' }, 'America/New_York', '2027-07-01T13:00Z'],
    // But not in their quiet hours, or outside of their window.
    [
      '2027-07-01T22:00',
      { now: '2027-07-01T15:00Z', quiet: '21:00-08:00' },
      'Asia/Tokyo',
      '2027-07-01T23:00Z',
    ],
    [
      '2027-07-01T09:00',
      { now: '2027-07-01T12:00Z', window: '09:00-17:00' },
      'Asia/Tokyo',
      '2027-07-02T00:00Z',
    ],
    [
      '2027-07-01T09:00',
      { now: '2027-07-01T12:00Z', window: '09:00-17:00' },
      'America/New_York',
      '2027-07-01T13:00Z',
    ],
    // Windows and quiet hours of each zone.
    ['2027-07-01T06:00', { window: '08:00-18:00' }, 'America/New_York', '2027-07-01T12:00Z'],
    ['2027-07-01T06:00', { window: '08:00-18:00' }, null, '2027-07-01T06:00Z'],
    ['2027-07-01T18:00', { window: '08:00-18:00' }, null, '2027-07-02T06:00Z'],
    ['2027-07-01T17:59', { window: '08:00-18:00' }, null, '2027-07-01T15:59Z'],
    ['2027-07-01T12:00', { window: '22:00-02:00' }, null, '2027-07-01T20:00Z'],
    ['2027-07-01T23:30', { window: '22:00-02:00' }, null, '2027-07-01T21:30Z'],
    ['2027-07-02T01:30', { window: '22:00-02:00' }, null, '2027-07-01T23:30Z'],
    ['2027-07-02T02:00', { window: '22:00-02:00' }, null, '2027-07-02T20:00Z'],
    ['2027-07-01T23:00', { quiet: '21:00-08:00' }, null, '2027-07-02T06:00Z'],
    ['2027-07-01T21:00', { quiet: '21:00-08:00' }, null, '2027-07-02T06:00Z'],
    ['2027-07-01T08:00', { quiet: '21:00-08:00' }, null, '2027-07-01T06:00Z'],
    ['2027-07-01T07:59', { quiet: '21:00-08:00' }, null, '2027-07-01T06:00Z'],
    ['2027-07-01T12:30', { quiet: '12:00-13:00' }, 'Asia/Kolkata', '2027-07-01T07:30Z'],
    ['2027-07-01T06:00', { window: '07:00-20:00', quiet: '21:00-08:00' }, null, '2027-07-01T06:00Z'],
    ['2027-07-01T19:00', { window: '18:00-23:00', quiet: '18:30-22:00' }, null, '2027-07-01T20:00Z'],
    // A window within quiet hours would exclude everybody: the quiet hours alone apply.
    ['2027-07-01T22:00', { window: '22:00-23:00', quiet: '21:00-08:00' }, null, '2027-07-02T06:00Z'],
    // Hours on days on which clocks are set.
    ['2027-03-28T01:00', { quiet: '21:00-02:30' }, null, '2027-03-28T01:30Z'],
    ['2027-10-31T01:00', { quiet: '21:00-02:30' }, null, '2027-10-31T00:30Z'],
    ['2027-03-28T01:00', { window: '02:00-03:00' }, null, '2027-03-29T00:00Z'],
    ['2027-03-27T22:00', { quiet: '21:00-08:00' }, null, '2027-03-28T06:00Z'],
    ['2027-11-06T22:00', { in: 'America/New_York', quiet: '21:00-08:00' }, null, '2027-11-07T13:00Z'],
  ];
  for (const [planned, { in: zone = 'Europe/Berlin', window, quiet, now }, contact, at] of own)
    test([planned, zone, window, quiet && `not ${quiet}`, now, contact].filter(Boolean).join(' '), () => {
      const local = Temporal.PlainDateTime.from(planned);
      const instant = local.toZonedDateTime(zone).toInstant().toString();
      const times: SendTimes = {
        ...plain,
        time_zone: zone,
        contact_time_zones: true,
        window: window === undefined ? null : hours(window),
        quiet_hours: quiet === undefined ? null : hours(quiet),
      };
      const moment = { planned: instant, now: now ?? '2027-01-01T00:00Z' };
      assert.deepEqual(listStarts(times, moment, contact), [new Date(at).toISOString()]);
    });
});

suite('a spread', () => {
  const planned = '2027-07-01T07:00:00.000Z';
  const moment = { planned, now: planned };
  const startsOf = (times: Partial<SendTimes>, zone: string | null = null) =>
    listStarts({ ...plain, ...times }, moment, zone);
  const minutesOf = (times: Partial<SendTimes>) =>
    startsOf(times).map((at) => (Date.parse(at) - Date.parse(planned)) / 60_000);

  test('is even', () => {
    assert.deepEqual(minutesOf({ spread_minutes: 4 }), [0, 1, 2, 3]);
    assert.deepEqual(minutesOf({ spread_minutes: 1 }), [0]);
    assert.equal(minutesOf({ spread_minutes: 300 }).length, 300);
    assert.deepEqual(minutesOf({ spread_minutes: 600 }).slice(0, 3), [0, 2, 4]);
  });

  test('has a bounded number of steps', () => {
    for (const spread_minutes of [1, 59, 60, 301, 1_440, 9_999, maxSpreadMinutes])
      for (const contact_time_zones of [false, true]) {
        const starts = startsOf({ spread_minutes, contact_time_zones });
        assert.ok(starts.length <= 300);
        assert.deepEqual(starts, starts.toSorted());
        assert.ok(Date.parse(starts.at(-1)!) < Date.parse(planned) + spread_minutes * 60_000);
      }
  });

  test('rests while no message may start', () => {
    // 9:00 in Berlin: three hours until noon, then the next day from 9:00.
    const window = hours('09:00-12:00');
    const starts = startsOf({ spread_minutes: 300, window });
    assert.equal(starts[179], '2027-07-01T09:59:00.000Z');
    assert.equal(starts[180], '2027-07-02T07:00:00.000Z');
    assert.equal(starts[299], '2027-07-02T08:59:00.000Z');
    const end = (spread_minutes: number) => projectedEnd({ ...plain, window, spread_minutes }, moment, null);
    assert.equal(end(180), '2027-07-01T10:00:00.000Z');
    assert.equal(end(300), '2027-07-02T09:00:00.000Z');
    assert.equal(end(360), '2027-07-02T10:00:00.000Z');
  });

  test('rests in quiet hours of the zone of the contact', () => {
    const times = { contact_time_zones: true, spread_minutes: 120, quiet_hours: hours('10:00-11:00') };
    const starts = startsOf(times, 'America/New_York');
    assert.equal(starts[0], '2027-07-01T13:00:00.000Z');
    const last = starts.filter((at) => at < '2027-07-01T14:00');
    assert.equal(last.length, starts.length / 2);
    assert.equal(starts[last.length], '2027-07-01T15:00:00.000Z');
  });

  test('of a time that has passed begins now', () => {
    const now = '2027-07-01T12:00:00.000Z';
    assert.deepEqual(listStarts({ ...plain, spread_minutes: 2 }, { planned, now }, null), [
      now,
      '2027-07-01T12:01:00.000Z',
    ]);
  });

  test('that would take months is not short', () => {
    const window = hours('09:00-10:00');
    assert.ok(isShort({ ...plain, spread_minutes: 1_440, window }, planned));
    assert.ok(!isShort({ ...plain, spread_minutes: maxSpreadMinutes, window }, planned));
    assert.ok(isShort({ ...plain, spread_minutes: maxSpreadMinutes }, planned));
    const tiny = { ...plain, spread_minutes: maxSpreadMinutes, window: hours('09:00-09:01') };
    assert.equal(listStarts(tiny, moment, null).length, 168);
  });
});

test('a send in the zones of contacts begins where the day does', () => {
  const planned = '2027-07-01T07:00:00.000Z';
  const inZones = { ...plain, contact_time_zones: true };
  assert.equal(earliestStart(planned, plain), planned);
  assert.equal(earliestStart(planned, inZones), '2027-06-30T19:00:00.000Z');
  for (const zone of Intl.supportedValuesOf('timeZone'))
    assert.ok(plannedFor(planned, inZones, zone) >= earliestStart(planned, inZones), zone);
});

test('a window within quiet hours has no open time', () => {
  const isOpen = (window: string, quiet: string) => hasOpenTime(hours(window), hours(quiet));
  assert.ok(!isOpen('22:00-23:00', '21:00-08:00'));
  assert.ok(!isOpen('23:00-01:00', '21:00-08:00'));
  assert.ok(!isOpen('21:00-08:00', '21:00-08:00'));
  assert.ok(isOpen('07:00-08:01', '21:00-08:00'));
  assert.ok(isOpen('20:59-21:00', '21:00-08:00'));
  assert.ok(hasOpenTime(null, hours('21:00-08:00')));
  assert.ok(hasOpenTime(hours('21:00-08:00'), null));
});
