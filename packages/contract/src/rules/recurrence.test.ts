import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  findFirstOccurrence,
  findLatestOccurrence,
  findNextOccurrence,
  listOccurrences,
  presetRule,
  recurrenceFrom,
  recurrencePresets,
  resolveLocalTime,
  withoutEnd,
} from './recurrence.ts';
import { describeRuleProblem } from './rrule.ts';

const berlin = 'Europe/Berlin';
const newYork = 'America/New_York';

/** The local times of the first occurrences in their zone. */
function listLocal(local: string, zone: string, rrule: string, count: number): string {
  const resolved = resolveLocalTime(local, zone);
  const found = listOccurrences({ start_date: resolved.at, time_zone: zone, rrule });
  return found
    .slice(0, count)
    .map((at) =>
      Temporal.Instant.from(at)
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

  test('rare days are found, and days that never come are not looked for long', () => {
    for (const [start, rule, expected] of [
      ['2027-01-01', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29', '2028-02-29 2032-02-29 2036-02-29'],
      ['2027-01-01', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO', '2044-02-29 2072-02-29 2112-02-29'],
      ['2027-01-01', 'FREQ=YEARLY;BYMONTH=2;BYDAY=5MO', '2044-02-29 2072-02-29 2112-02-29'],
      ['2027-01-01', 'FREQ=YEARLY;INTERVAL=7;BYMONTH=2;BYMONTHDAY=29', '2048-02-29 2076-02-29 2104-02-29'],
      ['2027-01-01', 'FREQ=WEEKLY;INTERVAL=53;BYMONTH=6;BYDAY=SU', '2053-06-01 2054-06-07 2055-06-13'],
      ['2027-01-01', 'FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR', '2027-08-13 2028-10-13 2029-04-13'],
      ['2027-01-01', 'FREQ=YEARLY;BYYEARDAY=366', '2028-12-31 2032-12-31 2036-12-31'],
      ['2027-01-01', 'FREQ=YEARLY;BYYEARDAY=-1,+60', '2027-03-01 2027-12-31 2028-02-29'],
      ['2027-01-01', 'FREQ=YEARLY;BYWEEKNO=53;BYDAY=TH', '2032-12-30 2037-12-31 2043-12-31'],
      // What a rule leaves open is as at its start: not each day of the week.
      ['2027-01-01', 'FREQ=YEARLY;BYWEEKNO=20', '2027-05-21 2028-05-19 2029-05-18'],
      ['2027-01-31', 'FREQ=YEARLY;BYMONTH=1,2,3', '2027-01-31 2027-03-31 2028-01-31'],
      ['2027-01-01', 'FREQ=YEARLY;BYDAY=53FR', '2027-12-31 2032-12-31 2038-12-31'],
      ['2027-01-01', 'FREQ=DAILY;INTERVAL=999', '2027-01-01 2029-09-26 2032-06-21'],
      ['2027-01-01', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=2,-1', '2027-01-04 2027-01-29 2027-02-02'],
      ['2027-01-01', 'FREQ=WEEKLY;WKST=SU;INTERVAL=2;BYDAY=TU,SU', '2027-01-10 2027-01-12 2027-01-24'],
    ] as const) {
      const found = listLocal(`${start}T10:00`, berlin, rule, 3).replaceAll(/T\S+/g, '');
      assert.equal(found, expected, rule);
    }
    for (const rule of [
      'FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2',
      'FREQ=DAILY;BYDAY=MO;BYSETPOS=-2',
      'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2,4,6',
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=YEARLY;BYDAY=53MO;BYYEARDAY=1',
      'FREQ=YEARLY;BYWEEKNO=20;BYMONTH=12',
      'FREQ=YEARLY;BYDAY=MO;BYSETPOS=366',
    ]) {
      const recurrence = { start_date: '2027-01-01T10:00:00Z', time_zone: berlin, rrule: rule };
      const times = Array.from({ length: 5 }, () => {
        const before = process.cpuUsage();
        assert.deepEqual(findFirstOccurrence(recurrence), { part: rule, problem: 'never' });
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      });
      assert.ok(Math.min(...times) < 40, `${rule} takes ${Math.min(...times)} ms`);
    }
  });

  test('each part of a rule is in its range, or named', () => {
    const reasonOf = (rrule: string) => {
      const first = findFirstOccurrence({ start_date: '2027-01-01T10:00:00Z', time_zone: berlin, rrule });
      return typeof first === 'string' ? 'none' : first;
    };
    for (const [name, values] of Object.entries({
      INTERVAL: '0 -1 +1 1000 1.5 1e2 x',
      COUNT: '0 501 -1 1,2',
      BYMONTH: '0 13 -1 1,13 1, JAN 1.5',
      BYMONTHDAY: '0 32 -32 99 15,32 --1',
      BYYEARDAY: '0 367 -367 1,,2',
      BYWEEKNO: '0 54 -54',
      BYSETPOS: '0 367 -367',
      BYDAY: '0MO 54MO 99MO -54FR XX MONDAY MO,XX M 1',
      WKST: 'XX 1 MO,TU',
      UNTIL: '2027 20271301 20270230 20270101T250000 20270101T10Z 2027-02-01 20270229T100000Z tomorrow',
      FREQ: 'FORTNIGHTLY daily 1',
    }))
      for (const value of ['', ...values.split(' ')]) {
        const rule = name === 'FREQ' ? `FREQ=${value}` : `FREQ=YEARLY;${name}=${value};BYMONTH=1`;
        const part = `${name}=${value}`;
        if (name === 'BYMONTH')
          assert.partialDeepStrictEqual(reasonOf(`FREQ=DAILY;${part}`), { part, problem: 'value' });
        else assert.partialDeepStrictEqual(reasonOf(rule), { part, problem: 'value' }, rule);
      }
    for (const [rule, part, problem] of [
      ['', 'FREQ', 'missing'],
      ['INTERVAL=2', 'FREQ', 'missing'],
      ['DAILY', 'DAILY', 'unknown'],
      ['freq=daily', 'freq=daily', 'unknown'],
      ['RRULE:FREQ=DAILY', 'RRULE:FREQ=DAILY', 'unknown'],
      ['FREQ=DAILY;', '', 'unknown'],
      ['FREQ=DAILY; INTERVAL=2', ' INTERVAL=2', 'unknown'],
      ['FREQ=DAILY;X-EVIL=1', 'X-EVIL=1', 'unknown'],
      ['FREQ=YEARLY;BYEASTER=0', 'BYEASTER=0', 'unknown'],
      ['FREQ=DAILY;toString=1', 'toString=1', 'unknown'],
      ['FREQ=DAILY;COUNT=2=3', 'COUNT=2=3', 'unknown'],
      ['FREQ=DAILY\nDTSTART:20270101T000000Z', 'FREQ=DAILY\nDTSTART:20270101T000000Z', 'value'],
      ['FREQ=HOURLY', 'FREQ=HOURLY', 'unsupported'],
      ['FREQ=SECONDLY;COUNT=100', 'FREQ=SECONDLY', 'unsupported'],
      ['FREQ=DAILY;BYHOUR=9', 'BYHOUR=9', 'unsupported'],
      ['FREQ=DAILY;BYMINUTE=60', 'BYMINUTE=60', 'unsupported'],
      ['FREQ=DAILY;BYSECOND=0', 'BYSECOND=0', 'unsupported'],
      ['FREQ=DAILY;FREQ=DAILY', 'FREQ=DAILY', 'repeated'],
      ['FREQ=DAILY;BYDAY=MO;BYDAY=TU', 'BYDAY=TU', 'repeated'],
      ['FREQ=DAILY;COUNT=2;UNTIL=20280101', 'UNTIL=20280101', 'combination'],
      ['FREQ=WEEKLY;BYDAY=1MO', 'BYDAY=1MO', 'combination'],
      ['FREQ=DAILY;BYDAY=TU,-1MO', 'BYDAY=TU,-1MO', 'combination'],
      ['FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO', 'BYDAY=1MO', 'combination'],
      ['FREQ=WEEKLY;BYMONTHDAY=1', 'BYMONTHDAY=1', 'combination'],
      ['FREQ=MONTHLY;BYYEARDAY=1', 'BYYEARDAY=1', 'combination'],
      ['FREQ=MONTHLY;BYWEEKNO=1', 'BYWEEKNO=1', 'combination'],
      ['FREQ=MONTHLY;BYDAY=6MO,TU', 'BYDAY=6MO,TU', 'value'],
      ['FREQ=YEARLY;BYMONTH=3;BYDAY=-6MO', 'BYDAY=-6MO', 'value'],
      ['FREQ=MONTHLY;BYSETPOS=1', 'BYSETPOS=1', 'alone'],
      ['FREQ=DAILY;UNTIL=20200101', 'UNTIL=20200101', 'ended'],
      ['FREQ=YEARLY;INTERVAL=60;COUNT=3', 'COUNT=3', 'few'],
    ] as const) {
      const reason = reasonOf(rule);
      assert.partialDeepStrictEqual(reason, { part, problem }, rule);
      assert.ok(reason !== 'none' && (problem === 'missing' || describeRuleProblem(reason).includes(part)));
    }
  });

  test('a rule has at most 500 occurrences', () => {
    const all = listOccurrences({
      start_date: '2027-01-01T10:00:00Z',
      time_zone: berlin,
      rrule: 'FREQ=DAILY',
    });
    assert.equal(all.length, 500);
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
      const left = recurrenceFrom(whole, listOccurrences(whole)[from]!);
      assert.equal(left.rrule, rest);
      assert.deepEqual(listOccurrences(left), listOccurrences(whole).slice(from), rule);
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
