import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findShapeProblem } from './body-shape.ts';

const nest = (levels: number): unknown => (levels === 0 ? 1 : { a: nest(levels - 1) });

describe('shape of a body (INP-1, INP-2)', () => {
  it('is at most 32 levels deep', () => {
    assert.equal(findShapeProblem(nest(32)), undefined);
    assert.match(findShapeProblem(nest(33)) ?? '', /levels/);
  });
  it('has at most 1,000 keys', () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
    assert.equal(findShapeProblem(keys(1_000)), undefined);
    assert.match(findShapeProblem(keys(1_001)) ?? '', /keys/);
  });
  it('has lists of at most 10,000 entries', () => {
    assert.equal(findShapeProblem(Array.from({ length: 10_000 }, () => 0)), undefined);
    assert.match(findShapeProblem(Array.from({ length: 10_001 }, () => 0)) ?? '', /entries/);
  });
  it('has no whole number that loses digits', () => {
    assert.equal(findShapeProblem({ n: 2 ** 53 - 1 }), undefined);
    assert.match(findShapeProblem({ n: 2 ** 53 }) ?? '', /2\^53/);
    assert.equal(findShapeProblem({ n: 0.1 }), undefined);
  });
});
