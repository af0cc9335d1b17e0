import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { EditedFaqCategory, EditedPage, FaqCategory, HelpPage } from '@reachout/contract/help.ts';
import { helpScreens, maxAnswer, maxFaqs, maxHelpText } from '@reachout/contract/rules/help.ts';
import { languages } from '@reachout/contract/rules/languages.ts';
import { useTestApp, type Person } from '../../testing/app.ts';
import { buildUser } from '../../sample/records.ts';
import { mergeEntries } from './merge-help.ts';

const legalPages = ['imprint', 'privacy'];

suite('help that comes with the installation', () => {
  const app = useTestApp({ operators: ['ada@operators.example'] });
  let operator: Person;
  let pages: EditedPage[];
  let categories: EditedFaqCategory[];

  before(async () => {
    const { id, email } = await buildUser(app.owner, { email: 'ada@operators.example' });
    operator = await app.signIn({ userId: id, email });
    pages = await edited<EditedPage>('contents');
    categories = await edited<EditedFaqCategory>('faq_categories');
  });

  const edited = async <T>(path: string) => await operator.ok<T[]>('GET', `/api/operator/${path}`);
  const readPages = async (locale: string) =>
    await app.ok<HelpPage[]>('GET', `/api/contents?locale=${locale}`);
  const readCategories = async (locale: string) =>
    await app.ok<FaqCategory[]>('GET', `/api/faq_categories?locale=${locale}`);

  /** All texts of a language, with where they are. */
  const textsOf = (language: (typeof languages)[number]) => [
    ...pages.map((page) => ({ where: `${language} ${page.name}`, max: maxHelpText, ...page[language]! })),
    ...categories.flatMap((category) =>
      category.faqs.map((faq) => ({
        where: `${language} ${category.name}/${faq.name}`,
        max: maxAnswer,
        ...faq[language]!,
      })),
    ),
  ];

  test('every page, category and question has both languages', () => {
    const entries = [...pages, ...categories, ...categories.flatMap(({ faqs }) => faqs)];
    assert.deepEqual(
      entries.filter(({ en, de }) => en === null || de === null).map(({ name }) => name),
      [],
    );
    const questions = categories.flatMap(({ faqs }) => faqs);
    assert.ok(questions.length >= 40 && questions.length <= maxFaqs, `${questions.length} questions`);
    assert.ok(categories.length >= 8, `${categories.length} categories`);
    assert.ok(pages.length >= 6, `${pages.length} pages`);
  });

  test('signed-out readers get all of it in both languages, without drafts', async () => {
    for (const locale of languages) {
      const read = await readPages(locale);
      assert.deepEqual(
        read.map(({ name, locale: language }) => [name, language]),
        pages.filter(({ name }) => !legalPages.includes(name)).map(({ name }) => [name, locale]),
      );
      const questions = (await readCategories(locale)).flatMap(({ name, faqs }) =>
        faqs.map((faq) => [name, faq.name, faq.language]),
      );
      assert.deepEqual(
        questions,
        categories.flatMap(({ name, faqs }) => faqs.map((faq) => [name, faq.name, locale])),
      );
    }
  });

  test('imprint and privacy are drafts that the operator completes', () => {
    const drafts = pages.filter(({ en, de }) => en.is_draft || de!.is_draft).map(({ name }) => name);
    assert.deepEqual(drafts, legalPages);
  });

  test('every screen has at least two questions', () => {
    const screens = categories.flatMap(({ faqs }) => faqs.flatMap((faq) => faq.screens));
    const few = helpScreens.filter((screen) => screens.filter((one) => one === screen).length < 2);
    assert.deepEqual(few, []);
  });

  test('texts are Markdown without markup, within the limits of the editor', () => {
    for (const { where, title, content, max } of languages.flatMap(textsOf)) {
      assert.doesNotMatch(content, /<\/?[a-z!]/i, where);
      assert.ok(content.length <= max && title.length <= 120, where);
      assert.equal(content, content.trim(), where);
      // Code has its own quotation marks.
      const prose = `${title} ${content.replaceAll(/`[^`]*`/g, '')}`;
      assert.doesNotMatch(prose, /["']/, where);
      assert.equal((prose.match(/\*\*/g) ?? []).length % 2, 0, where);
    }
    for (const { where, content } of textsOf('de'))
      assert.doesNotMatch(
        content.replaceAll(/`[^`]*`|Elastic Email/g, ''),
        /\b(?:du|dich|dir|dein\w*|emails?)\b/i,
        where,
      );
  });

  test('links lead to published pages of the help', () => {
    const published = new Set(pages.filter(({ en }) => !en.is_draft).map(({ name }) => `/help/${name}`));
    const links = languages
      .flatMap(textsOf)
      .flatMap(({ where, content }) =>
        [...content.matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => ({ where, link: link! })),
      );
    assert.ok(links.length > 20);
    assert.deepEqual(
      links.filter(({ link }) => !published.has(link)),
      [],
    );
  });

  test('both texts of an entry have the same shape', () => {
    const shapeOf = (content: string) => ({
      links: [...content.matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link),
      headings: (content.match(/^#+ /gm) ?? []).length,
      items: (content.match(/^(?:-|\d+\.) /gm) ?? []).length,
    });
    const german = textsOf('de');
    for (const [i, { where, content }] of textsOf('en').entries())
      assert.deepEqual(shapeOf(german[i]!.content), shapeOf(content), where);
  });
});

suite('released help and that of operators', () => {
  const text = (title: string) => ({ title, content: title, is_draft: false });
  const released = (...names: string[]) => names.map((name) => ({ name, en: text(`${name} 2`), de: null }));
  const own = (name: string) => ({ name, en: text('Mine'), de: null, updated_at: '2026-11-30T00:00:00Z' });
  const shown = (entries: readonly { name: string; en: { title: string } }[]) =>
    entries.map(({ name, en }) => `${name}: ${en.title}`);

  test('entries of operators replace released ones of the same name', () => {
    const merged = mergeEntries(released('page', 'changed', 'new'), [
      own('changed'),
      own('added'),
      own('gone'),
    ]);
    assert.deepEqual(shown(merged), [
      'page: page 2',
      'changed: Mine',
      'new: new 2',
      'added: Mine',
      'gone: Mine',
    ]);
    assert.deepEqual(
      merged.map(({ updated_at, is_released }) => [updated_at !== null, is_released]),
      [
        [false, true],
        [true, true],
        [false, true],
        [true, false],
        [true, false],
      ],
    );
  });

  test('an order of operators stays, and new released entries come last', () => {
    const order = ['also', 'c', 'removed', 'a'];
    assert.deepEqual(shown(mergeEntries(released('new', 'a', 'c'), [own('also')], order)), [
      'also: Mine',
      'c: c 2',
      'a: a 2',
      'new: new 2',
    ]);
  });
});
