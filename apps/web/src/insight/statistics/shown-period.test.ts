import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstSentAt, periodText, shownPeriod } from './shown-period.ts';

const sentAt = Date.parse('2026-11-20T09:30:00Z');
const hoursLater = (hours: number) => sentAt + hours * 3_600_000;
const send = (send_date: string, recipients_total_count = 3) => ({ send_date, recipients_total_count });

test('an email is as old as its first send that had recipients', () => {
  const items = [send('2026-11-22T08:00:00Z'), send('2026-11-20T09:30:00Z'), send('2026-11-01T08:00:00Z', 0)];
  assert.equal(firstSentAt({ items, count: 3 }), sentAt);
  assert.equal(firstSentAt({ items: [send('2026-11-01T08:00:00Z', 0)], count: 1 }), undefined);
  assert.equal(firstSentAt({ items: [], count: 0 }), undefined);
});

test('of an email with more sends than were read, the first is not known', () => {
  assert.equal(firstSentAt({ items: [send('2026-11-22T08:00:00Z')], count: 2 }), undefined);
});

test('the first two days show what happened since it was sent, later ones a week', () => {
  assert.equal(shownPeriod(undefined, sentAt, hoursLater(0)), 'first');
  assert.equal(shownPeriod(undefined, sentAt, hoursLater(47.9)), 'first');
  assert.equal(shownPeriod(undefined, sentAt, hoursLater(48)), '7day');
  assert.equal(shownPeriod(undefined, undefined, sentAt), '7day');
  assert.equal(shownPeriod('30day', sentAt, hoursLater(1)), '30day');
  assert.equal(shownPeriod('first', sentAt, hoursLater(1_000)), 'first');
  assert.equal(shownPeriod('first', undefined, sentAt), '7day');
});

test('the first hour is as long as a chart of minutes may be', () => {
  const start = '2026-11-20T09:30:00.000Z';
  assert.equal(periodText('first', sentAt, hoursLater(0.5)), `${start}::2026-11-20T10:30:00.000Z`);
  assert.equal(periodText('first', sentAt, hoursLater(1)), `${start}::2026-11-22T09:30:00.000Z`);
  assert.equal(periodText('30day', sentAt, hoursLater(1)), '30day');
});
