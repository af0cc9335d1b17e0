import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasChoice, periodText } from './shown-period.ts';

const sentAt = Date.parse('2026-11-20T09:30:00Z');
const hoursLater = (hours: number) => sentAt + hours * 3_600_000;

test('the unit of a chart fits the life of the email', () => {
  const start = '2026-11-20T09:30:00.000Z';
  const endOf = (hours: number, period: 'life' | 'first' = 'life') => {
    const [from, to] = periodText(period, sentAt, hoursLater(hours)).split('::');
    assert.equal(from, start);
    return to;
  };
  // By minutes, hours, days, months.
  assert.equal(endOf(0.5), '2026-11-20T10:30:00.000Z');
  assert.equal(endOf(1), '2026-11-22T09:30:00.000Z');
  assert.equal(endOf(48), '2027-02-17T09:30:00.000Z');
  assert.equal(endOf(89 * 24), '2028-11-18T09:30:00.000Z');
  assert.equal(endOf(729 * 24)?.slice(0, 4), '2126');
  // The beginning of an older email.
  assert.equal(endOf(1_000, 'first'), '2026-11-22T09:30:00.000Z');
  assert.equal(endOf(0.5, 'first'), '2026-11-20T10:30:00.000Z');
  assert.deepEqual([hasChoice(sentAt, hoursLater(47.9)), hasChoice(sentAt, hoursLater(48))], [false, true]);
});
