import assert from 'node:assert/strict';
import { test } from 'node:test';
import { periodPresets, rangeError, readPeriodChoice } from './period-choice.ts';

test('presets and ranges of days are kept in the URL', () => {
  for (const period of [...periodPresets, '2026-01-01::2026-01-31', '2024-02-29::2024-02-29'])
    assert.equal(readPeriodChoice(period), period);
});

test('other periods in the URL are dropped', () => {
  for (const period of [
    '',
    '5fortnight',
    7,
    '2026-01-31::2026-01-01',
    '2026-02-29::2026-03-01',
    '2026-01-01::',
    '2026-01-01::2026-01-02::2026-01-03',
    '1965-01-01::1965-01-02',
    '2026-01-01T00:00::2026-01-02',
  ])
    assert.equal(readPeriodChoice(period), undefined, String(period));
});

test('an invalid range names the field at fault', () => {
  const today = '2026-03-09';
  assert.deepEqual(rangeError({ from: '', to: today }, today), { field: 'from', problem: 'missing' });
  assert.deepEqual(rangeError({ from: today, to: '' }, today), { field: 'to', problem: 'missing' });
  assert.deepEqual(rangeError({ from: today, to: '2026-03-08' }, today), { field: 'to', problem: 'order' });
  assert.deepEqual(rangeError({ from: '2026-03-10', to: '2026-03-11' }, today), {
    field: 'from',
    problem: 'future',
  });
  assert.equal(rangeError({ from: today, to: '2026-12-31' }, today), undefined);
});
