import assert from 'node:assert/strict';
import { test } from 'node:test';
import { templateSlug } from './template-slug.ts';

test('a title becomes a short name', () => {
  assert.equal(templateSlug('  Spring News: 2027! '), 'spring-news-2027');
  assert.equal(templateSlug('a__b -- c'), 'a-b-c');
  assert.equal(templateSlug('--Dash--'), 'dash');
});
