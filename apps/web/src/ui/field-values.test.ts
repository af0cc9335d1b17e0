import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyValue, toFormValue, toInputValue } from './field-values.ts';

test('an empty control is null where the contract takes null', () => {
  assert.equal(toInputValue('  ', { type: 'text', nullable: true }), null);
  assert.equal(toInputValue('', { type: 'number', nullable: true }), null);
  assert.equal(toInputValue([], { type: 'list', nullable: true }), null);
  assert.equal(toInputValue('  ', { type: 'text' }), '');
  assert.deepEqual(toInputValue([], { type: 'list' }), []);
});

test('an empty control is left out where the contract takes nothing', () => {
  assert.equal(toInputValue('', { type: 'text', omitted: true }), undefined);
  assert.equal(toInputValue('', { type: 'number', omitted: true }), undefined);
});

test('lines are trimmed, texts of many lines and passwords are not', () => {
  assert.equal(toInputValue(' Nordwind ', { type: 'text' }), 'Nordwind');
  assert.equal(toInputValue(' 1\n2 ', { type: 'text', format: 'multi-line' }), ' 1\n2 ');
  assert.equal(toInputValue(' a b ', { type: 'text', format: 'password' }), ' a b ');
});

test('numbers are sent as numbers, and zero is one', () => {
  assert.equal(toInputValue('30', { type: 'number' }), 30);
  assert.equal(toInputValue(0, { type: 'number', nullable: true }), 0);
});

test('a new record begins with what the contract gives to it', () => {
  assert.equal(emptyValue({ type: 'number', initial: 7 }), 7);
  assert.equal(emptyValue({ type: 'number', initial: null, nullable: true }), '');
  assert.deepEqual(emptyValue({ type: 'list', initial: null, nullable: true }), []);
  assert.equal(emptyValue({ type: 'boolean' }), false);
  assert.equal(emptyValue(undefined), '');
});

test('null is an empty control', () => {
  assert.equal(toFormValue(null, { type: 'text', nullable: true }), '');
  assert.deepEqual(toFormValue(null, { type: 'list' }), []);
  assert.equal(toFormValue(null, { type: 'boolean' }), false);
});
