import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTarget } from './link-target.ts';

const origin = 'https://reachout.example';
const read = (address: string) => readTarget(address, origin);

test('links of the help lead to its pages', () => {
  assert.deepEqual(read('/help/tracking'), {
    is: 'help',
    path: '/help/tracking',
    hash: '',
    page: 'tracking',
  });
  assert.deepEqual(read(`${origin}/help#contacts.import`), {
    is: 'help',
    path: '/help',
    hash: 'contacts.import',
    page: undefined,
  });
});

test('links stay in the tab within the installation and for email addresses', () => {
  assert.deepEqual(read('/api/docs'), { is: 'here', href: `${origin}/api/docs` });
  assert.deepEqual(read('#dns'), { is: 'here', href: '#dns' });
  assert.deepEqual(read('mailto:help@reachout.example'), {
    is: 'here',
    href: 'mailto:help@reachout.example',
  });
});

test('links to other hosts lead elsewhere, however they are written', () => {
  for (const address of ['https://a.example/x', 'http://a.example/x', '//a.example/x', '/\\a.example/x'])
    assert.equal(read(address)?.is, 'elsewhere', address);
});

test('other schemes are no links', () => {
  for (const address of [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://reachout.example/1',
    'https://',
  ])
    assert.equal(read(address), undefined, address);
});
