import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaOf, cropTo, drawnSize, wholeImage } from './image-area.ts';

const photo = { width: 4_000, height: 3_000 };

test('a fixed ratio takes the largest part from the middle', () => {
  assert.deepEqual(areaOf(cropTo(1, photo), photo), { x: 500, y: 0, width: 3_000, height: 3_000 });
  assert.deepEqual(areaOf(cropTo(16 / 9, photo), photo), { x: 0, y: 375, width: 4_000, height: 2_250 });
  assert.deepEqual(areaOf(cropTo(4 / 3, photo), photo), { x: 0, y: 0, ...photo });
});

test('a crop stays within the image and has pixels', () => {
  assert.deepEqual(areaOf(wholeImage, photo), { x: 0, y: 0, ...photo });
  const rounded = { unit: '%', x: 33.33, y: 99.99, width: 66.68, height: 0 } as const;
  assert.deepEqual(areaOf(rounded, { width: 100, height: 100 }), { x: 33, y: 99, width: 67, height: 1 });
});

test('images are only ever made smaller, in proportion', () => {
  assert.deepEqual(drawnSize(photo, 600), { width: 600, height: 450 });
  assert.deepEqual(drawnSize(photo, 5_000), { width: 1_200, height: 900 });
  assert.deepEqual(drawnSize({ width: 300, height: 100 }, 600), { width: 300, height: 100 });
  assert.deepEqual(drawnSize({ width: 1_000, height: 1 }, 10), { width: 10, height: 1 });
  assert.deepEqual(drawnSize(photo, 0), { width: 1, height: 1 });
});
