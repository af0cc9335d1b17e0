import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recurrenceFrom } from '@reachout/contract/rules/recurrence.ts';
import { firstValues, isPlanned, parseRule, readPlan, valuesOf, type PlanValues } from './plan.ts';

const now = new Date('2027-03-06T10:00:00Z');
const read = (values: Partial<PlanValues>) =>
  readPlan({ ...firstValues(now, 'Europe/Berlin'), date: '2027-03-09', ...values }, now);

test('a date in a time zone is one point in time', () => {
  assert.deepEqual(read({}), {
    start_date: '2027-03-09T08:00:00.000Z',
    time_zone: 'Europe/Berlin',
    rrule: null,
    occurrences: ['2027-03-09T08:00:00.000Z'],
  });
});

test('a time that the clock skips is rejected, and the next one is offered', () => {
  assert.deepEqual(read({ date: '2027-03-28', time: '02:30' }), {
    field: 'time',
    problem: 'skipped',
    at: '2027-03-28T01:00:00.000Z',
  });
});

test('of a time that occurs twice, one has to be chosen', () => {
  const twice = { date: '2027-10-31', time: '02:30' };
  const [at, later] = ['2027-10-31T00:30:00.000Z', '2027-10-31T01:30:00.000Z'];
  assert.deepEqual(read(twice), { field: 'time', problem: 'twice', at, later });
  assert.partialDeepStrictEqual(read({ ...twice, hour: 'first' }), { start_date: at });
  assert.partialDeepStrictEqual(read({ ...twice, hour: 'second' }), { start_date: later });
  assert.partialDeepStrictEqual(read({ ...twice, repeat: 'daily' }), { start_date: at });
});

test('past and far times are rejected at the field that has to change', () => {
  assert.deepEqual(read({ date: '2027-03-05' }), { field: 'date', problem: 'past' });
  assert.deepEqual(read({ date: '2027-03-06', time: '10:59' }), { field: 'time', problem: 'past' });
  assert.deepEqual(read({ date: '2029-03-07' }), { field: 'date', problem: 'far' });
  assert.deepEqual(read({ time: '' }), { field: 'time', problem: 'missing' });
});

test('a preset with an end is a rule, and reads back as the same preset', () => {
  for (const [end, rrule] of [
    [{ end: 'never' }, 'FREQ=WEEKLY;BYDAY=TU'],
    [{ end: 'on', endDate: '2027-04-06' }, 'FREQ=WEEKLY;BYDAY=TU;UNTIL=20270406'],
    [{ end: 'after', endCount: 3 }, 'FREQ=WEEKLY;BYDAY=TU;COUNT=3'],
  ] as const) {
    const plan = read({ repeat: 'weekly', ...end });
    assert.ok(isPlanned(plan));
    assert.equal(plan.rrule, rrule);
    assert.partialDeepStrictEqual(parseRule(plan), { repeat: 'weekly', ...end });
    assert.partialDeepStrictEqual(valuesOf(plan), { date: '2027-03-09', time: '09:00' });
  }
  assert.deepEqual(read({ repeat: 'weekly', end: 'on', endDate: '2027-03-08' }), {
    field: 'endDate',
    problem: 'beforeStart',
  });
  assert.deepEqual(read({ repeat: 'weekly', end: 'after', endCount: 501 }), {
    field: 'endCount',
    problem: 'tooMany',
  });
});

test('a rule is read as other programs write it', () => {
  const plan = read({ repeat: 'custom', rrule: ' rrule:freq=monthly;byday=-1FR;count=2; ' });
  assert.ok(isPlanned(plan));
  assert.equal(plan.rrule, 'FREQ=MONTHLY;BYDAY=-1FR;COUNT=2');
  assert.deepEqual(plan.occurrences, ['2027-03-26T08:00:00.000Z', '2027-04-30T07:00:00.000Z']);
  assert.deepEqual(read({ repeat: 'custom', rrule: 'freq=daily;bymonth=13' }), {
    field: 'rrule',
    problem: 'rule',
    rule: { part: 'BYMONTH=13', problem: 'value', other: '1…12' },
  });
});

test('of a series that has begun, the occurrences that are left are counted', () => {
  const plan = read({ repeat: 'weekly', end: 'after', endCount: 3 });
  assert.ok(isPlanned(plan));
  const rest = recurrenceFrom(plan, plan.occurrences[1]!);
  assert.equal(rest.rrule, 'FREQ=WEEKLY;BYDAY=TU;COUNT=2');
  assert.partialDeepStrictEqual(valuesOf(rest), { date: '2027-03-16', repeat: 'weekly', endCount: 2 });
});
