import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { doIUseEmail } from '@jsx-email/doiuse-email';
import { brandColors, brandShades } from '@reachout/contract/rules/brand-colors.ts';
import { starterLanguages, templateStarters } from '@reachout/contract/templates.ts';
import { compileMjml } from '../../email/templates/mjml-html.ts';
import { findFlaws } from '../../email/templates/find-flaws.ts';
import { excerptOf } from './excerpt.ts';
import { starterMjml } from './starters.ts';

const starters = templateStarters.flatMap((starter) =>
  starterLanguages.map((language) => ({
    name: `${starter} (${language})`,
    mjml: starterMjml(starter, language),
  })),
);

/**
 * What a default template may use although Gmail, Outlook or Apple Mail do not support it everywhere, with what is shown there
 * instead.
 */
const allowed: Record<string, string> = {
  '@media': 'columns are side by side or stacked, whichever the width without it gives',
  'Chaining selectors': 'part of the rules within @media',
  'Class selector': 'part of the rules within @media',
  'Descendant combinator': 'part of the rules within @media',
  'ID selector': 'resets of single programs; the attributes of elements say the same',
  'Type selector': 'resets of single programs; the attributes of elements say the same',
  '<body> element': 'a div within it repeats its background',
  'border-radius': 'square corners',
  'border-spacing': 'cells without a gap; none has a border of its own',
  outline: 'a border as the program draws it',
  overflow: 'square corners',
  'role attribute': 'a table is read as one',
  'table-layout': 'columns as wide as their text',
  'target attribute': 'the program decides where links open',
  'word-break': 'a long word widens its column',
  'word-spacing': 'the usual space',
};

suite('default templates', () => {
  test('every text is readable in every brand color', () => {
    for (const { name, mjml } of starters)
      for (const color of brandColors) {
        const { fill, tint } = brandShades[color].light;
        assert.deepEqual(findFlaws(mjml, { color: fill, tint }), [], `${name} in ${color}`);
      }
  });

  test('each is small and shown well by Gmail, Outlook and Apple Mail', async () => {
    const used = new Set<string>();
    for (const { name, mjml } of starters) {
      const { html, problems } = await compileMjml(mjml, true);
      assert.deepEqual(problems, [], name);
      assert.ok(Buffer.byteLength(html) < 60_000, name);
      const clients = ['gmail.*', 'outlook.*', 'apple-mail.*'] as const;
      const { errors = [] } = doIUseEmail(html, { emailClients: [...clients] }) as { errors?: string[] };
      for (const error of errors) used.add(/^`(.+?)` is not supported/.exec(error)?.[1] ?? error);
    }
    assert.deepEqual(
      [...used].filter((feature) => allowed[feature] === undefined),
      [],
    );
    assert.deepEqual(
      Object.keys(allowed).filter((feature) => !used.has(feature)),
      [],
    );
  });

  test('the excerpt begins with the first words that are not in every email', () => {
    assert.match(
      excerptOf(starterMjml('newsletter', 'en')),
      /^\[brand\.name\] What is new Hello \[contact\.first_name\], This/,
    );
    assert.equal(excerptOf('no MJML'), '');
    assert.equal(excerptOf(`<mj-body><mj-text>${'a b '.repeat(200_000)}</mj-text></mj-body>`).length, 200);
    assert.equal(
      excerptOf('<mj-body><mj-raw><style>p{}</style></mj-raw><mj-text>1 &lt; 2</mj-text>'),
      '1 < 2',
    );
  });
});
