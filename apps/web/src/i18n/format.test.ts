import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from './format.ts';

test('a deadline names its time zone, and the day of the mail where that is another one', () => {
  const at = '2026-11-28T23:40:00.000Z';
  assert.equal(createFormat('en', 'Europe/London').deadline(at), 'Nov 28, 2026, 11:40 PM GMT');
  assert.equal(
    createFormat('de', 'Europe/Berlin').deadline(at),
    '29. Nov. 2026, 00:40 MEZ (28. Nov. 2026, 23:40 UTC)',
  );
});
