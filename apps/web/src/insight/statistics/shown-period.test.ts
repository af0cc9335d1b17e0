import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSentAt, periodText, shownPeriod } from './shown-period.ts';

const sentAt = Date.parse('2026-11-20T09:30:00Z');
const hoursLater = (hours: number) => sentAt + hours * 3_600_000;
const now = hoursLater(1_000);
const send = (send_date: string, recipients_total_count = 3) => ({
  kind: 'campaign' as const,
  send_date,
  recipients_total_count,
});
const once = { firstMs: sentAt, lastMs: sentAt };

test('an email’s age counts from its first filled send', () => {
  const items = [send('2026-11-22T08:00:00Z'), send('2026-11-20T09:30:00Z'), send('2026-11-01T08:00:00Z', 0)];
  const lastMs = Date.parse('2026-11-22T08:00:00Z');
  assert.deepEqual(findSentAt({ items, count: 3 }, now), { firstMs: sentAt, lastMs });
  assert.deepEqual(findSentAt({ items: [send('2026-11-01T08:00:00Z', 0)], count: 1 }, now), {});
  assert.deepEqual(findSentAt({ items: [], count: 0 }, now), {});
});

test('truncated lists of sends hide the first one', () => {
  const lastMs = Date.parse('2026-11-22T08:00:00Z');
  assert.deepEqual(findSentAt({ items: [send('2026-11-22T08:00:00Z')], count: 2 }, now), { lastMs });
});

test('charts open on a period with activity', () => {
  assert.equal(shownPeriod(undefined, once, hoursLater(0)), 'first');
  assert.equal(shownPeriod(undefined, once, hoursLater(47.9)), 'first');
  // The last seven days contain all of it.
  assert.equal(shownPeriod(undefined, once, hoursLater(48)), '7day');
  assert.equal(shownPeriod(undefined, once, hoursLater(6 * 24 - 1)), '7day');
  assert.equal(shownPeriod(undefined, once, hoursLater(6 * 24)), 'first');
  assert.equal(shownPeriod(undefined, once, hoursLater(10_000)), 'first');
  // A follow-up that was sent yesterday.
  assert.equal(shownPeriod(undefined, { firstMs: sentAt, lastMs: hoursLater(976) }, now), '7day');
  const triggered = [{ ...send('2026-11-20T09:30:00Z'), kind: 'triggered' as const }];
  assert.equal(shownPeriod(undefined, findSentAt({ items: triggered, count: 1 }, now), now), '7day');
  assert.equal(shownPeriod(undefined, {}, sentAt), '7day');
});

test('a chosen period is shown if it has begun', () => {
  assert.equal(shownPeriod('30day', once, hoursLater(1)), '30day');
  assert.equal(shownPeriod('7day', once, hoursLater(1_000)), '7day');
  assert.equal(shownPeriod('first', once, hoursLater(1_000)), 'first');
  assert.equal(shownPeriod('first', {}, sentAt), '7day');
});

test('the first hour fits a chart of minutes', () => {
  const start = '2026-11-20T09:30:00.000Z';
  assert.equal(periodText('first', once, hoursLater(0.5)), `${start}::2026-11-20T10:30:00.000Z`);
  assert.equal(periodText('first', once, hoursLater(1)), `${start}::2026-11-22T09:30:00.000Z`);
  assert.equal(periodText('30day', once, hoursLater(1)), '30day');
});
