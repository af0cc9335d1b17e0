import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDevice } from './device-name.ts';

const mozilla = 'Mozilla/5.0';
const cases: [string, string, string][] = [
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36`,
    'Chrome',
    'Windows',
  ],
  [
    `${mozilla} (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0`,
    'Microsoft Edge',
    'Windows',
  ],
  [`${mozilla} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox', 'Linux'],
  [`${mozilla} (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15`, 'Safari', 'macOS'],
  [`${mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140.0 Mobile Safari/604.1`, 'Chrome', 'iOS'],
  [`${mozilla} (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile Safari/537.36`, 'Chrome', 'Android'],
];

for (const [userAgent, browser, system] of cases) {
  test(`${browser} on ${system} is recognized`, () => {
    assert.deepEqual(readDevice(userAgent), { browser, system });
  });
}

test('unknown devices have no name', () => {
  assert.deepEqual(readDevice('bot'), { browser: undefined, system: undefined });
  assert.deepEqual(readDevice(null), { browser: undefined, system: undefined });
});
