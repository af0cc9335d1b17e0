import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strengthOf } from './password-strength.ts';

test('short passwords are always too short', async () => {
  assert.equal(await strengthOf('aB3$xyz'), 'short');
});

test('common, repeated and personal words are weak', async () => {
  for (const password of ['password1', '12345678', 'aaaaaaaaaaaa', 'qwertz123456', 'reachout1']) {
    assert.equal(await strengthOf(password), 'weak', password);
  }
  assert.equal(await strengthOf('nordwind1', ['Lena Nordwind', 'lena@nordwind.example']), 'weak');
  assert.notEqual(await strengthOf('nordwind1'), 'weak');
});

test('short sentences are strong', async () => {
  assert.equal(await strengthOf('seven blue chairs wait'), 'strong');
  assert.equal(await strengthOf('kR7$wq!pLx'), 'good');
});
