import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cumulate, occurred } from './cumulated-chart.ts';

const bucket = (hour: number, opened: number, clicked: number, converted = 0) => ({
  at: `2026-11-20T${hour}:00:00Z`,
  delivered: 0,
  not_measured: 0,
  bounced: 0,
  unsubscribed: 0,
  complained: 0,
  opened,
  clicked,
  converted,
});

test('opens, clicks and conversions add up since the send', () => {
  const rows = cumulate([bucket(10, 3, 0), bucket(11, 0, 0), bucket(12, 2, 1, 1)]);
  assert.deepEqual(
    rows.map(({ opened, clicked, converted }) => [opened, clicked, converted]),
    [
      [3, 0, 0],
      [3, 0, 0],
      [5, 1, 1],
    ],
  );
  assert.deepEqual(occurred(rows), ['clicked', 'opened', 'converted']);
});

test('a chart has no series of zeros', () => {
  assert.deepEqual(occurred(cumulate([bucket(10, 3, 0), bucket(11, 0, 0)])), ['opened']);
  assert.deepEqual(occurred(cumulate([])), []);
});
