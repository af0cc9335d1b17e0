import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainCheck } from '@reachout/contract/domains.ts';
import { cardState, listDifferences, splitAtDifference } from './check-state.ts';

const record = (value: string, name = 'click.example.com') => ({ type: 'CNAME' as const, name, value });
const wanted = [record('links.reachout.example')];

const check = (changes: Partial<DomainCheck>): DomainCheck => ({
  state: null,
  verdict: null,
  found: [],
  wanted,
  advice: [],
  checked_at: null,
  passed_at: null,
  failing_since: null,
  ...changes,
});

test('a card tells missing, different and unusable records apart', () => {
  const failed = { state: 'fail', verdict: 'fail' } as const;
  assert.equal(cardState(check({})), 'unchecked');
  assert.equal(cardState(check(failed)), 'waiting');
  assert.equal(cardState(check({ ...failed, passed_at: '2026-01-01T00:00:00Z' })), 'missing');
  assert.equal(cardState(check({ ...failed, found: [record('shop.example.net')] })), 'different');
  assert.equal(cardState(check({ ...failed, found: wanted })), 'problem');
  assert.equal(cardState(check({ state: 'warn', verdict: 'warn', found: wanted })), 'warning');
  assert.equal(cardState(check({ state: 'pass', verdict: 'pass', found: wanted })), 'verified');
});

test('a temporary error leaves what a card said of its records', () => {
  assert.equal(cardState(check({ verdict: 'temporary_error' })), 'waiting');
  assert.equal(cardState(check({ state: 'fail', verdict: 'temporary_error' })), 'waiting');
  assert.equal(cardState(check({ state: 'pass', verdict: 'temporary_error' })), 'verified');
});

test('expected records are compared with those in their place', () => {
  const keys = [record('one.keys.example', 'r1._domainkey'), record('two.keys.example', 'r2._domainkey')];
  const wrong = record('old.keys.example', 'r2._domainkey');
  assert.deepEqual(listDifferences({ wanted: keys, found: [keys[0]!, wrong] }), [
    { expected: keys[1], found: [wrong] },
  ]);
  const elsewhere = record('one.keys.example', 'r1._domainkey.example.com.example.com');
  assert.deepEqual(listDifferences({ wanted: keys, found: [elsewhere] }), [
    { expected: keys[0], found: [elsewhere] },
  ]);
});

test('of two values, the part that differs is marked', () => {
  assert.deepEqual(splitAtDifference('v=spf1 a ~all', 'v=spf1 mx ~all'), ['v=spf1 ', 'a', ' ~all']);
  assert.deepEqual(splitAtDifference('aa', 'aaa'), ['aa', '', '']);
  assert.deepEqual(splitAtDifference('same', 'same'), ['same', '', '']);
});
