import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathForClient } from './current-client.ts';

test('switching clients opens the same list, not a record', () => {
  const to = (path: string, client?: string) => pathForClient(`/o/1${path}`, '1', client);
  assert.equal(to('', 'b'), '/o/1');
  assert.equal(to('/campaigns', 'b'), '/o/1/campaigns');
  assert.equal(to('/campaigns/7', 'b'), '/o/1/campaigns');
  assert.equal(to('/touchpoints/7/statistics', 'b'), '/o/1/touchpoints');
  assert.equal(to('/clients/a/settings', 'b'), '/o/1/clients/b');
  assert.equal(to('/brands/7', 'b'), '/o/1/clients/b');
  assert.equal(to('/brands/7'), '/o/1/clients');
  assert.equal(to('/settings/members', 'b'), '/o/1/settings/members');
});
