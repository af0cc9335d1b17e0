import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchHelp } from './search-help.ts';

const spf = { title: 'How do I verify SPF?', content: 'Add `include:spf.example` to the **record**.' };
const dkim = {
  title: 'What is DKIM?',
  content: 'A signature; see [the page about SPF](/help/sending-domain).',
};
const opens = { title: 'Why are opens approximate?', content: 'Many programs load no pictures.' };
const all = [dkim, opens, spf];

test('a search finds entries with all its words, those in titles first', () => {
  assert.deepEqual(searchHelp(all, 'spf'), [spf, dkim]);
  assert.deepEqual(searchHelp(all, ' The  SPF RECORD '), [spf]);
  assert.deepEqual(searchHelp(all, 'dkim pictures'), []);
});

test('a search does not look into the addresses of links', () => {
  assert.deepEqual(searchHelp(all, 'sending-domain'), []);
});

test('an empty search keeps all entries in their order', () => {
  assert.deepEqual(searchHelp(all, ' '), all);
});
