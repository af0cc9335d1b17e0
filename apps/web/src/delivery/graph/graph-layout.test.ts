import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from './graph-layout.ts';

const edges = (...pairs: string[]) => pairs.map((pair) => ({ source: pair[0]!, target: pair[1]! }));

test('each node is right of all that lead to it', () => {
  const places = layOut(['a', 'b', 'c'], edges('ac', 'ab', 'bc'));
  assert.deepEqual(
    ['a', 'b', 'c'].toSorted((one, other) => places.get(one)!.x - places.get(other)!.x),
    ['a', 'b', 'c'],
  );
  assert.ok(places.get('b')!.x < places.get('c')!.x);
});

test('a loop has a beginning, and no two nodes share a place', () => {
  const places = layOut(['a', 'b', 'c', 'd'], edges('ab', 'ba', 'cd', 'cb'));
  assert.equal(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size, 4);
});
