import type { Random } from '../platform/random.ts';

/** Combining marks that NFC has to reorder, which takes quadratic time in the length of the text. */
export const unsortedMarks = (length: number): string => `a${'\u0315\u0300'.repeat(Math.ceil(length / 2))}`;

/** Problematic texts, by the kind of problem. */
const texts: Record<string, readonly string[]> = {
  empty: ['', ' ', '\t\n', '\u00a0\u2003', '\ufeff'],
  unstorable: ['\0', 'a\0b', '\ud800', 'a\udc00', '\ud83d', '\u0001\u001f\u007f', '\ufffe\uffff'],
  unicode: [
    'e\u0301'.repeat(60),
    unsortedMarks(300),
    '\u202eabc\u202d',
    '\u200b\u200d\u2060',
    '👩‍👩‍👧‍👦'.repeat(20),
    '\u{1d15e}'.repeat(110),
    'ﷺ'.repeat(110),
    'İIıi',
    'ß',
    '\u0130\u0307',
    '𝔸𝕓𝕔',
  ],
  sql: [
    "'",
    "' or 1=1 --",
    '"; drop table users; --',
    '%',
    '_',
    '\\',
    '$1',
    '{a,b',
    '{"a":',
    "E'\\\\'",
    '::uuid',
  ],
  templates: [
    '{{',
    '{% if %}',
    '{{ 1 | times: 9 }}',
    '{% for i in (1..1000000) %}{% for j in (1..1000000) %}x{% endfor %}{% endfor %}',
    "{{ 'a' | append: contact }}",
    '{% raw %}{{ x }}',
    '{{ __proto__.constructor }}',
    '<mjml><mj-body><mj-raw>',
    '<mjml><mj-body><mj-section><mj-column><mj-text>{{ email }}</mj-text></mj-column></mj-section></mj-body></mjml>',
    '<mjml><mj-body><mj-include path="/etc/passwd" /></mj-body></mjml>',
    '<mj-body>'.repeat(500),
  ],
  html: ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '<!--', '<![CDATA[', '&#0;', '</'],
  addresses: [
    'javascript:alert(1)',
    'http://[::1]/',
    'http://[',
    '//evil.example',
    'https://a.example:99999/',
    'https://xn--a.example',
    'a@b',
    'a@b.example\r\nBcc: c@d.example',
    '"a@b"@c.example',
    'ä@ö.example',
    `${'a'.repeat(64)}@${'b.'.repeat(90)}example`,
  ],
  paths: ['..', '../../etc/passwd', '%2e%2e%2f', '%00', '%', '%zz', '/', '.', '\\\\host\\share'],
  formulas: ['=1+1', '@SUM(A1)', '+1', '-1', '|calc'],
  numbers: [
    'NaN',
    'Infinity',
    '1e309',
    '-0',
    '0x10',
    '9007199254740993',
    '9'.repeat(400),
    '1,5',
    '٣',
    '1_000',
  ],
  words: [
    'null',
    'undefined',
    'true',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '[object Object]',
  ],
  times: [
    '2026-02-30T25:61:61Z',
    '9999-12-31T23:59:59+14:00',
    '0000-00-00',
    '2026-01-01T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '1day',
    '-1day',
    '1000year',
    '2026-01-01::2026-01-02',
    '2199-01-01::2200-01-01',
    '$NOW(-1000 years)',
  ],
  zones: ['Europe/Berlin', 'Etc/GMT+14', '+25:00', 'posixrules', '../UTC'],
  ids: [
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '{00000000}',
    '1',
    '-1',
  ],
  json: [
    '{',
    '[',
    '{}',
    '[]',
    '{"_and":[]}',
    '{"__proto__":{"a":1}}',
    '['.repeat(5_000),
    '{"a":'.repeat(2_000),
  ],
};
const longLengths = [64, 121, 256, 1_001, 20_000];

/** @returns a text of one of the classes above, or a long one */
export function naughtyText(random: Random): string {
  if (random.chance(0.15))
    return random.pick(['a', ' ', '\u0301', '😀', '\\', '-', 'a.']).repeat(random.pick(longLengths));
  return random.pick(random.pick(Object.values(texts)));
}

/** @returns any JSON value, most likely of an unexpected type */
export function naughtyValue(random: Random): unknown {
  return random.pick<() => unknown>([
    () => naughtyText(random),
    () => naughtyText(random),
    () => random.pick([null, true, false]),
    () =>
      random.pick([
        0,
        -0,
        -1,
        1.5,
        1e308,
        5e-324,
        2 ** 31,
        -(2 ** 31) - 1,
        2 ** 53,
        2 ** 53 + 2,
        -(2 ** 63),
        1e21,
      ]),
    () => random.pick([[], {}, [[]], [null], [{}], { a: {} }]),
    () => nested(random.pick([5, 31, 40, 200]), random.chance(0.5)),
    () =>
      Array.from({ length: random.pick([51, 501, 10_000, 10_001]) }, () => random.pick(['', 'x', 1, null])),
    () => Object.fromEntries(Array.from({ length: random.pick([11, 501, 1_001]) }, (_, i) => [`k${i}`, i])),
    () =>
      Object.fromEntries([
        [random.pick(['__proto__', 'constructor', '$in', '_eq', 'toJSON', '']), naughtyText(random)],
      ]),
    () => Array.from({ length: 3 }, () => naughtyText(random)),
  ])();
}

function nested(depth: number, inLists: boolean): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = inLists ? [value] : { a: value };
  return value;
}

const operators = [
  '_eq',
  '_neq',
  '_lt',
  '_gte',
  '_in',
  '_nin',
  '_between',
  '_null',
  '_nempty',
  '_contains',
  '_icontains',
  '_nends_with',
  '_istarts_with',
  '_and',
  '_or',
  '_regex',
  '__proto__',
];

/** @returns a filter rule that may be valid, over fields that may exist */
export function naughtyRule(random: Random, depth = 0): unknown {
  if (depth < 4 && random.chance(0.5))
    return {
      [random.pick(['_and', '_or'])]: Array.from({ length: random.below(6) }, () =>
        naughtyRule(random, depth + 1),
      ),
    };
  const field = random.pick(['email', 'id', 'date_created', 'user_created', 'no_such', 'lower(email)', '']);
  const operand = random.pick([
    naughtyText(random),
    naughtyValue(random),
    [naughtyText(random), naughtyText(random)],
    '$NOW',
    '2026-01-01T00:00:00Z',
    'x',
  ]);
  return { [field]: { [random.pick(operators)]: operand } };
}
