import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { InvalidPeriod, listBuckets, readPeriod } from './period.ts';
import { periodUnits, type PeriodUnit } from './statistics.ts';

const berlin = 'Europe/Berlin';
// A Friday.
const now = new Date('2026-11-20T10:29:30.500Z');

const read = (text: string, timeZone = 'UTC', at = now) => readPeriod(text, { now: at, timeZone });
const spanOf = ({ start, end }: { start: Date; end: Date }) =>
  `${start.toISOString().replace(':00.000Z', 'Z')} ${end.toISOString().replace(':00.000Z', 'Z')}`;

suite('periods of units', () => {
  const spans: [string, string, string][] = [
    // The whole current period, compared with the same part of the previous one.
    ['1minute', '2026-11-20T10:29Z 2026-11-20T10:30Z', '2026-11-20T10:28Z 2026-11-20T10:28:30.500Z'],
    ['1hour', '2026-11-20T10:00Z 2026-11-20T11:00Z', '2026-11-20T09:00Z 2026-11-20T09:29:30.500Z'],
    ['1day', '2026-11-20T00:00Z 2026-11-21T00:00Z', '2026-11-19T00:00Z 2026-11-19T10:29:30.500Z'],
    ['1week', '2026-11-16T00:00Z 2026-11-23T00:00Z', '2026-11-09T00:00Z 2026-11-13T10:29:30.500Z'],
    ['1month', '2026-11-01T00:00Z 2026-12-01T00:00Z', '2026-10-01T00:00Z 2026-10-20T10:29:30.500Z'],
    ['1year', '2026-01-01T00:00Z 2027-01-01T00:00Z', '2025-01-01T00:00Z 2025-11-20T10:29:30.500Z'],
    // The previous period.
    ['-1minute', '2026-11-20T10:28Z 2026-11-20T10:29Z', '2026-11-20T10:27Z 2026-11-20T10:28Z'],
    ['-1hour', '2026-11-20T09:00Z 2026-11-20T10:00Z', '2026-11-20T08:00Z 2026-11-20T09:00Z'],
    ['-1day', '2026-11-19T00:00Z 2026-11-20T00:00Z', '2026-11-18T00:00Z 2026-11-19T00:00Z'],
    ['-1week', '2026-11-09T00:00Z 2026-11-16T00:00Z', '2026-11-02T00:00Z 2026-11-09T00:00Z'],
    ['-1month', '2026-10-01T00:00Z 2026-11-01T00:00Z', '2026-09-01T00:00Z 2026-10-01T00:00Z'],
    ['-1year', '2025-01-01T00:00Z 2026-01-01T00:00Z', '2024-01-01T00:00Z 2025-01-01T00:00Z'],
    // The last n periods, including the current one.
    ['60minute', '2026-11-20T09:30Z 2026-11-20T10:30Z', '2026-11-20T08:30Z 2026-11-20T09:29:30.500Z'],
    ['24hour', '2026-11-19T11:00Z 2026-11-20T11:00Z', '2026-11-18T11:00Z 2026-11-19T10:29:30.500Z'],
    ['7day', '2026-11-14T00:00Z 2026-11-21T00:00Z', '2026-11-07T00:00Z 2026-11-13T10:29:30.500Z'],
    ['2week', '2026-11-09T00:00Z 2026-11-23T00:00Z', '2026-10-26T00:00Z 2026-11-06T10:29:30.500Z'],
    ['3month', '2026-09-01T00:00Z 2026-12-01T00:00Z', '2026-06-01T00:00Z 2026-08-20T10:29:30.500Z'],
    ['5year', '2022-01-01T00:00Z 2027-01-01T00:00Z', '2017-01-01T00:00Z 2021-11-20T10:29:30.500Z'],
  ];
  for (const [text, current, previous] of spans)
    test(`${text} has its bounds and previous period`, () => {
      const period = read(text);
      assert.equal(spanOf(period), current);
      assert.equal(spanOf(period.previous), previous);
      assert.deepEqual(period.until, text.startsWith('-') ? period.end : now);
    });

  test('weeks start on Monday', () => {
    for (const at of ['2026-11-16T00:00:00Z', '2026-11-22T23:59:59Z'])
      assert.equal(spanOf(read('1week', 'UTC', new Date(at))), '2026-11-16T00:00Z 2026-11-23T00:00Z', at);
    assert.equal(
      spanOf(read('1week', 'UTC', new Date('2027-01-01T00:00:00Z'))),
      '2026-12-28T00:00Z 2027-01-04T00:00Z',
    );
  });

  test('days begin at midnight of the viewer’s zone', () => {
    const late = new Date('2026-11-20T23:30:00Z');
    assert.equal(spanOf(read('1day', berlin, late)), '2026-11-20T23:00Z 2026-11-21T23:00Z');
    assert.equal(spanOf(read('1day', 'America/New_York', late)), '2026-11-20T05:00Z 2026-11-21T05:00Z');
    assert.equal(spanOf(read('1hour', 'Asia/Kolkata', late)), '2026-11-20T23:30Z 2026-11-21T00:30Z');
  });

  test('days follow the calendar across clock changes', () => {
    const spring = new Date('2026-03-29T12:00:00Z');
    assert.equal(spanOf(read('1day', berlin, spring)), '2026-03-28T23:00Z 2026-03-29T22:00Z');
    assert.equal(spanOf(read('7day', berlin, spring)), '2026-03-22T23:00Z 2026-03-29T22:00Z');
    const autumn = new Date('2026-10-25T12:00:00Z');
    assert.equal(spanOf(read('1day', berlin, autumn)), '2026-10-24T22:00Z 2026-10-25T23:00Z');
    assert.equal(spanOf(read('1day', berlin, autumn).previous), '2026-10-23T22:00Z 2026-10-24T11:00Z');
    assert.equal(spanOf(read('1year', berlin, autumn)), '2025-12-31T23:00Z 2026-12-31T23:00Z');
  });

  test('days without midnight begin at their first moment', () => {
    const period = read('1day', 'Africa/Cairo', new Date('2026-04-24T12:00:00Z'));
    assert.equal(spanOf(period), '2026-04-23T22:00Z 2026-04-24T21:00Z');
  });

  test('invalid periods are rejected', () => {
    for (const text of [
      '',
      'day',
      '0day',
      '-2day',
      '-7day',
      '1001day',
      '99999day',
      '1.5day',
      '1days',
      '1Day',
      ' 1day',
      '1quarter',
      '1second',
      '+1day',
      '1day::',
      '60year',
    ])
      assert.throws(() => read(text), InvalidPeriod, text);
  });
});

suite('explicit ranges', () => {
  test('a range is compared with equal time before it', () => {
    const period = read('2026-11-01T10:15:30Z::2026-11-01T10:45:30.250Z');
    assert.equal(period.start.toISOString(), '2026-11-01T10:15:30.000Z');
    assert.equal(period.end.toISOString(), '2026-11-01T10:45:30.250Z');
    assert.equal(period.previous.start.toISOString(), '2026-11-01T09:45:29.750Z');
    assert.deepEqual(period.previous.end, period.start);
  });

  test('a running range ends now, like its comparison', () => {
    const period = read('2026-11-20T09:00Z::2026-11-22T09:00Z');
    assert.equal(spanOf(period), '2026-11-20T09:00Z 2026-11-22T09:00Z');
    assert.deepEqual(period.until, now);
    assert.equal(spanOf(period.previous), '2026-11-18T09:00Z 2026-11-18T10:29:30.500Z');
    const future = read('2026-12-01::2026-12-02');
    assert.deepEqual(future.until, future.start);
  });

  test('ranges accept offsets, local times and whole days', () => {
    assert.equal(
      spanOf(read('2026-11-01T10:00+01:00::2026-11-01T05:00-05:00', berlin)),
      '2026-11-01T09:00Z 2026-11-01T10:00Z',
    );
    assert.equal(
      spanOf(read('2026-11-01T10:00::2026-11-01T12:00:00', berlin)),
      '2026-11-01T09:00Z 2026-11-01T11:00Z',
    );
    assert.equal(spanOf(read('2026-10-25::2026-10-25', berlin)), '2026-10-24T22:00Z 2026-10-25T23:00Z');
    assert.equal(spanOf(read('2026-10-01::2026-10-31', berlin)), '2026-09-30T22:00Z 2026-10-31T23:00Z');
  });

  test('reversed and invalid ranges are rejected', () => {
    for (const text of [
      '2026-11-01T10:00Z::2026-11-01T10:00Z',
      '2026-11-02::2026-11-01',
      '2026-02-30::2026-03-01',
      '2026-13-01::2027-03-01',
      '2026-11-01T24:30Z::2026-11-02',
      '2026-11-01T10:60Z::2026-11-02',
      '2026-11-01',
      '::2026-11-01',
      '2026-11-01::',
      '2026-11-01::2026-11-02::2026-11-03',
      'yesterday::today',
      '1969-01-01::1970-02-01',
      '2026-01-01::2300-01-01',
    ])
      assert.throws(() => read(text), InvalidPeriod, text);
  });
});

suite('chart granularity', () => {
  const granularities: [string, PeriodUnit][] = [
    ['1minute', 'minute'],
    ['1hour', 'hour'],
    ['1day', 'hour'],
    ['-1day', 'hour'],
    ['1week', 'day'],
    ['-1week', 'day'],
    ['1month', 'day'],
    ['-1month', 'day'],
    ['1year', 'month'],
    ['-1year', 'month'],
    ['30minute', 'minute'],
    ['24hour', 'hour'],
    ['7day', 'day'],
    ['4week', 'week'],
    ['12month', 'month'],
    ['3year', 'year'],
    ['2026-01-01T00:00Z::2026-01-01T01:00:00Z', 'minute'],
    ['2026-01-01T00:00Z::2026-01-01T01:00:00.001Z', 'hour'],
    ['2026-01-01T00:00Z::2026-01-03T00:00:00Z', 'hour'],
    ['2026-01-01T00:00Z::2026-01-03T00:00:00.001Z', 'day'],
    ['2026-01-01T00:00Z::2026-04-01T00:00:00Z', 'day'],
    ['2026-01-01T00:00Z::2026-04-01T00:00:00.001Z', 'month'],
    ['2026-01-01T00:00Z::2028-01-01T00:00:00Z', 'month'],
    ['2026-01-01T00:00Z::2028-01-01T00:00:00.001Z', 'year'],
  ];
  for (const [text, granularity] of granularities)
    test(`${text} has the granularity ${granularity}`, () => {
      assert.equal(read(text).granularity, granularity);
    });

  test('calendar days count, also with 25 hours', () => {
    assert.equal(read('2026-09-01::2026-11-29', berlin).granularity, 'day');
    assert.equal(read('2026-09-01::2026-11-30', berlin).granularity, 'month');
    assert.equal(read('2026-10-31T00:00::2028-10-31T00:00', berlin).granularity, 'month');
  });
});

suite('chart buckets', () => {
  test('buckets of a running period end now', () => {
    const { start, until, granularity } = read('1day', berlin, new Date('2026-11-19T23:40:00Z'));
    const hours = listBuckets({ start, end: until }, granularity, berlin);
    assert.deepEqual(hours, [new Date('2026-11-19T23:00:00Z')]);
  });

  const list = (text: string, timeZone: string, at = now) => {
    const period = read(text, timeZone, at);
    return listBuckets(period, period.granularity, timeZone);
  };

  test('a period has as many buckets as units', () => {
    assert.equal(list('1day', berlin).length, 24);
    assert.equal(list('1week', berlin).length, 7);
    assert.equal(list('1month', berlin).length, 30);
    assert.equal(list('1year', berlin).length, 12);
    assert.equal(list('60minute', berlin).length, 60);
    assert.equal(list('90day', berlin).length, 90);
    assert.equal(list('3week', berlin).length, 3);
  });

  test('days of clock changes have 23 and 25 buckets', () => {
    for (const [at, count] of [
      ['2026-03-29T12:00:00Z', 23],
      ['2026-10-25T12:00:00Z', 25],
    ] as const) {
      const buckets = list('1day', berlin, new Date(at));
      assert.equal(buckets.length, count);
      for (const [index, bucket] of buckets.entries())
        assert.equal(bucket.getTime() - buckets[0]!.getTime(), index * 3_600_000);
    }
  });

  test('buckets begin at midnight of the zone', () => {
    assert.deepEqual(
      list('2day', berlin, new Date('2026-10-26T12:00:00Z')).map((bucket) => bucket.toISOString()),
      ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    );
  });

  test('the first bucket includes the start of the range', () => {
    assert.deepEqual(
      list('2026-11-01T10:20Z::2026-11-01T12:20Z', 'UTC').map((bucket) => bucket.toISOString().slice(11, 16)),
      ['10:00', '11:00', '12:00'],
    );
  });

  test('half-hour clock changes keep every hour', () => {
    const buckets = list('1day', 'Australia/Lord_Howe', new Date('2026-04-05T01:00:00Z'));
    assert.equal(new Set(buckets.map(Number)).size, buckets.length);
    assert.ok(buckets.length >= 24 && buckets.length <= 26);
  });
});

// The engine that runs the tests supports Temporal; not all browsers do yet.
test('periods match Temporal at every clock change', () => {
  const zones = [
    'UTC',
    berlin,
    'America/New_York',
    'America/Sao_Paulo',
    'Africa/Cairo',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'America/St_Johns',
    'Asia/Beirut',
  ];
  for (const timeZone of zones) {
    let transition: Temporal.ZonedDateTime | null =
      Temporal.Instant.from('2010-01-01T00:00Z').toZonedDateTimeISO(timeZone);
    for (
      ;
      transition !== null && transition.year < 2027;
      transition = transition.getTimeZoneTransition('next')
    ) {
      for (const hours of [-25, -1, 0, 1, 25]) {
        const local: Temporal.ZonedDateTime = transition.add({ hours });
        const day: Temporal.PlainDate = local.toPlainDate();
        const starts: Record<string, Temporal.PlainDate> = {
          day,
          week: day.subtract({ days: day.dayOfWeek - 1 }),
          month: day.with({ day: 1 }),
          year: day.with({ month: 1, day: 1 }),
        };
        for (const [unit, date] of Object.entries(starts)) {
          const { start, end } = read(`1${unit}`, timeZone, new Date(local.epochMilliseconds));
          const next = date.add({ [`${unit}s`]: 1 });
          assert.equal(
            start.getTime(),
            date.toZonedDateTime(timeZone).epochMilliseconds,
            `${unit} of ${local.toString()}`,
          );
          assert.equal(
            end.getTime(),
            next.toZonedDateTime(timeZone).epochMilliseconds,
            `${unit} of ${local.toString()}`,
          );
        }
      }
    }
  }
});

test('every unit can form a period', () => {
  for (const unit of periodUnits) assert.ok(read(`2${unit}`).start < read(`2${unit}`).end);
});
