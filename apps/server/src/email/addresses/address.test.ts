import assert from 'node:assert/strict';
import { email } from '@reachout/contract/values.ts';
import test from 'node:test';
import { parseAddress } from './address.ts';

test('addresses keep their form and have comparable keys (R3.5)', () => {
  const cases: [string, string, string][] = [
    ['Ada@Example.COM', 'Ada@example.com', 'ada@example.com'],
    ['  ada+news@example.com \t', 'ada+news@example.com', 'ada+news@example.com'],
    ['ada@Bücher.example', 'ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ["o'neil.x_y@sub.example.museum", "o'neil.x_y@sub.example.museum", "o'neil.x_y@sub.example.museum"],
    ['a@例え.テスト', 'a@xn--r8jz45g.xn--zckzah', 'a@xn--r8jz45g.xn--zckzah'],
  ];
  for (const [input, address, key] of cases) assert.deepEqual(parseAddress(input), { address, key });
});

test('ambiguous addresses are rejected (EML-2, R3.7)', () => {
  const cases = [
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@example',
    'ada@@example.com',
    'a@b.example, c@d.example',
    'a@b.example;c@d.example',
    '<a@b.example>',
    'Ada <a@b.example>',
    'group: a@b.example;',
    '"ada@evil.example" <a@b.example>',
    '"xclow3n@gmail.com x"@internal.domain',
    '"a@b"@example.com',
    String.raw`a\@b@example.com`,
    'a(comment)@example.com',
    'a@example.com(comment)',
    'a b@example.com',
    'a@exam ple.com',
    'a@b.example\r\nRCPT TO:<x@y.example>',
    'a@b.example\nBcc: x@y.example',
    'a\u0000@example.com',
    'a@example.com\u0000',
    'a\u00A0b@example.com',
    'a\u200B@example.com',
    'a\u2028@example.com',
    '.a@example.com',
    'a.@example.com',
    'a..b@example.com',
    'a@.example.com',
    'a@example..com',
    'a@-example.com',
    'a@example-.com',
    'a@exa_mple.com',
    'a@xn--a.example',
    'a@xn--.example',
    'a@xn--a-.example',
    'a@192.0.2.1',
    'a@0x7f000001',
    'a@example.com/x',
    'a@example.com?x',
    'a@example.com%2F',
    `a@${'x'.repeat(64)}.example`,
    'a%b@c@example.com',
    'a%b@relay.example',
    'a!b@relay.example',
    'host!user%c@relay.example',
    'a|b@relay.example',
    '|program@relay.example',
    '-option@relay.example',
    '/etc/passwd@relay.example',
    '@a.example:b@c.example',
    '"quoted"@relay.example',
  ];
  for (const input of cases) assert.deepEqual(parseAddress(input), { error: 'malformed' }, input);
  assert.deepEqual(parseAddress('a@[192.0.2.1]'), { error: 'address_literal' });
  assert.deepEqual(parseAddress('a@[IPv6:::1]'), { error: 'address_literal' });
});

test('address lengths are measured in octets (R3.5)', () => {
  const local = 'x'.repeat(64);
  assert.ok('address' in parseAddress(`${local}@example.com`));
  assert.deepEqual(parseAddress(`x${local}@example.com`), { error: 'too_long' });
  const domain = `${`${'d'.repeat(60)}.`.repeat(3)}example`;
  assert.equal(64 + 1 + domain.length, 255);
  assert.deepEqual(parseAddress(`${local}@${domain}`), { error: 'too_long' });
  assert.ok('address' in parseAddress(`${local.slice(1)}@${domain}`));
  assert.deepEqual(parseAddress('x'.repeat(100_000)), { error: 'too_long' });
});

test('non-ASCII local parts have their own error (R3.6)', () => {
  assert.deepEqual(parseAddress('jürgen@example.com'), { error: 'smtputf8' });
  assert.deepEqual(parseAddress('用户@例え.テスト'), { error: 'smtputf8' });
});

test('every address of the contract is accepted', () => {
  const locals = [
    'a',
    'a.b',
    'a..b',
    '.a',
    'a.',
    "o'neil",
    'a+b',
    'x'.repeat(64),
    'x'.repeat(65),
    'ä',
    '-a',
    'a-',
    '/a',
    'a/b',
    'a%b',
    'a!b',
    'a|b',
    '{a}',
  ];
  const domains = [
    'b.example',
    'B.Example',
    'b',
    'b.1',
    'b.c',
    '-b.example',
    'b..example',
    'b.example.',
    'xn--a.example',
    'xn--bcher-kva.example',
    'b.xn--p1ai',
    '1.2.3.4',
    `${'x'.repeat(63)}.example`,
    `${'x'.repeat(64)}.example`,
    `${'x.'.repeat(110)}example`,
  ];
  for (const local of locals) {
    for (const domain of domains) {
      const address = `${local}@${domain}`;
      // Addresses with a different ASCII form are only allowed for contacts.
      const isTaken = email.safeParse(address).success;
      const parsed = parseAddress(address);
      assert.equal(isTaken, 'address' in parsed && !/[^\0-\x7f]/.test(address), address);
    }
  }
});
