import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordsFor, type DomainSetup } from './records-for.ts';
import { assertColumn } from '../../testing/assert-column.ts';

const publicKey = 'A'.repeat(392);
const setup: DomainSetup = {
  domain: 'news.example.com',
  selectors: [
    { selector: 'r1', publicKey },
    { selector: 'r2', publicKey, target: 'r2.keys.reachout.test' },
  ],
  bounce: { host: 'bounce.news.example.com', target: 'bounce.reachout.test', mx: 'mx.reachout.test' },
  senders: { addresses: ['192.0.2.10', '2001:db8::10'], include: '_spf.reachout.test' },
  reportAddress: 'dmarc@example.com',
  tracking: { host: 'click.news.example.com', target: 'links.reachout.test' },
};
const lineOf = ({ host, type, value }: { host: string; type: string; value: string }) =>
  `${host} ${type} ${value}`;

test('each record has the name that a DNS provider asks for', () => {
  assert.deepEqual(recordsFor(setup).map(lineOf), [
    `r1._domainkey.news TXT v=DKIM1; k=rsa; p=${publicKey}`,
    'r2._domainkey.news CNAME r2.keys.reachout.test',
    'bounce.news CNAME bounce.reachout.test',
    'news TXT v=spf1 include:_spf.reachout.test ~all',
    '_dmarc.news TXT v=DMARC1; p=none; rua=mailto:dmarc@example.com',
    'click.news CNAME links.reachout.test',
  ]);
});

test('without our names, records have addresses, and MX replaces the alias', () => {
  const records = recordsFor({
    ...setup,
    domain: 'example.com',
    bounce: { host: 'bounce.example.com', mx: 'mx.reachout.test' },
    senders: { addresses: ['192.0.2.10', '2001:db8::10'] },
  });
  assert.deepEqual(
    records.filter(({ purpose }) => purpose === 'return_path' || purpose === 'spf').map(lineOf),
    [
      'bounce MX 10 mx.reachout.test',
      'bounce TXT v=spf1 ip4:192.0.2.10 ip6:2001:db8::10 ~all',
      '@ TXT v=spf1 ip4:192.0.2.10 ip6:2001:db8::10 ~all',
    ],
  );
});

test('a long TXT value has a split form, and loses nothing in it', () => {
  const [long, ...others] = recordsFor(setup);
  const strings = long!.splitValue!.slice(1, -1).split('" "');
  assertColumn(strings, 'length', [255, 155]);
  assert.equal(strings.join(''), long!.value);
  assert.ok(others.every(({ splitValue }) => splitValue === undefined));
});
