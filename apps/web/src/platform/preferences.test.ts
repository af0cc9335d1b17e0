import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPreferences } from './preferences.ts';

test('known preferences are read from the map', () => {
  const map = {
    language: 'de',
    theme: 'dark',
    density: 'compact',
    region: 'CH',
    time_zone: 'Europe/Zurich',
    shortcuts: false,
    motion: 'reduced',
    'columns.campaigns': ['status', 'delivered'],
    'panel.help': 320,
  };
  assert.deepEqual(readPreferences(map), map);
});

test('unknown and impossible preferences are ignored', () => {
  const map = {
    language: 'fr',
    theme: 'red',
    density: 3,
    region: 'Bern',
    time_zone: 'Mars/Base',
    other: 1,
    'columns.clients': [1],
    'panel.help': '320',
  };
  assert.deepEqual(readPreferences(map), {});
});
