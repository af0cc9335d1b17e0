import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readMarks } from './address.ts';

suite('marks in an address', () => {
  const cases: [href: string, address: string, marks: Record<string, string>][] = [
    ['https://a.example/', 'https://a.example/', {}],
    ['https://a.example/?ctm_aid=x', 'https://a.example/', { ctm_aid: 'x' }],
    ['https://a.example/?ctm_aid=x#top', 'https://a.example/#top', { ctm_aid: 'x' }],
    [
      'https://a.example/p?a=1&ctm_uid=4+2&b=%20x+y&&ctm_ucn=people&c#/r?ctm_aid=z',
      'https://a.example/p?a=1&b=%20x+y&&c#/r?ctm_aid=z',
      { ctm_uid: '4 2', ctm_ucn: 'people' },
    ],
    ['https://a.example/?ctm_aid=x&ctm_aid=y', 'https://a.example/', { ctm_aid: 'x' }],
    ['https://a.example/?my_ctm_aid=x&ctm_aids=y', 'https://a.example/?my_ctm_aid=x&ctm_aids=y', {}],
    ['https://a.example/?q=%ctm&ctm_uid=%', 'https://a.example/?q=%ctm', { ctm_uid: '%' }],
    ['https://a.example/?', 'https://a.example/?', {}],
    [`https://a.example/?ctm_uid=${'x'.repeat(128)}`, 'https://a.example/', { ctm_uid: 'x'.repeat(128) }],
    [
      `https://a.example/?ctm_uid=${'x'.repeat(129)}&ctm_ucn=people`,
      'https://a.example/',
      { ctm_ucn: 'people' },
    ],
    ['https://a.example/?ctm_vid=a.b-c&a=1', 'https://a.example/?a=1', { ctm_vid: 'a.b-c' }],
    ['https://a.example/?ctm_uid=&ctm_uid=1', 'https://a.example/', { ctm_uid: '1' }],
    ['', '', {}],
  ];

  test('are read, and everything else of the address is kept as it is', () => {
    for (const [href, address, marks] of cases) assert.deepEqual(readMarks(href), { address, marks }, href);
  });
});
