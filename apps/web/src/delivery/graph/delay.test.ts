import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOfDelay, readDelay, writeDelay } from './delay.ts';

test('a delay of one unit is read and written unchanged', () => {
  for (const delay of ['PT5M', 'PT48H', 'P3D', 'P2W', 'P6M', 'PT90S'])
    assert.equal(writeDelay(Number(readDelay(delay).count), readDelay(delay).unit), delay);
});

test('a delay of several units stays as it is', () => {
  const { count, unit } = readDelay('P1DT12H');
  assert.deepEqual([count, writeDelay(0, unit)], ['', 'P1DT12H']);
  assert.deepEqual(partsOfDelay('P1DT12H'), [
    { count: 1, unit: 'day' },
    { count: 12, unit: 'hour' },
  ]);
});

test('a minute is no month', () => {
  assert.deepEqual([readDelay('P1M').unit, readDelay('PT1M').unit], ['month', 'minute']);
});

test('no delay is zero', () => assert.equal(readDelay('PT0S').count, 0));
