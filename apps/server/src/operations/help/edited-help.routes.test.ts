import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { EditedFaqCategory, EditedPage, FaqCategory, HelpPage } from '@reachout/contract/help.ts';
import { maxFaqs, maxHelpEntries } from '@reachout/contract/rules/help.ts';
import { useTestApp, type Person } from '../../testing/app.ts';
import { assertInvalid, assertProblem } from '../../testing/assert-problem.ts';
import { buildUser } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { deleteRows, updateRows } from '../../testing/rows.ts';
import { countWaiting, letLocksWait } from '../../testing/wait-for-lock.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { assertColumn } from '../../testing/assert-column.ts';

interface Saved {
  name: string;
  updated_at: string;
}

suite('help that operators change', () => {
  const app = useTestApp({ operators: ['ada@operators.example'] });
  let operator: Person;

  before(async () => {
    await letLocksWait(app);
    const { id, email } = await buildUser(app.owner, { email: 'ada@operators.example' });
    operator = await app.signIn({ userId: id, email });
  });

  const text = (title: string, is_draft = false) => ({ title, content: `**${title}**`, is_draft });
  const category = (title: string) => ({ title, description: '' });
  const put = (path: string, body: object, as = operator) =>
    as.request<Saved & { code: string; data?: unknown }>('PUT', `/api/operator/${path}`, body);
  const create = (path: string, body: object) => put(path, { if_updated_at: null, ...body });
  const remove = (path: string) => operator.request('DELETE', `/api/operator/${path}`);
  const edited = async <T>(path: string) => await operator.ok<T[]>('GET', `/api/operator/${path}`);
  const editedPage = async (name: string) =>
    (await edited<EditedPage>('contents')).find((page) => page.name === name);
  const editedCategory = async (name: string) =>
    (await edited<EditedFaqCategory>('faq_categories')).find((one) => one.name === name);
  const readPage = async (name: string, locale: string) =>
    (await app.ok<HelpPage[]>('GET', `/api/contents?locale=${locale}`)).find((page) => page.name === name);
  const readCategory = async (name: string, locale: string) =>
    (await app.ok<FaqCategory[]>('GET', `/api/faq_categories?locale=${locale}`)).find(
      (one) => one.name === name,
    );

  test('only operators see drafts and change the help (TEN-1)', async () => {
    const stranger = await app.signIn();
    for (const path of ['contents', 'faq_categories'])
      assertProblem(await stranger.request('GET', `/api/operator/${path}`), 403, 'forbidden', path);
    const body = { if_updated_at: null, en: text('Mine'), de: null };
    assertProblem(await put('contents/of-a-stranger', body, stranger), 403, 'forbidden');
    assert.equal(await editedPage('of-a-stranger'), undefined);
  });

  test('a page is created, changed, unpublished, deleted and created anew', async () => {
    const created = await create('contents/terms', { en: text('Terms'), de: text('Bedingungen') });
    assert.equal(created.status, 200);
    assert.equal((await readPage('terms', 'de'))?.title, 'Bedingungen');

    // Without a German text, readers of German get the English one.
    const changed = await put('contents/terms', {
      if_updated_at: created.body.updated_at,
      en: text('Our terms'),
      de: null,
    });
    assert.equal(changed.status, 200);
    const read = await readPage('terms', 'de');
    assert.deepEqual([read?.title, read?.locale], ['Our terms', 'en']);
    const { updated_at, ...page } = (await editedPage('terms'))!;
    assert.deepEqual([page.en, page.de, updated_at], [text('Our terms'), null, changed.body.updated_at]);

    const draft = { if_updated_at: updated_at, en: text('Our terms', true), de: null };
    assert.equal((await put('contents/terms', draft)).status, 200);
    assert.equal(await readPage('terms', 'en'), undefined);

    assert.equal((await remove('contents/terms')).status, 200);
    assertProblem(await remove('contents/terms'), 404, 'not_found');
    assert.equal(await editedPage('terms'), undefined);
    assert.equal((await create('contents/terms', { en: text('Again'), de: null })).status, 200);
    assert.deepEqual(
      [(await editedPage('terms'))?.en?.title, (await editedPage('terms'))?.de],
      ['Again', null],
    );
  });

  test('pages need a valid name, a title and a text', async () => {
    assertInvalid(await create('contents/No_Slug', { en: text('x'), de: null }), 'name');
    assertInvalid(await create('contents/no-english', { en: null, de: text('x') }), 'en');
    assertInvalid(await create('contents/no-title', { en: text(''), de: null }), 'en.title');
    const blank = { ...text('x'), content: ' \n' };
    assertInvalid(await create('contents/no-text', { en: text('x'), de: blank }), 'de.content');
  });

  test('a text that has changed since it was read is not overwritten', async () => {
    const body = { en: text('One'), de: null };
    const { updated_at } = (await create('contents/raced', body)).body;
    assertProblem(await create('contents/raced', body), 409, 'changed_elsewhere');
    // Both have read the same text and save it at once: one of them wins.
    const saving = await app.owner.transaction().execute(async (trx) => {
      await updateRows(trx, 'contents', { name: 'raced' }, { title: 'One' });
      const requests = ['Two', 'Three'].map((title) =>
        put('contents/raced', { if_updated_at: updated_at, en: text(title), de: text(title) }),
      );
      await waitUntil('both wait', async () => (await countWaiting(app.owner)) === 2);
      return { requests };
    });
    const answers = await Promise.all(saving.requests);
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    );
    const winner = answers[0]?.status === 200 ? 'Two' : 'Three';
    assert.equal((await editedPage('raced'))?.en?.title, winner);
    await remove('contents/raced');
    assertProblem(
      await put('contents/raced', { ...body, if_updated_at: updated_at }),
      409,
      'changed_elsewhere',
    );
  });

  test('an order names all entries, and is no change of them', async () => {
    for (const name of ['first', 'second']) await create(`contents/${name}`, { en: text(name), de: null });
    const pages = await edited<EditedPage>('contents');
    const names = pages.map(({ name }) => name).toReversed();
    assert.equal((await put('contents', { names })).status, 200);
    const after = await edited<EditedPage>('contents');
    assertColumn(after, 'name', names);
    assertColumn(after, 'updated_at', pages.map(({ updated_at }) => updated_at).toReversed());
    const read = (await app.ok<HelpPage[]>('GET', '/api/contents?locale=de')).map(({ name }) => name);
    assert.deepEqual(
      read,
      names.filter((name) => read.includes(name)),
    );
    for (const wrong of [names.slice(1), [...names, 'unknown'], [...names.slice(1), names[1]]])
      assertProblem(await put('contents', { names: wrong }), 409, 'changed_elsewhere');
  });

  test('a question is shown in its category, in both languages', async () => {
    const both = { en: category('Cats'), de: category('Katzen') };
    assert.equal((await create('faq_categories/cats', both)).status, 200);
    const path = 'faq_categories/cats/faqs';
    const question = { screens: ['contacts'], en: text('Why?'), de: text('Warum?') };
    const { updated_at } = (await create(`${path}/why`, question)).body;
    assert.equal(
      (await create(`${path}/how`, { screens: [], en: text('How?'), de: text('Wie?', true) })).status,
      200,
    );
    const read = await readCategory('cats', 'de');
    assert.deepEqual(
      [read?.title, read?.faqs.map(({ title, language, screens }) => [title, language, screens])],
      [
        'Katzen',
        [
          ['How?', 'en', []],
          ['Warum?', 'de', ['contacts']],
        ],
      ],
    );
    assert.equal((await put(path, { names: ['why', 'how'] })).status, 200);
    assertColumn((await readCategory('cats', 'en'))?.faqs, 'name', ['why', 'how']);
    assertProblem(
      await put(`${path}/why`, { ...question, if_updated_at: '2026-01-01T00:00:00Z' }),
      409,
      'changed_elsewhere',
    );
    assert.equal((await put(`${path}/why`, { ...question, if_updated_at: updated_at })).status, 200);
    assertInvalid(await create(`${path}/where`, { ...question, screens: ['garden'] }), 'screens.0');
    assert.equal((await remove(`${path}/how`)).status, 200);
    assertProblem(await remove(`${path}/how`), 404, 'not_found');
    assertProblem(await create('faq_categories/dogs/faqs/why', question), 404, 'not_found');
  });

  test('German answers return with the German title of their category', async () => {
    const both = { en: category('Birds'), de: category('Vögel') };
    let { updated_at } = (await create('faq_categories/birds', both)).body;
    const question = { screens: [], en: text('Why?'), de: text('Warum?') };
    const path = 'faq_categories/birds/faqs/why';
    let saved = (await create(path, question)).body;
    const save = async (body: object) => {
      ({ updated_at } = (await put('faq_categories/birds', { if_updated_at: updated_at, ...body })).body);
    };
    await save({ ...both, de: null });
    const hidden = (await editedCategory('birds'))!.faqs[0]!;
    assert.equal(hidden.de, null);
    assertInvalid(await put(path, { ...question, if_updated_at: hidden.updated_at }), 'de');
    const english = { ...question, de: null, if_updated_at: hidden.updated_at };
    saved = (await put(path, english)).body;
    await save(both);
    const [found] = (await editedCategory('birds'))!.faqs;
    assert.deepEqual([found?.de, found?.updated_at], [question.de, saved.updated_at]);
  });

  test('a category is deleted with its questions', async () => {
    const both = { en: category('Fish'), de: null };
    await create('faq_categories/fish', both);
    await create('faq_categories/fish/faqs/why', { screens: [], en: text('Why?'), de: null });
    assert.equal((await remove('faq_categories/fish')).status, 200);
    assert.equal(await readCategory('fish', 'en'), undefined);
    assert.equal((await create('faq_categories/fish', both)).status, 200);
    assert.deepEqual((await editedCategory('fish'))?.faqs, []);
  });

  test('what operators write replaces a released entry until it is deleted', async () => {
    const released = (await editedPage('sending-domain'))!;
    assert.deepEqual([released.updated_at, released.is_released], [null, true]);
    const path = 'contents/sending-domain';
    assertProblem(await remove(path), 404, 'not_found');
    const body = { en: text('Ours'), de: null };
    const { updated_at } = (await create(path, body)).body;
    assertProblem(await create(path, body), 409, 'changed_elsewhere');
    assert.equal((await readPage('sending-domain', 'de'))?.title, 'Ours');
    assert.equal((await editedPage('sending-domain'))?.position, released.position);
    const hidden = { if_updated_at: updated_at, en: text('Ours', true), de: null };
    assert.equal((await put(path, hidden)).status, 200);
    assert.equal(await readPage('sending-domain', 'de'), undefined);
    assert.equal((await remove(path)).status, 200);
    assert.deepEqual(await editedPage('sending-domain'), released);

    const found = (await editedCategory('domains'))!;
    const [question] = found.faqs;
    const answer = { screens: [], en: text('Why?'), de: text('Warum?') };
    const questionPath = `faq_categories/domains/faqs/${question!.name}`;
    assert.equal((await create(questionPath, answer)).status, 200);
    assert.equal((await create('faq_categories/domains', { en: category('Ours'), de: null })).status, 200);
    assert.equal((await readCategory('domains', 'de'))?.title, 'Ours');
    // The category is shown as released again, the question stays.
    assert.equal((await remove('faq_categories/domains')).status, 200);
    const after = (await editedCategory('domains'))!;
    assert.deepEqual([after.en, after.faqs[0]?.en], [found.en, answer.en]);
    assert.equal((await remove(questionPath)).status, 200);
    assert.deepEqual(await editedCategory('domains'), found);
  });

  test('the number of pages is limited', async () => {
    const more = maxHelpEntries - (await edited<EditedPage>('contents')).length;
    const rows = Array.from({ length: more }, (_, i) => ({
      name: `many-${i}`,
      locale: 'en' as const,
      title: 'x',
      content: 'x',
    }));
    await insertRows(app.owner, 'contents', rows);
    const answer = await create('contents/one-more', { en: text('x'), de: null });
    assertProblem(answer, 409, 'too_many_records');
    for (const { name } of rows) await deleteRows(app.owner, 'contents', { name });
    assert.equal((await create('contents/one-more', { en: text('x'), de: null })).status, 200);
  });

  test('the number of questions is limited over all categories', async () => {
    for (const name of ['full', 'small'])
      await create(`faq_categories/${name}`, { en: category(name), de: null });
    const categories = await edited<EditedFaqCategory>('faq_categories');
    const more = maxFaqs - categories.reduce((count, { faqs }) => count + faqs.length, 0);
    const rows = Array.from({ length: more }, (_, i) => ({
      category: 'full',
      language: 'en' as const,
      name: `many-${i}`,
      title: 'x',
      content: 'x',
    }));
    await insertRows(app.owner, 'faqs', rows);
    const answer = await create('faq_categories/small/faqs/why', { screens: [], en: text('x'), de: null });
    assertProblem(answer, 409, 'too_many_records');
    assert.deepEqual(answer.body.data, { limit: maxFaqs });
    assert.equal((await remove('faq_categories/full')).status, 200);
  });
});
