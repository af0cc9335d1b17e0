import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { safeNext } from './safe-next.ts';

const origin = 'https://reachout.example';

/** Parts between a slash and a host name that the URL parser drops or resolves (WHATWG URL). */
const parts = ['/', '\\', '.', '..', '%2e', '\t', '\n', '@', ':', '?', 'evil.example'];

function* pathsOf(length: number): Generator<string> {
  if (length === 0) yield '/';
  else for (const path of pathsOf(length - 1)) for (const part of parts) yield path + part;
}

suite('return addresses after sign-in (LNK-2)', () => {
  test('addresses of other sites are rejected in any spelling', () => {
    const checked = [0, 1, 2, 3, 4].flatMap((length) => [...pathsOf(length)]);
    const others = [
      'https://evil.example/',
      'https:evil.example',
      'javascript:alert(1)',
      '\\\\evil.example',
      ' //evil.example',
      '\u0000//evil.example',
      'evil.example',
      '//reachout.example@evil.example/',
      '/..//evil.example',
      '/@evil.example/..//evil.example',
      '/a/%2e%2E//evil.example',
      '/a/../..//evil.example?next=//evil.example#//evil.example',
      '/\u3002/..//evil.example',
    ];
    for (const given of [...checked, ...others]) {
      const path = safeNext(given, origin);
      if (path === undefined) continue;
      const what = `${JSON.stringify(given)} becomes ${path}`;
      assert.equal(new URL(path, origin).origin, origin, what);
      assert.match(path, /^\/(?!\/)/, what);
      assert.equal(safeNext(path, origin), path, what);
    }
    for (const given of others) assert.equal(safeNext(given, origin), undefined, JSON.stringify(given));
  });

  test('own paths keep their search and fragment', () => {
    for (const path of ['/', '/clients/1?page=2#top', '/a//b', '/invitation/a_-b'])
      assert.equal(safeNext(path, origin), path);
    assert.equal(safeNext('/a/../b', origin), '/b');
    for (const given of [undefined, null, 1, {}, '']) assert.equal(safeNext(given, origin), undefined);
  });
});
