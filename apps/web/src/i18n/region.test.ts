import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLocale } from './region.ts';

const number = (locale: string) => new Intl.NumberFormat(locale).format(1234.5);

test('the chosen region decides how numbers are written, the language stays', () => {
  assert.match(number(formatLocale('de', 'CH', ['de-DE'])), /^1[’']234\.5$/);
  assert.equal(number(formatLocale('en', 'DE', ['en-US'])), '1.234,5');
});

test('without a choice the browser decides, where it speaks the language', () => {
  assert.equal(formatLocale('de', undefined, ['en-US', 'de-AT']), 'de-AT');
  assert.equal(formatLocale('de', undefined, ['en-US']), 'de');
});

test('a region that the language is not written in counts as none', () => {
  assert.equal(formatLocale('de', 'US', ['de-DE']), 'de-DE');
});
