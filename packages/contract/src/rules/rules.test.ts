import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { z } from 'zod';
import { email, phone, webAddress } from '../values.ts';
import { isEmail, isPhone, isWebAddress } from './addresses.ts';
import { slugOf } from './slug-of.ts';

suite('names of templates', () => {
  const examples: [title: string, name: string][] = [
    ['Spring Sale', 'spring-sale'],
    ['  Spring   Sale  ', 'spring-sale'],
    ['Spring_-_Sale', 'spring-sale'],
    ['--Spring--', 'spring'],
    ['a__b -- c', 'a-b-c'],
    ['  Spring News: 2027! ', 'spring-news-2027'],
    ['50% off! (today)', '50-off-today'],
    ['Grüße an Zoë', 'grüße-an-zoë'],
    ['Gru\u0308n', 'grün'],
    ['!!!', ''],
  ];
  for (const [title, name] of examples) {
    test(`the title “${title}” gives the name “${name}”`, () => assert.equal(slugOf(title), name));
  }
});

suite('rules of forms', () => {
  const samples: [rule: (value: string) => boolean, schema: z.ZodType, values: readonly string[]][] = [
    [
      isEmail,
      email,
      [
        'a@b.example',
        ' a@b.example ',
        'a@b.xn--p1ai',
        'a@b',
        'a',
        'ä@b.example',
        'a..b@c.example',
        '.a@b.example',
        'a@b.1',
        'a@xn--a.example',
        `${'a'.repeat(65)}@b.example`,
        `${'a'.repeat(250)}@b.example`,
      ],
    ],
    [isPhone, phone, ['+49 30 901820', '1234', '12345', 'call me', '1'.repeat(41)]],
    [
      isWebAddress,
      webAddress,
      [
        'https://example.com',
        'HTTP://example.com/a?b',
        'http:example.com',
        'ftp://example.com',
        'https://a',
        'https://1.2.3.4',
        'https://grün.example',
        'x',
      ],
    ],
  ];
  for (const [rule, schema, values] of samples) {
    test(`${rule.name} agrees with the schema of the contract`, () => {
      for (const value of values) assert.equal(rule(value), schema.safeParse(value).success, value);
    });
  }
});
