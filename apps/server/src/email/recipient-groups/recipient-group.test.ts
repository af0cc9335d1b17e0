import assert from 'node:assert/strict';
import test from 'node:test';
import { groupOfMx, isReservedDomain } from './recipient-group.ts';

const groupOf = (...hosts: string[]) =>
  groupOfMx(hosts.map((exchange, index) => ({ exchange, priority: 10 * (index + 1) })));

test('the preferred MX host determines the provider', () => {
  assert.equal(groupOf('gmail-smtp-in.l.google.com', 'alt1.gmail-smtp-in.l.google.com'), 'google');
  assert.equal(groupOf('SMTP.GOOGLE.COM.'), 'google');
  assert.equal(groupOf('hotmail-com.olc.protection.outlook.com'), 'outlook');
  assert.equal(groupOf('nordwind-de.mail.protection.outlook.com'), 'microsoft_365');
  assert.equal(groupOf('nordwind-de.k-v1.mx.microsoft'), 'microsoft_365');
  assert.equal(groupOf('mx-aol.mail.gm0.yahoodns.net'), 'yahoo');
  assert.equal(groupOf('mx00.emig.gmx.net'), 'gmx');
  assert.equal(groupOf('mx-ha02.web.de'), 'gmx');
  assert.equal(groupOf('mx00.t-online.de'), 't_online');
  assert.equal(groupOf('mx01.mail.icloud.com'), 'icloud');
  assert.equal(groupOf('mx.nordwind.example', 'aspmx.l.google.com'), 'other');
  assert.equal(groupOf('notgoogle.com'), 'other');
  assert.equal(groupOf(), 'other');
  const later = { exchange: 'aspmx.l.google.com', priority: 5 };
  assert.equal(groupOfMx([{ exchange: 'mx.nordwind.example', priority: 10 }, later]), 'google');
});

test('reserved domain names are not looked up', () => {
  for (const domain of ['sink.example', 'example.com', 'mail.test', 'localhost'])
    assert.equal(isReservedDomain(domain), true, domain);
  for (const domain of ['gmail.com', 'myexample.com', 'test.de'])
    assert.equal(isReservedDomain(domain), false, domain);
});
