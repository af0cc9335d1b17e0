import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAddresses, readTyped } from './read-addresses.ts';

test('addresses are read from angle brackets', () => {
  assert.deepEqual(
    readAddresses(
      '"Guest, Gina" <guest@client.example>; Ada Lovelace <ada@client.example>, <bo@client.example>',
    ),
    ['guest@client.example', 'ada@client.example', 'bo@client.example'],
  );
  assert.deepEqual(readAddresses('Gina "the \\"guest\\"; first" <guest@client.example>'), [
    'guest@client.example',
  ]);
});

test('commas, semicolons, spaces and lines separate addresses', () => {
  assert.deepEqual(readAddresses('a@x.example,b@x.example; c@x.example\r\nd@x.example\te@x.example'), [
    'a@x.example',
    'b@x.example',
    'c@x.example',
    'd@x.example',
    'e@x.example',
  ]);
});

test('invalid addresses stay editable', () => {
  assert.deepEqual(readAddresses('gina at client.example'), ['gina', 'at', 'client.example']);
  assert.deepEqual(readAddresses("'ada@x.example'"), ['ada@x.example']);
  assert.deepEqual(readAddresses(' ,; '), []);
});

test('typed addresses are taken once complete', () => {
  for (const text of ['ada', 'ada@x.example', 'Ada ', '"Guest, ', 'Ada <ada@x.example', '']) {
    assert.deepEqual(readTyped(text), [], text);
  }
  for (const text of ['ada@x.example ', 'ada@x.example,', 'ada@x.example;', 'Ada <ada@x.example>,']) {
    assert.deepEqual(readTyped(text), ['ada@x.example'], text);
  }
});
