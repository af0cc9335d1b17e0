import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSendingDomain, zoneOf } from './domain-name.ts';

const ownNames = ['app.reachout.example', 'bounce.reachout.example'];
const read = (text: string) => {
  const result = readSendingDomain(text, ownNames);
  return 'problem' in result ? result.problem : result.domain;
};

test('domains become lower-case A-labels (R5.4)', () => {
  const domains = {
    'example.com': 'example.com',
    ' News.Example.COM. ': 'news.example.com',
    'bücher.example': 'xn--bcher-kva.example',
    'Faß.de': 'xn--fa-hia.de',
    '例え.jp': 'xn--r8jz45g.jp',
    'example.co.uk': 'example.co.uk',
    'agency.github.io': 'agency.github.io',
    // The operator sends from the domain that the installation is in.
    'reachout.example': 'reachout.example',
    'mail.agency.test': 'mail.agency.test',
  };
  for (const [text, domain] of Object.entries(domains)) assert.equal(read(text), domain, text);
});

test('names that cannot be sending domains are refused (R5.4)', () => {
  const refused = {
    malformed: [
      '',
      'a b.example',
      'me@example.com',
      'https://example.com',
      'example..com',
      '-a.example',
      'a_b.example',
      '*.example.com',
      'example.com:25',
      `${'a'.repeat(64)}.example`,
      `${'a.'.repeat(70)}example`,
      'example.123x',
      'xn--a.example',
      'news.xn--.example',
      'xn--a-.example',
    ],
    ip_address: ['192.0.2.1', '[2001:db8::1]', '2001:db8::1', '0x7f.1'],
    single_label: ['localhost', 'com'],
    public_suffix: ['co.uk', 'github.io', 'blogspot.com', 'xn--55qx5d.cn'],
    free_mail: ['gmail.com', 'GMX.de', 'mail.yahoo.com'],
    own_name: ['app.reachout.example', 'news.app.reachout.example', 'Bounce.Reachout.example'],
  };
  for (const [problem, texts] of Object.entries(refused))
    for (const text of texts) assert.equal(read(text), problem, text);
});

test('the zone is the registrable domain', () => {
  assert.equal(zoneOf('news.example.co.uk'), 'example.co.uk');
  assert.equal(zoneOf('a.b.agency.test'), 'agency.test');
});
