import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import type { EditedFaqCategory, EditedPage, FaqCategory, HelpPage } from '@reachout/contract/help.ts';
import { helpScreens, maxAnswer, maxFaqs, maxHelpText } from '@reachout/contract/rules/help.ts';
import { languages } from '@reachout/contract/rules/languages.ts';
import { Client } from 'pg';
import { useTestApp, type Person } from '../../testing/app.ts';
import { buildUser } from '../../sample/records.ts';

const reference = join(import.meta.dirname, '../../../../../db/reference');
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

  const edited = async <T>(path: string) =>
    (await app.request<T[]>('GET', `/api/operator/${path}`, { as: operator })).body;
  const readPages = async (locale: string) =>
    (await app.request<HelpPage[]>('GET', `/api/contents?locale=${locale}`)).body;
  const readCategories = async (locale: string) =>
    (await app.request<FaqCategory[]>('GET', `/api/faq_categories?locale=${locale}`)).body;

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
      assert.doesNotMatch(content.replaceAll(/`[^`]*`/g, ''), /\b(?:du|dich|dir|dein\w*|emails?)\b/i, where);
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

suite('help of a newer version', () => {
  const app = useTestApp({ operators: ['ada@operators.example'] });
  let operator: Person;

  before(async () => {
    const { id, email } = await buildUser(app.owner, { email: 'ada@operators.example' });
    operator = await app.signIn({ userId: id, email });
  });

  const edited = async <T>(path: string) =>
    (await app.request<T[]>('GET', `/api/operator/${path}`, { as: operator })).body;
  const save = async (path: string, body: object) => {
    const { status } = await app.request('PUT', `/api/operator/${path}`, { body, as: operator });
    assert.equal(status, 200, path);
  };

  /** Applies the reference data with other entries in place of those of this version. */
  async function update(entries: string): Promise<void> {
    const [tables, merge] = await Promise.all(
      ['help-1-tables.sql', 'help-3-merge.sql'].map((file) => readFile(join(reference, file), 'utf8')),
    );
    const client = new Client({ connectionString: app.ownerUrl });
    await client.connect();
    try {
      await client.query('begin');
      await client.query(`${tables}; ${entries}; ${merge}`);
      await client.query('commit');
    } finally {
      await client.end();
    }
  }

  test('a newer version renews its entries, except those that operators have changed', async () => {
    const entries = (word: string) => `
      insert into written_pages values
        (1, 'page', false, 'Page ${word}', 'x', 'Seite ${word}', 'x'),
        (2, 'changed', false, 'Changed ${word}', 'x', 'Geändert ${word}', 'x'),
        (3, 'deleted', false, 'Deleted ${word}', 'x', 'Gelöscht ${word}', 'x');
      insert into written_categories values
        (1, 'category', 'Category ${word}', '', 'Kategorie ${word}', ''),
        (2, 'emptied', 'Emptied ${word}', '', 'Geleert ${word}', '');
      insert into written_faqs (category, name, screens, en_title, en_content, de_title, de_content) values
        ('category', 'question', '{contacts}', 'Question ${word}?', 'x', 'Frage ${word}?', 'x'),
        ('category', 'changed', '{}', 'Changed ${word}?', 'x', 'Geändert ${word}?', 'x'),
        ('emptied', 'gone', '{}', 'Gone ${word}?', 'x', 'Weg ${word}?', 'x');
    `;
    await update(entries('1'));
    const text = { title: 'Mine', content: 'Mine', is_draft: false };
    const changed = (await edited<EditedPage>('contents')).find(({ name }) => name === 'changed')!;
    await save('contents/changed', { if_updated_at: changed.updated_at, en: text, de: null });
    await app.request('DELETE', '/api/operator/contents/deleted', { as: operator });
    await save('contents', { names: ['changed', 'page'] });
    await save('contents/own', { if_updated_at: null, en: text, de: null });
    const path = 'faq_categories/category/faqs';
    const question = (await edited<EditedFaqCategory>('faq_categories'))[0]!.faqs.find(
      ({ name }) => name === 'changed',
    )!;
    await save(`${path}/changed`, { if_updated_at: question.updated_at, screens: [], en: text, de: text });

    const shown = async () => ({
      pages: (await edited<EditedPage>('contents')).map(({ en, de }) => [en?.title, de?.title]),
      categories: (await edited<EditedFaqCategory>('faq_categories')).map(({ en, faqs }) => [
        en?.title,
        faqs.map((faq) => [faq.en?.title, faq.de?.title]),
      ]),
    });
    await update(entries('2'));
    assert.deepEqual(await shown(), {
      pages: [
        ['Mine', undefined],
        ['Page 2', 'Seite 2'],
        ['Mine', undefined],
      ],
      categories: [
        [
          'Category 2',
          [
            ['Question 2?', 'Frage 2?'],
            ['Mine', 'Mine'],
          ],
        ],
        ['Emptied 2', [['Gone 2?', 'Weg 2?']]],
      ],
    });
    const once = await shown();
    await update(entries('2'));
    assert.deepEqual(await shown(), once);

    // Entries that are no longer written disappear; a category with questions of operators stays.
    await update('');
    assert.deepEqual(await shown(), {
      pages: [
        ['Mine', undefined],
        ['Mine', undefined],
      ],
      categories: [['Category 2', [['Mine', 'Mine']]]],
    });
  });

  test('entries are in the order of a newer version, unless operators have moved some', async () => {
    const entries = (pages: string[], questions: string[]) => `
      insert into written_pages values
        ${pages.map((name, i) => `(${i + 1}, '${name}', false, '${name}', 'x', '${name}', 'x')`).join(', ')};
      insert into written_categories values (1, 'order', 'Order', '', 'Ordnung', ''), (2, 'other', 'Other', '', 'Andere', '');
      insert into written_faqs (category, name, screens, en_title, en_content, de_title, de_content) values
        ('other', 'only', '{}', 'x', 'x', 'x', 'x'),
        ${questions.map((name) => `('order', '${name}', '{}', 'x', 'x', 'x', 'x')`).join(', ')};
    `;
    const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name).join(' ');
    const shown = async () => {
      const pages = await app.request<HelpPage[]>('GET', '/api/contents?locale=de');
      const categories = await app.request<FaqCategory[]>('GET', '/api/faq_categories?locale=de');
      const faqs = categories.body.find(({ name }) => name === 'order')!.faqs;
      return { pages: namesOf(pages.body), questions: namesOf(faqs) };
    };
    const text = { title: 'Mine', content: 'Mine', is_draft: false };
    for (const { name } of await edited<EditedPage>('contents'))
      await app.request('DELETE', `/api/operator/contents/${name}`, { as: operator });

    await update(entries(['a', 'b', 'c', 'd'], ['k', 'l', 'm']));
    await save('contents/also', { if_updated_at: null, en: text, de: text });
    await app.request('DELETE', '/api/operator/contents/d', { as: operator });
    await save('faq_categories/order/faqs', { names: ['m', 'k', 'l'] });
    await update(entries(['c', 'a', 'new', 'd', 'b'], ['l', 'new', 'k', 'm']));
    assert.deepEqual(await shown(), { pages: 'c a new b also', questions: 'm k l new' });

    // Not even if they have deleted and added entries again.
    for (const name of ['b', 'also', 'c'])
      await app.request('DELETE', `/api/operator/contents/${name}`, { as: operator });
    for (const name of ['also', 'b', 'c', 'd'])
      await save(`contents/${name}`, { if_updated_at: null, en: text, de: text });
    await update(entries(['b', 'c', 'd', 'a', 'new'], ['l', 'new', 'k', 'm']));
    assert.deepEqual(await shown(), { pages: 'b c d a new also', questions: 'm k l new' });
    await app.request('DELETE', '/api/operator/contents/d', { as: operator });
    await update(entries(['c', 'a', 'new', 'd', 'b'], ['l', 'new', 'k', 'm']));
    assert.deepEqual(await shown(), { pages: 'c a new b also', questions: 'm k l new' });

    await save('contents', { names: ['c', 'a', 'also', 'new', 'b'] });
    await save('faq_categories/order/faqs', { names: ['l', 'new', 'k', 'm'] });
    await update(entries(['newest', 'b', 'a', 'c'], ['newest', 'k', 'l', 'm']));
    assert.deepEqual(await shown(), { pages: 'c a also b newest', questions: 'newest k l m' });
  });
});
