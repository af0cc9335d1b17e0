import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strengthOf } from './password-strength.ts';

test('what is too short is said to be so, whatever it is made of', () => {
  assert.equal(strengthOf('aB3$xyz'), 'short');
});

test('common words, rows, repetitions and what others know make a password weak', () => {
  for (const password of ['password1', '12345678', 'aaaaaaaaaaaa', 'qwertz123456']) {
    assert.equal(strengthOf(password), 'weak', password);
  }
  assert.equal(strengthOf('lena.nordwind1', ['Lena Nordwind', 'lena@nordwind.example']), 'weak');
});

test('a short sentence is strong', () => {
  assert.equal(strengthOf('seven blue chairs wait'), 'strong');
  assert.equal(strengthOf('kR7$wq!pLx'), 'good');
});
