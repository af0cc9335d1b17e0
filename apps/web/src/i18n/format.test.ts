import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from './format.ts';

test('deadlines name their time zone and differing day', () => {
  const at = '2026-11-28T23:40:00.000Z';
  assert.equal(createFormat('en', 'Europe/London').deadline(at), 'Nov 28, 2026, 11:40 PM GMT');
  assert.equal(
    createFormat('de', 'Europe/Berlin').deadline(at),
    '29. Nov. 2026, 00:40 MEZ (28. Nov. 2026, 23:40 UTC)',
  );
});

test('dates without zone are equal everywhere', () => {
  for (const zone of ['America/New_York', 'UTC', 'Pacific/Auckland']) {
    assert.equal(createFormat('en', zone).withoutZone('1990-03-09'), 'Mar 9, 1990');
    assert.equal(createFormat('de', zone).withoutZone('1990-03-09T23:30:00'), '09.03.1990, 23:30');
  }
});
