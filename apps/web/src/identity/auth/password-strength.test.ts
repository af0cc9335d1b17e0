import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strengthOf } from './password-strength.ts';

test('what is too short is said to be so, whatever it is made of', async () => {
  assert.equal(await strengthOf('aB3$xyz'), 'short');
});

test('common words, rows, repetitions and what others know make a password weak', async () => {
  for (const password of ['password1', '12345678', 'aaaaaaaaaaaa', 'qwertz123456', 'reachout1']) {
    assert.equal(await strengthOf(password), 'weak', password);
  }
  assert.equal(await strengthOf('nordwind1', ['Lena Nordwind', 'lena@nordwind.example']), 'weak');
  assert.notEqual(await strengthOf('nordwind1'), 'weak');
});

test('a short sentence is strong', async () => {
  assert.equal(await strengthOf('seven blue chairs wait'), 'strong');
  assert.equal(await strengthOf('kR7$wq!pLx'), 'good');
});
