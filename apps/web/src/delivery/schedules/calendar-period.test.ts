import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Occurrence } from '@reachout/contract/schedules.ts';
import { daysOf, dayOf, findClose, moveByDays, shiftPeriod } from './calendar-period.ts';

const ends = (days: string[]) => [days[0], days.at(-1), days.length];

test('a month consists of whole weeks', () => {
  assert.deepEqual(ends(daysOf('month', '2027-03-09', 1)), ['2027-03-01', '2027-04-04', 35]);
  assert.deepEqual(ends(daysOf('month', '2027-03-09', 7)), ['2027-02-28', '2027-04-03', 35]);
  assert.deepEqual(ends(daysOf('month', '2027-02-28', 1)), ['2027-02-01', '2027-02-28', 28]);
  assert.deepEqual(ends(daysOf('month', '2026-08-31', 1)), ['2026-07-27', '2026-09-06', 42]);
});

test('a week begins where the region has it, and an agenda with its date', () => {
  assert.deepEqual(ends(daysOf('week', '2027-03-07', 1)), ['2027-03-01', '2027-03-07', 7]);
  assert.deepEqual(ends(daysOf('week', '2027-03-07', 7)), ['2027-03-07', '2027-03-13', 7]);
  assert.deepEqual(ends(daysOf('agenda', '2027-03-07', 1)), ['2027-03-07', '2027-04-03', 28]);
});

test('the next month after the 31st is the next one', () => {
  assert.equal(shiftPeriod('month', '2027-01-31', 1), '2027-02-01');
  assert.equal(shiftPeriod('month', '2027-01-31', -1), '2026-12-01');
  assert.equal(shiftPeriod('week', '2027-01-31', -1), '2027-01-24');
});

test('a moved email keeps the time of the clock in its zone', () => {
  // In between, clocks are set forward in Berlin.
  assert.equal(moveByDays('2027-03-27T08:00:00Z', 'Europe/Berlin', 2), '2027-03-29T07:00:00.000Z');
  assert.equal(moveByDays('2027-03-29T07:00:00Z', 'Europe/Berlin', -2), '2027-03-27T08:00:00.000Z');
});

test('an entry is on its day in the zone of the user', () => {
  assert.equal(dayOf('2027-03-09T02:00:00Z', 'America/New_York'), '2027-03-08');
});

test('emails of one brand within a day are close, unless they are past or were cancelled', () => {
  const entry = (key: string, at: string, more: Partial<Occurrence> = {}) =>
    ({ key, at, status: 'queued', brand: { id: 'nordwind' }, ...more }) as Occurrence;
  const now = Date.parse('2027-03-05T00:00:00Z');
  const other = { brand: { id: 'other' } } as Partial<Occurrence>;
  const find = (...entries: Occurrence[]) => [...findClose(entries, now)];
  const [first, second] = ['2027-03-09T08:00:00Z', '2027-03-10T07:59:00Z'];
  assert.deepEqual(find(entry('1', first), entry('2', second)), ['1', '2']);
  assert.deepEqual(find(entry('1', first), entry('2', '2027-03-10T08:00:00Z')), []);
  assert.deepEqual(find(entry('1', first), entry('2', second, other)), []);
  assert.deepEqual(find(entry('1', first), entry('2', second, { status: 'cancelled' })), []);
  assert.deepEqual(find(entry('1', '2027-03-01T08:00:00Z'), entry('2', '2027-03-01T09:00:00Z')), []);
});
