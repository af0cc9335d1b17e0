import type { EditedFaqCategory } from '@reachout/contract/help.ts';
import { maxFaqs, maxHelpEntries } from '@reachout/contract/rules/help.ts';
import { languages } from '@reachout/contract/rules/languages.ts';
import { operations, type OperationContext } from '../../identity/access/operations.ts';
import { requireOperator } from '../../identity/operators/operators.ts';
import { transactionAs, type Database, type Transaction } from '../../platform/database/database.ts';
import { apiError, invalidInput, notFound, tooManyRecords } from '../../platform/http/api-error.ts';
import type { Log } from '../../platform/log.ts';
import {
  deleteFaqCategory,
  deleteFaqs,
  deletePage,
  lockHelp,
  saveCategoryText,
  saveFaqText,
  saveOrder,
  savePageText,
} from './help.queries.ts';
import { lists, mergeCategories, mergePages } from './merge-help.ts';

interface EditedHelpDeps {
  authDb: Database;
  config: { operators: readonly string[] };
  log: Log;
}

/** The help of the installation, for operators. Their changes belong to no organization, so the log of the server has them. */
// oxlint-disable-next-line max-lines-per-function -- a flat list: one operation after the other
export function createEditedHelpRoutes({ authDb, config: { operators }, log }: EditedHelpDeps) {
  const read = async <T>(context: OperationContext, work: (trx: Transaction) => Promise<T>): Promise<T> => {
    await requireOperator(context, operators);
    return await transactionAs(authDb, {}, work);
  };
  /** One change at a time: each compares the help with what its editor has read. */
  const change = async <T>(
    context: OperationContext,
    changed: { operation: string; category?: string; name?: string },
    work: (trx: Transaction) => Promise<T>,
  ): Promise<T> => {
    const result = await read(context, async (trx) => {
      await lockHelp(trx);
      return await work(trx);
    });
    log.info({ user: context.userId, ...changed }, 'an operator changed the help');
    return result;
  };

  return {
    pages: operations.editedHelp.pages.handler(({ context }) => read(context, mergePages)),

    savePage: operations.editedHelp.savePage.handler(({ input, context }) =>
      change(context, { operation: 'savePage', name: input.name }, async (trx) => {
        const { name } = input;
        const pages = await mergePages(trx);
        checkWritable(pages, input, pages.length, maxHelpEntries);
        for (const locale of languages) {
          const text = input[locale];
          if (text === null) await deletePage(trx, name, [locale]);
          else await savePageText(trx, { name, locale }, text);
        }
        return findSaved(await mergePages(trx), name);
      }),
    ),

    deletePage: operations.editedHelp.deletePage.handler(({ input: { name }, context }) =>
      change(context, { operation: 'deletePage', name }, async (trx) => {
        if (!(await deletePage(trx, name, languages))) throw notFound();
        return { name };
      }),
    ),

    orderPages: operations.editedHelp.orderPages.handler(({ input: { names }, context }) =>
      change(context, { operation: 'orderPages' }, async (trx) => {
        checkComplete(names, await mergePages(trx));
        await saveOrder(trx, lists.pages, names);
        return { names };
      }),
    ),

    faqCategories: operations.editedHelp.faqCategories.handler(({ context }) =>
      read(context, mergeCategories),
    ),

    saveFaqCategory: operations.editedHelp.saveFaqCategory.handler(({ input, context }) =>
      change(context, { operation: 'saveFaqCategory', name: input.name }, async (trx) => {
        const { name } = input;
        const categories = await mergeCategories(trx);
        checkWritable(categories, input, categories.length, maxHelpEntries);
        for (const language of languages) {
          const text = input[language];
          if (text === null) await deleteFaqCategory(trx, name, [language]);
          else await saveCategoryText(trx, { name, language }, text);
        }
        return findSaved(await mergeCategories(trx), name);
      }),
    ),

    deleteFaqCategory: operations.editedHelp.deleteFaqCategory.handler(({ input: { name }, context }) =>
      change(context, { operation: 'deleteFaqCategory', name }, async (trx) => {
        if (!(await deleteFaqCategory(trx, name, languages))) throw notFound();
        const isLeft = (await mergeCategories(trx)).some((category) => category.name === name);
        if (!isLeft) await deleteFaqs(trx, { category: name }, languages);
        return { name };
      }),
    ),

    orderFaqCategories: operations.editedHelp.orderFaqCategories.handler(({ input: { names }, context }) =>
      change(context, { operation: 'orderFaqCategories' }, async (trx) => {
        checkComplete(names, await mergeCategories(trx));
        await saveOrder(trx, lists.categories, names);
        return { names };
      }),
    ),

    saveFaq: operations.editedHelp.saveFaq.handler(({ input, context }) =>
      change(context, { operation: 'saveFaq', category: input.category, name: input.name }, async (trx) => {
        const { category, name, screens } = input;
        const { de, faqs, count } = await findCategory(trx, category);
        checkWritable(faqs, input, count, maxFaqs);
        if (input.de !== null && de === null)
          throw invalidInput('de', 'The category has no German title yet. Enter that first.');
        // Answers in a language that the category has lost come back with it.
        for (const language of de === null ? (['en'] as const) : languages) {
          const text = input[language];
          if (text === null) await deleteFaqs(trx, { category, name }, [language]);
          else await saveFaqText(trx, { category, name, language }, { ...text, screens });
        }
        return findSaved((await findCategory(trx, category)).faqs, name);
      }),
    ),

    deleteFaq: operations.editedHelp.deleteFaq.handler(({ input: { category, name }, context }) =>
      change(context, { operation: 'deleteFaq', category, name }, async (trx) => {
        if (!(await deleteFaqs(trx, { category, name }, languages))) throw notFound();
        return { name };
      }),
    ),

    orderFaqs: operations.editedHelp.orderFaqs.handler(({ input: { category, names }, context }) =>
      change(context, { operation: 'orderFaqs', category }, async (trx) => {
        checkComplete(names, (await findCategory(trx, category)).faqs);
        await saveOrder(trx, lists.faqsOf(category), names);
        return { names };
      }),
    ),
  };
}

/** @returns a category, and the number of questions in all of them. @throws 404 */
async function findCategory(trx: Transaction, name: string): Promise<EditedFaqCategory & { count: number }> {
  const categories = await mergeCategories(trx);
  const category = categories.find((one) => one.name === name);
  if (category === undefined) throw notFound();
  return { ...category, count: categories.reduce((sum, { faqs }) => sum + faqs.length, 0) };
}

interface Named {
  name: string;
  updated_at: string | null;
}

/**
 * @param count  entries that the limit is about, which may be more than those of the list
 * @throws 409 `changed_elsewhere`, `too_many_records`
 */
function checkWritable(
  entries: readonly Named[],
  { name, if_updated_at }: { name: string; if_updated_at: string | null },
  count: number,
  limit: number,
): void {
  const found = entries.find((entry) => entry.name === name);
  const isAsRead =
    if_updated_at === null || found?.updated_at == null
      ? if_updated_at === (found?.updated_at ?? null)
      : Date.parse(found.updated_at) === Date.parse(if_updated_at);
  if (!isAsRead) throw apiError('changed_elsewhere');
  if (found === undefined && count >= limit) throw tooManyRecords(limit);
}

/** @throws 409 `changed_elsewhere` unless these are the names of all entries */
function checkComplete(names: readonly string[], entries: readonly Named[]): void {
  const given = new Set(names);
  const isComplete = names.length === entries.length && entries.every(({ name }) => given.has(name));
  if (!isComplete) throw apiError('changed_elsewhere');
}

function findSaved(entries: readonly Named[], wanted: string): { name: string; updated_at: string } {
  const { name, updated_at } = entries.find((entry) => entry.name === wanted) ?? {};
  if (name === undefined || updated_at == null) throw new Error('What was saved is not listed.');
  return { name, updated_at };
}
