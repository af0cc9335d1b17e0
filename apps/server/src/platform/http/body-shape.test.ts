import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { findShapeProblem } from './request-guards.ts';

const nest = (levels: number): unknown => (levels === 0 ? 1 : { a: nest(levels - 1) });

suite('shape of request bodies (INP-1, INP-2)', () => {
  test('a body has at most 32 levels', () => {
    assert.equal(findShapeProblem(nest(32)), undefined);
    assert.match(findShapeProblem(nest(33)) ?? '', /levels/);
  });
  test('a body has at most 1,000 keys', () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
    assert.equal(findShapeProblem(keys(1_000)), undefined);
    assert.match(findShapeProblem(keys(1_001)) ?? '', /keys/);
  });
  test('a list has at most 10,000 entries', () => {
    assert.equal(findShapeProblem(Array.from({ length: 10_000 }, () => 0)), undefined);
    assert.match(findShapeProblem(Array.from({ length: 10_001 }, () => 0)) ?? '', /entries/);
  });
  test('whole numbers cannot lose digits', () => {
    assert.equal(findShapeProblem({ n: 2 ** 53 - 1 }), undefined);
    assert.match(findShapeProblem({ n: 2 ** 53 }) ?? '', /2\^53/);
    assert.equal(findShapeProblem({ n: 0.1 }), undefined);
  });
});
