import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  findLatestOccurrence,
  findNextOccurrence,
  listOccurrences,
  presetRule,
  recurrenceFrom,
  recurrencePresets,
  resolveLocalTime,
  withoutEnd,
} from './recurrence.ts';

const berlin = 'Europe/Berlin';
const newYork = 'America/New_York';

/** The local times of the first occurrences in their zone. */
function listLocal(local: string, zone: string, rrule: string, count: number): string {
  const resolved = resolveLocalTime(local, zone);
  const found = listOccurrences({ start_date: resolved.at, time_zone: zone, rrule });
  return (found ?? ['none'])
    .slice(0, count)
    .map((at) =>
      at === 'none'
        ? at
        : Temporal.Instant.from(at)
            .toZonedDateTimeISO(zone)
            .toString({ smallestUnit: 'minute', timeZoneName: 'never' }),
    )
    .join(' ');
}

suite('occurrences of a schedule', () => {
  test('repetitions keep their local time in every zone', () => {
    for (const [start, zone, rule, expected] of [
      // The clock goes forward in Berlin on 28 March 2027, back on 31 October; in New York on 14 March and 7 November.
      [
        '2027-03-27T09:00',
        berlin,
        'FREQ=DAILY',
        '2027-03-27T09:00+01:00 2027-03-28T09:00+02:00 2027-03-29T09:00+02:00',
      ],
      [
        '2027-03-27T02:30',
        berlin,
        'FREQ=DAILY',
        '2027-03-27T02:30+01:00 2027-03-28T03:30+02:00 2027-03-29T02:30+02:00',
      ],
      [
        '2027-10-30T02:30',
        berlin,
        'FREQ=DAILY',
        '2027-10-30T02:30+02:00 2027-10-31T02:30+02:00 2027-11-01T02:30+01:00',
      ],
      [
        '2027-03-21T02:00',
        berlin,
        'FREQ=WEEKLY;BYDAY=SU',
        '2027-03-21T02:00+01:00 2027-03-28T03:00+02:00 2027-04-04T02:00+02:00',
      ],
      [
        '2027-03-13T02:30',
        newYork,
        'FREQ=DAILY',
        '2027-03-13T02:30-05:00 2027-03-14T03:30-04:00 2027-03-15T02:30-04:00',
      ],
      [
        '2027-11-06T01:30',
        newYork,
        'FREQ=DAILY',
        '2027-11-06T01:30-04:00 2027-11-07T01:30-04:00 2027-11-08T01:30-05:00',
      ],
      [
        '2027-03-13T09:00',
        newYork,
        'FREQ=WEEKLY;BYDAY=SA,SU',
        '2027-03-13T09:00-05:00 2027-03-14T09:00-04:00 2027-03-20T09:00-04:00',
      ],
      [
        '2027-03-27T09:00',
        'UTC',
        'FREQ=DAILY',
        '2027-03-27T09:00+00:00 2027-03-28T09:00+00:00 2027-03-29T09:00+00:00',
      ],
      [
        '2027-04-03T09:00',
        'Australia/Lord_Howe',
        'FREQ=DAILY',
        '2027-04-03T09:00+11:00 2027-04-04T09:00+10:30 2027-04-05T09:00+10:30',
      ],
      // The first occurrence is the first that matches the rule.
      [
        '2027-01-06T10:00',
        berlin,
        'FREQ=WEEKLY;BYDAY=TU',
        '2027-01-12T10:00+01:00 2027-01-19T10:00+01:00 2027-01-26T10:00+01:00',
      ],
      [
        '2027-01-09T10:00',
        berlin,
        'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
        '2027-01-11T10:00+01:00 2027-01-12T10:00+01:00 2027-01-13T10:00+01:00',
      ],
      [
        '2027-01-04T10:00',
        berlin,
        'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO',
        '2027-01-04T10:00+01:00 2027-01-18T10:00+01:00 2027-02-01T10:00+01:00',
      ],
      // Ends of months.
      [
        '2027-01-31T10:00',
        berlin,
        'FREQ=MONTHLY;BYMONTHDAY=31',
        '2027-01-31T10:00+01:00 2027-03-31T10:00+02:00 2027-05-31T10:00+02:00',
      ],
      [
        '2027-01-31T10:00',
        berlin,
        'FREQ=MONTHLY;BYMONTHDAY=-1',
        '2027-01-31T10:00+01:00 2027-02-28T10:00+01:00 2027-03-31T10:00+02:00',
      ],
      [
        '2027-01-29T10:00',
        berlin,
        'FREQ=MONTHLY;BYDAY=-1FR',
        '2027-01-29T10:00+01:00 2027-02-26T10:00+01:00 2027-03-26T10:00+01:00',
      ],
      [
        '2027-01-04T10:00',
        berlin,
        'FREQ=MONTHLY;BYDAY=5MO',
        '2027-03-29T10:00+02:00 2027-05-31T10:00+02:00 2027-08-30T10:00+02:00',
      ],
      [
        '2027-01-05T10:00',
        berlin,
        'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1',
        '2027-02-01T10:00+01:00 2027-03-01T10:00+01:00 2027-04-01T10:00+02:00',
      ],
      // Leap days.
      [
        '2028-02-29T10:00',
        berlin,
        'FREQ=YEARLY',
        '2028-02-29T10:00+01:00 2032-02-29T10:00+01:00 2036-02-29T10:00+01:00',
      ],
      [
        '2028-01-29T10:00',
        berlin,
        'FREQ=MONTHLY;BYMONTHDAY=29',
        '2028-01-29T10:00+01:00 2028-02-29T10:00+01:00 2028-03-29T10:00+02:00',
      ],
      [
        '2027-02-28T10:00',
        berlin,
        'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1',
        '2027-02-28T10:00+01:00 2028-02-29T10:00+01:00 2029-02-28T10:00+01:00',
      ],
      // Ends.
      ['2027-01-01T10:00', berlin, 'FREQ=DAILY;COUNT=2', '2027-01-01T10:00+01:00 2027-01-02T10:00+01:00'],
      [
        '2027-01-01T10:00',
        berlin,
        'FREQ=DAILY;UNTIL=20270102',
        '2027-01-01T10:00+01:00 2027-01-02T10:00+01:00',
      ],
      [
        '2027-01-01T10:00',
        berlin,
        'FREQ=DAILY;UNTIL=20270102T090000Z',
        '2027-01-01T10:00+01:00 2027-01-02T10:00+01:00',
      ],
      ['2027-01-01T10:00', berlin, 'FREQ=DAILY;UNTIL=20270102T085959Z', '2027-01-01T10:00+01:00'],
      [
        '2027-01-01T10:00',
        newYork,
        'FREQ=DAILY;UNTIL=20270102T150000Z',
        '2027-01-01T10:00-05:00 2027-01-02T10:00-05:00',
      ],
    ] as const)
      assert.equal(listLocal(start, zone, rule, 3), expected, `${start} ${zone} ${rule}`);
  });

  test('a rule keeps occurrences a day apart and bounded', () => {
    for (const rule of [
      '',
      'DAILY',
      'FREQ=HOURLY',
      'FREQ=SECONDLY;COUNT=1000',
      'FREQ=DAILY;BYHOUR=1,2,3',
      'FREQ=DAILY;BYMINUTE=0,30',
      'FREQ=DAILY;FREQ=DAILY',
      'FREQ=DAILY;COUNT=0',
      'FREQ=DAILY;COUNT=1000',
      'FREQ=DAILY;INTERVAL=0',
      'RRULE:FREQ=DAILY',
      'FREQ=DAILY\nDTSTART:20270101T000000Z',
      'FREQ=DAILY;X-EVIL=1',
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=DAILY;UNTIL=20200101',
      'FREQ=DAILY;UNTIL=20279901',
      'freq=daily',
    ])
      assert.equal(listLocal('2027-01-01T10:00', berlin, rule, 3), 'none', rule);
    const all = listOccurrences({
      start_date: '2027-01-01T10:00:00Z',
      time_zone: berlin,
      rrule: 'FREQ=DAILY',
    });
    assert.equal(all?.length, 500);
    assert.equal(all.at(-1), '2028-05-14T09:00:00.000Z');
  });

  test('the next occurrence is after the moment', () => {
    const daily = { start_date: '2027-01-01T10:00:00.000Z', time_zone: berlin, rrule: 'FREQ=DAILY;COUNT=3' };
    for (const [after, next] of [
      ['2026-12-01T00:00:00Z', '2027-01-01T10:00:00.000Z'],
      ['2027-01-01T10:00:00Z', '2027-01-02T10:00:00.000Z'],
      ['2027-01-02T09:59:59Z', '2027-01-02T10:00:00.000Z'],
      ['2027-01-03T10:00:00Z', undefined],
    ] as const)
      assert.equal(findNextOccurrence(daily, after), next, after);
    const once = { ...daily, rrule: null };
    assert.equal(findNextOccurrence(once, '2027-01-01T09:00:00Z'), daily.start_date);
    assert.equal(findNextOccurrence(once, daily.start_date), undefined);
  });

  test('of missed occurrences the latest waits', () => {
    for (const [start, zone, rule, now, latest] of [
      ['2027-01-01T10:00', berlin, 'FREQ=DAILY', '2027-01-01T08:59:59Z', undefined],
      ['2027-01-01T10:00', berlin, 'FREQ=DAILY', '2027-01-01T09:00:00Z', '2027-01-01T09:00:00.000Z'],
      ['2027-01-01T10:00', berlin, 'FREQ=DAILY', '2027-01-31T08:59:59Z', '2027-01-30T09:00:00.000Z'],
      ['2027-01-01T10:00', berlin, 'FREQ=DAILY;COUNT=3', '2027-01-31T00:00:00Z', '2027-01-03T09:00:00.000Z'],
      ['2027-03-27T02:30', berlin, 'FREQ=DAILY', '2027-03-28T02:00:00Z', '2027-03-28T01:30:00.000Z'],
      ['2027-10-30T02:30', berlin, 'FREQ=DAILY', '2027-10-31T02:00:00Z', '2027-10-31T00:30:00.000Z'],
      ['2027-03-13T09:00', newYork, 'FREQ=WEEKLY', '2027-03-20T13:00:00Z', '2027-03-20T13:00:00.000Z'],
      ['2028-02-29T10:00', berlin, 'FREQ=YEARLY', '2031-12-31T00:00:00Z', '2028-02-29T09:00:00.000Z'],
    ] as const) {
      const recurrence = { start_date: resolveLocalTime(start, zone).at, time_zone: zone, rrule: rule };
      assert.equal(findLatestOccurrence(recurrence, now), latest, `${start} ${rule} at ${now}`);
    }
  });

  test('what is left of a rule ends when the rule did', () => {
    for (const [start, rule, from, rest, last] of [
      ['2027-03-26T09:00', 'FREQ=DAILY;COUNT=5', 0, 'FREQ=DAILY;COUNT=5', '2027-03-30T09:00+02:00'],
      ['2027-03-26T09:00', 'FREQ=DAILY;COUNT=5', 2, 'FREQ=DAILY;COUNT=3', '2027-03-30T09:00+02:00'],
      ['2027-03-26T09:00', 'FREQ=DAILY;COUNT=5', 4, 'FREQ=DAILY;COUNT=1', '2027-03-30T09:00+02:00'],
      ['2027-10-29T02:30', 'COUNT=4;FREQ=DAILY', 2, 'COUNT=2;FREQ=DAILY', '2027-11-01T02:30+01:00'],
      [
        '2027-01-31T10:00',
        'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3',
        1,
        'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=2',
        '2027-03-31T10:00+02:00',
      ],
      ['2028-02-29T10:00', 'FREQ=YEARLY;COUNT=2', 1, 'FREQ=YEARLY;COUNT=1', '2032-02-29T10:00+01:00'],
      [
        '2027-01-05T10:00',
        'FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20270121',
        3,
        'FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20270121',
        '2027-01-21T10:00+01:00',
      ],
    ] as const) {
      const whole = { start_date: resolveLocalTime(start, berlin).at, time_zone: berlin, rrule: rule };
      const left = recurrenceFrom(whole, listOccurrences(whole)![from]!);
      assert.equal(left.rrule, rest);
      assert.deepEqual(listOccurrences(left), listOccurrences(whole)!.slice(from), rule);
      assert.equal(listLocal(start, berlin, rule, 9).split(' ').at(-1), last);
    }
    assert.deepEqual(
      ['FREQ=DAILY', 'FREQ=DAILY;COUNT=2', 'UNTIL=20270101;FREQ=WEEKLY;BYDAY=TU'].map(withoutEnd),
      ['FREQ=DAILY', 'FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=TU'],
    );
  });

  test('a local time exists once, never or twice', () => {
    for (const [local, zone, expected] of [
      ['2027-03-28T01:59', berlin, { exists: 'once', at: '2027-03-28T00:59:00.000Z' }],
      ['2027-03-28T02:30', berlin, { exists: 'never', at: '2027-03-28T01:00:00.000Z' }],
      ['2027-03-28T03:00', berlin, { exists: 'once', at: '2027-03-28T01:00:00.000Z' }],
      [
        '2027-10-31T02:30',
        berlin,
        { exists: 'twice', at: '2027-10-31T00:30:00.000Z', later: '2027-10-31T01:30:00.000Z' },
      ],
      ['2027-10-31T03:00', berlin, { exists: 'once', at: '2027-10-31T02:00:00.000Z' }],
      ['2027-03-14T02:00', newYork, { exists: 'never', at: '2027-03-14T07:00:00.000Z' }],
      [
        '2027-11-07T01:00',
        newYork,
        { exists: 'twice', at: '2027-11-07T05:00:00.000Z', later: '2027-11-07T06:00:00.000Z' },
      ],
      ['2027-07-01T09:00', 'Asia/Kathmandu', { exists: 'once', at: '2027-07-01T03:15:00.000Z' }],
      ['2027-07-01T09:00', 'Pacific/Kiritimati', { exists: 'once', at: '2027-06-30T19:00:00.000Z' }],
      ['2028-02-29T09:00', 'UTC', { exists: 'once', at: '2028-02-29T09:00:00.000Z' }],
    ] as const)
      assert.deepEqual(resolveLocalTime(local, zone), expected, `${local} ${zone}`);
    assert.throws(() => resolveLocalTime('soon', berlin), RangeError);
    assert.throws(() => resolveLocalTime('2027-01-01T09:00', 'Berlin'), RangeError);
  });

  test('presets repeat the day of the first occurrence', () => {
    const of = (local: string) =>
      recurrencePresets.map((preset) =>
        presetRule(preset, { start_date: resolveLocalTime(local, berlin).at, time_zone: berlin }),
      );
    assert.deepEqual(of('2027-01-12T00:30'), [
      'FREQ=DAILY',
      'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
      'FREQ=WEEKLY;BYDAY=TU',
      'FREQ=MONTHLY;BYMONTHDAY=12',
      'FREQ=MONTHLY;BYDAY=2TU',
    ]);
    const [, , , monthly = '', byWeekday = ''] = of('2027-01-30T09:00');
    assert.equal(
      listLocal('2027-01-30T09:00', berlin, monthly, 3),
      '2027-01-30T09:00+01:00 2027-02-28T09:00+01:00 2027-03-30T09:00+02:00',
    );
    assert.equal(
      listLocal('2027-01-30T09:00', berlin, byWeekday, 3),
      '2027-01-30T09:00+01:00 2027-02-27T09:00+01:00 2027-03-27T09:00+01:00',
    );
  });
});
