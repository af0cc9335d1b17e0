import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Context } from 'liquidjs';
import { createLiquidEngine } from '../../email/liquid/liquid-engine.ts';
import { renderNodes } from '../../email/liquid/template-part.ts';
import { collectMergeTags } from '../../email/templates/collect-merge-tags.ts';
import type { ContactTest, MergeTags } from '../../email/email-content.ts';
import { useContentFixture } from '../../testing/content-fixture.ts';
import { createRandom, type Random } from '../../platform/random.ts';
import { fixtureContent } from '../../testing/send-fixture.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { testContact } from './audience.queries.ts';
import { findTagProblems, listCountedTests, maxCountedTags } from './check-merge-tags.ts';

const html = createLiquidEngine('html', 1_000);
const plain = createLiquidEngine('plain', 1_000);
const context = { brand: { name: 'Nordwind', nothing: '' }, item: { list: ['one'] } };
const fields = { collection: 'contacts', names: ['a', 'b', 'c'], isDecided: true };

const tagsOf = (source: string): MergeTags =>
  collectMergeTags({ ...fixtureContent, subject: '', mjml: source }, context, {
    html,
    plain,
    fullHtml: source,
    names: [...new Set([...source.matchAll(/contact(?:\.|\[")(\w+)/g)].map(([, name]) => name!))],
  });

/** Prints each variable with its name, so that a gap can be attributed. */
const printed = (variable: string, expression = variable) => `<${variable}:{{ ${expression} }}>`;

suite('merge tags', () => {
  const fixture = useContentFixture();

  const passed = (contact: Record<string, unknown>, tests: ContactTest[]) =>
    fixture.inTenant((trx) => testContact(trx, contact, tests));
  const problemsOf = async (source: string, contact: Record<string, unknown>) => {
    const tags = tagsOf(source);
    const empty = await passed(contact, listCountedTests(tags));
    return findTagProblems(tags, fields, { recipients: 1, empty }).map(
      ({ code, variable }) => `${code} ${variable}`,
    );
  };

  test('SQL finds the values that Liquid prints empty', async () => {
    const random = createRandom(20_261_123);
    const templates = Array.from({ length: 240 }, () => {
      const source = writeTemplate(random, 3);
      return { source, nodes: html.parse(source), tags: tagsOf(source) };
    });
    const tests = templates.flatMap(({ tags }) => listCountedTests(tags));
    assert.ok(tests.length > 80, 'few templates are counted');
    const seen = { holes: 0, none: 0, notCounted: 0 };
    for (const contact of Array.from({ length: 10 }, () => makeContact(random))) {
      const counts = await passed(contact, tests);
      for (const { source, nodes, tags } of templates) {
        const scope = { ...context, contact, links: {} };
        const shown = renderNodes(html, nodes, new Context(scope, html.liquid.options, { sync: true }));
        const holes = new Set([...shown.matchAll(/<([\w.]+):\s*>/g)].map(([, variable]) => variable));
        const told = tags.printed.filter(({ empty }) => typeof empty === 'object');
        const told1 = counts.splice(0, told.length);
        for (const [index, { variable }] of told.entries()) {
          const what = `${variable} for ${JSON.stringify(contact)} in ${source}`;
          assert.equal(told1[index], Number(holes.has(variable)), what);
          seen[holes.has(variable) ? 'holes' : 'none'] += 1;
        }
        seen.notCounted += tags.printed.length - told.length;
        const named = new Set(tags.printed.map(({ variable }) => variable));
        for (const hole of holes)
          // No fallback replaces white space.
          assert.ok(
            named.has(hole!) || valueAt(contact, hole!) === ' ',
            `${hole} is not told of ${source} for ${JSON.stringify(contact)}`,
          );
      }
    }
    assert.ok(Math.min(...Object.values(seen)) > 20, JSON.stringify(seen));
  });

  for (const [what, source, contact, expected] of [
    ['a value is no problem', '{{ contact.a }}', { a: 'x' }, []],
    ['an empty one is', '{{ contact.a }}', { a: '' }, ['variable_empty contact.a']],
    [
      'white space prints nothing that anybody sees',
      '{{ contact.a }}',
      { a: ' \n' },
      ['variable_empty contact.a'],
    ],
    ['a fallback covers', 'Hello {{ contact.a | default: "you" }}', {}, []],
    [
      'white space is no reason for a fallback',
      '{{ contact.a | default: "you" }}',
      { a: ' ' },
      ['variable_empty contact.a'],
    ],
    [
      'a tag in a condition is not counted',
      '{% if contact.a %}{{ contact.a }}{% endif %}',
      { a: '' },
      ['variable_not_counted contact.a'],
    ],
    [
      'nor is it for another contact',
      '{% if contact.a != blank %}{{ contact.a }}{% endif %}',
      {},
      ['variable_not_counted contact.a'],
    ],
    [
      'unless the tag is outside, too',
      '{% if contact.b %}{{ contact.a }}{% endif %}{{ contact.a }}',
      {},
      ['variable_empty contact.a'],
    ],
    [
      'a fallback covers in a condition',
      '{% if contact.b %}{{ contact.a | default: "x" }}{% endif %}',
      {},
      [],
    ],
    ['a variable is not counted', '{% assign x = contact.a %}{{ x }}', {}, ['variable_not_counted x']],
    [
      'even with a fallback',
      '{% assign x = contact.a | default: "you" %}{{ x }}',
      {},
      ['variable_not_counted x'],
    ],
    ['a filter that keeps a value', '{{ contact.a | upcase }}', {}, ['variable_empty contact.a']],
    [
      'a computed value',
      '{{ contact.a | append: "!" | default: "you" }}',
      {},
      ['variable_not_counted contact.a'],
    ],
    ['a computed value without fallback', '{{ contact.a | size }}', {}, ['variable_not_counted contact.a']],
    [
      'a field as the fallback',
      '{{ contact.a | default: contact.b }}',
      { a: 'x' },
      ['variable_not_counted contact.a'],
    ],
    [
      'a cycle',
      '{% cycle contact.a, "x" %}',
      { a: 'x' },
      ['variable_not_counted {% cycle contact.a, "x" %}'],
    ],
    [
      'a loop over a list in a contact',
      '{% for x in contact.a %}{{ x.name }}{% endfor %}',
      { a: [{ name: '' }] },
      ['variable_not_counted x.name'],
    ],
    [
      'a loop over shared values',
      '{% for x in item.list %}{{ contact.a }}{% endfor %}',
      { a: 'x' },
      ['variable_not_counted contact.a'],
    ],
    [
      'shared values within a condition',
      '{% if contact.a %}{{ brand.color }}{{ brand.name }}{% endif %}',
      {},
      ['variable_not_counted brand.color'],
    ],
    ['what is the same for all and has no value', '{{ brand.color }}', {}, ['variable_unknown brand.color']],
    ['is no problem where a condition covers it', '{% if brand.color %}{{ brand.color }}{% endif %}', {}, []],
    ['a mistyped root', '{{ contcat.a }}', {}, ['variable_unknown contcat.a']],
    ['a field that does not exist', '{{ contact.nachnahme }}', {}, ['variable_unknown contact.nachnahme']],
    [
      'with a fallback, too',
      '{{ contact.nachnahme | default: "x" }}',
      {},
      ['variable_unknown contact.nachnahme'],
    ],
    ['in a condition', '{% if contact["viip"] %}x{% endif %}', {}, ['variable_unknown contact.viip']],
  ] as const)
    test(`merge tags are found for ${what}: ${source}`, async () => {
      assert.deepEqual(await problemsOf(source, contact), expected);
    });

  test('variables that no contact can have are counted', async () => {
    for (const escape of [String.raw`\u0000`, String.raw`\ud800`]) {
      const source = `{% if contact.a == "${escape}" or contact["a"]["${escape}"] %}{{ contact.b }}{% endif %}`;
      assert.deepEqual(await problemsOf(source, { a: 'x' }), ['variable_not_counted contact.b'], escape);
      assert.deepEqual(await problemsOf(`{{ contact.a["${escape}"] }}`, { a: 'x' }), [
        `variable_empty contact.a.${JSON.parse(`"${escape}"`)}`,
      ]);
    }
  });

  test('repeated variables are counted once', () => {
    const { printed: found } = tagsOf(
      '{{ contact.a }}{% if contact.b %}{{ contact.a }}{% endif %}'.repeat(1_000),
    );
    assert.deepEqual(
      found.map(({ variable, empty }) => [variable, empty]),
      [['contact.a', { path: ['a'], hasFallback: false }]],
    );
  });

  test('variables beyond the limit are reported as uncounted', async () => {
    const names = Array.from({ length: maxCountedTags + 2 }, (_, index) => `n${index}`);
    const tags = tagsOf(names.map((name) => `{{ contact.${name} }}`).join(''));
    assert.equal(listCountedTests(tags).length, maxCountedTags);
    const empty = await passed({}, listCountedTests(tags));
    const problems = findTagProblems(tags, { ...fields, names }, { recipients: 1, empty });
    assert.deepEqual(
      problems.filter(({ code }) => code === 'variable_not_counted').map(({ variable }) => variable),
      [`contact.n${maxCountedTags}`, `contact.n${maxCountedTags + 1}`],
    );
    assertColumn(findTagProblems(tags, { ...fields, names }, 'too_slow'), 'code', ['count_too_slow']);
  });
});

/** Values that Liquid treats differently. */
const values = [
  undefined,
  null,
  '',
  ' ',
  'x',
  'y',
  'false',
  '[]',
  '{}',
  false,
  true,
  0,
  1,
  [],
  ['x'],
  {},
  { d: 'x' },
];

const valueAt = (contact: Record<string, unknown>, variable: string): unknown =>
  variable
    .split('.')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], contact);

const makeContact = ({ pick }: Random): Record<string, unknown> =>
  Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [name, pick(values)] as const).filter(([, value]) => value !== undefined),
  );

function writeTemplate(random: Random, depth: number): string {
  return Array.from({ length: 1 + random.below(3) }, () => writePart(random, depth)).join('\n');
}

function writePart(random: Random, depth: number): string {
  const inner = () => writeTemplate(random, depth - 1);
  const field = `contact.${random.pick(['a', 'b', 'c', 'c.d'])}`;
  const kind = depth === 0 ? 0 : random.below(10);
  if (kind < 4) return printed(field, `${field}${writeFilters(random)}`);
  if (kind === 4) return `{% assign x = ${field}${writeFilters(random)} %}`;
  if (kind === 5)
    return printed(field, `x | default: ${field}`).replace('<', '{% if x == "never" %}<') + '{% endif %}';
  if (kind === 6)
    return `{% case ${field} %}{% when "x", false %}${inner()}{% when 1 or nil %}${inner()}{% else %}${inner()}{% endcase %}`;
  if (kind === 7)
    return `{% unless ${writeCondition(random)} %}${inner()}{% else %}${inner()}{% endunless %}`;
  if (kind === 8)
    return `{% for i in item.list %}${inner()}{% endfor %}{% capture y %}${inner()}{% endcapture %}{{ y | raw }}`;
  return `{% if ${writeCondition(random)} %}${inner()}{% elsif ${writeCondition(random)} %}${inner()}{% else %}${inner()}{% endif %}`;
}

const writeFilters = ({ pick }: Random): string =>
  pick([
    '',
    '',
    '',
    ' | default: "z"',
    ' | default: contact.b',
    ' | upcase',
    ' | default: ""',
    ' | upcase | default: "z"',
  ]);

function writeCondition({ pick, chance }: Random): string {
  const one = () => {
    const field = `contact.${pick(['a', 'b', 'c', 'c.d'])}`;
    return pick([
      field,
      `${field} == "x"`,
      `${field} != "x"`,
      `${field} == blank`,
      `${field} != empty`,
      `${field} == nil`,
      `${field} == false`,
      `not ${field}`,
      `brand.name == "Nordwind"`,
      `brand.nothing`,
      `x`,
      `x == "x"`,
      `${field} > 0`,
    ]);
  };
  return chance(0.4) ? `${one()} ${pick(['and', 'or'])} ${one()}` : one();
}
