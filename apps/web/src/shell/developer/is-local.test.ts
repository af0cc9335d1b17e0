import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLocal } from './is-local.ts';

test('only loopback hosts are local', () => {
  for (const host of ['localhost', 'app.localhost', '127.0.0.1', '127.1.2.3', '[::1]'])
    assert.ok(isLocal(host), host);
  for (const host of [
    'reachout.example',
    'localhost.example',
    '127.0.0.1.example',
    '10.0.0.1',
    'notlocalhost',
  ])
    assert.equal(isLocal(host), false, host);
});
