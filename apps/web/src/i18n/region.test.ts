import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLocale } from './region.ts';

const number = (locale: string) => new Intl.NumberFormat(locale).format(1234.5);

test('the chosen region decides the format of numbers', () => {
  assert.match(number(formatLocale('de', 'CH', ['de-DE'])), /^1[’']234\.5$/);
  assert.equal(number(formatLocale('en', 'DE', ['en-US'])), '1.234,5');
});

test('the browser decides without a choice', () => {
  assert.equal(formatLocale('de', undefined, ['en-US', 'de-AT']), 'de-AT');
  assert.equal(formatLocale('de', undefined, ['en-US']), 'de');
});

test('regions of other languages are ignored', () => {
  assert.equal(formatLocale('de', 'US', ['de-DE']), 'de-DE');
});
