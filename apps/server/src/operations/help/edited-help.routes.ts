import { maxFaqs, maxHelpEntries } from '@reachout/contract/rules/help.ts';
import { languages, type Language } from '@reachout/contract/rules/languages.ts';
import { operations, type OperationContext } from '../../identity/access/operations.ts';
import { requireOperator } from '../../identity/operators/operators.ts';
import { transactionAs, type Database, type Transaction } from '../../platform/database/database.ts';
import { apiError, invalidInput, notFound, tooManyRecords } from '../../platform/http/api-error.ts';
import type { Log } from '../../platform/log.ts';
import {
  deleteFaqCategory,
  deleteFaqs,
  deletePage,
  listEditedFaqCategories,
  listEditedFaqs,
  listEditedPages,
  lockHelp,
  orderFaqCategories,
  orderFaqs,
  orderPages,
  saveCategoryText,
  saveFaqText,
  savePageText,
} from './edited-help.queries.ts';

interface EditedHelpDeps {
  authDb: Database;
  config: { operators: readonly string[] };
  log: Log;
}

/** The help of the installation, for operators. Their changes belong to no organization, so the log of the server has them. */
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
    pages: operations.editedHelp.pages.handler(({ context }) => read(context, listEditedPages)),

    savePage: operations.editedHelp.savePage.handler(({ input, context }) =>
      change(context, { operation: 'savePage', name: input.name }, async (trx) => {
        const { name } = input;
        const pages = await listEditedPages(trx);
        const position = findPosition(pages, input) ?? addLast(pages, pages.length, maxHelpEntries);
        for (const locale of languages) {
          const text = input[locale];
          if (text === null) await deletePage(trx, name, [locale]);
          else await savePageText(trx, { name, locale }, { text, position });
        }
        return findSaved(await listEditedPages(trx), name);
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
        checkComplete(names, await listEditedPages(trx));
        await orderPages(trx, names);
        return { names };
      }),
    ),

    faqCategories: operations.editedHelp.faqCategories.handler(({ context }) =>
      read(context, async (trx) => {
        const faqs = Map.groupBy(await listEditedFaqs(trx), ({ category }) => category);
        const categories = await listEditedFaqCategories(trx);
        return categories.map((category) => ({ ...category, faqs: faqs.get(category.name) ?? [] }));
      }),
    ),

    saveFaqCategory: operations.editedHelp.saveFaqCategory.handler(({ input, context }) =>
      change(context, { operation: 'saveFaqCategory', name: input.name }, async (trx) => {
        const { name } = input;
        const categories = await listEditedFaqCategories(trx);
        const position =
          findPosition(categories, input) ?? addLast(categories, categories.length, maxHelpEntries);
        for (const language of languages) {
          const text = input[language];
          if (text === null) await deleteFaqCategory(trx, name, [language]);
          else await saveCategoryText(trx, { name, language }, { text, position });
        }
        return findSaved(await listEditedFaqCategories(trx), name);
      }),
    ),

    deleteFaqCategory: operations.editedHelp.deleteFaqCategory.handler(({ input: { name }, context }) =>
      change(context, { operation: 'deleteFaqCategory', name }, async (trx) => {
        if (!(await deleteFaqCategory(trx, name, languages))) throw notFound();
        await deleteFaqs(trx, { category: name, name: null }, languages);
        return { name };
      }),
    ),

    orderFaqCategories: operations.editedHelp.orderFaqCategories.handler(({ input: { names }, context }) =>
      change(context, { operation: 'orderFaqCategories' }, async (trx) => {
        checkComplete(names, await listEditedFaqCategories(trx));
        await orderFaqCategories(trx, names);
        return { names };
      }),
    ),

    saveFaq: operations.editedHelp.saveFaq.handler(({ input, context }) =>
      change(context, { operation: 'saveFaq', category: input.category, name: input.name }, async (trx) => {
        const { category, name, screens } = input;
        const translated = await findLanguages(trx, category);
        const all = await listEditedFaqs(trx);
        const siblings = all.filter((faq) => faq.category === category);
        const position = findPosition(siblings, input) ?? addLast(siblings, all.length, maxFaqs);
        if (input.de !== null && !translated.includes('de'))
          throw invalidInput('de', 'The category has no German title yet. Enter that first.');
        // Answers in a language that the category has lost come back with it.
        for (const language of translated) {
          const text = input[language];
          if (text === null) await deleteFaqs(trx, { category, name }, [language]);
          else await saveFaqText(trx, { category, name, language }, { text, screens, position });
        }
        const saved = (await listEditedFaqs(trx)).filter((faq) => faq.category === category);
        return findSaved(saved, name);
      }),
    ),

    deleteFaq: operations.editedHelp.deleteFaq.handler(({ input: { category, name }, context }) =>
      change(context, { operation: 'deleteFaq', category, name }, async (trx) => {
        await findLanguages(trx, category);
        if (!(await deleteFaqs(trx, { category, name }, languages))) throw notFound();
        return { name };
      }),
    ),

    orderFaqs: operations.editedHelp.orderFaqs.handler(({ input: { category, names }, context }) =>
      change(context, { operation: 'orderFaqs', category }, async (trx) => {
        await findLanguages(trx, category);
        const siblings = (await listEditedFaqs(trx)).filter((faq) => faq.category === category);
        checkComplete(names, siblings);
        await orderFaqs(trx, category, names);
        return { names };
      }),
    ),
  };
}

/** @returns the languages that the category has a title in. @throws 404 */
async function findLanguages(trx: Transaction, name: string): Promise<Language[]> {
  const category = (await listEditedFaqCategories(trx)).find((one) => one.name === name);
  if (category === undefined) throw notFound();
  return languages.filter((language) => category[language] !== null);
}

interface Entry {
  name: string;
  position: number;
  updated_at: string;
}

/** @returns the position of the entry; undefined for a new one. @throws 409 `changed_elsewhere` */
function findPosition(
  entries: readonly Entry[],
  { name, if_updated_at }: { name: string; if_updated_at: string | null },
): number | undefined {
  const found = entries.find((entry) => entry.name === name);
  const isAsRead =
    if_updated_at === null || found === undefined
      ? if_updated_at === null && found === undefined
      : Date.parse(found.updated_at) === Date.parse(if_updated_at);
  if (!isAsRead) throw apiError('changed_elsewhere');
  return found?.position;
}

/**
 * @param count  entries that the limit is about, which may be more than those of the order
 * @returns the position after all entries
 * @throws 409 `too_many_records`
 */
function addLast(entries: readonly Entry[], count: number, limit: number): number {
  if (count >= limit) throw tooManyRecords(limit);
  return Math.max(0, ...entries.map(({ position }) => position)) + 1;
}

/** @throws 409 `changed_elsewhere` unless these are the names of all entries */
function checkComplete(names: readonly string[], entries: readonly Entry[]): void {
  const given = new Set(names);
  const isComplete = names.length === entries.length && entries.every(({ name }) => given.has(name));
  if (!isComplete) throw apiError('changed_elsewhere');
}

function findSaved(entries: readonly Entry[], wanted: string): Pick<Entry, 'name' | 'updated_at'> {
  const saved = entries.find(({ name }) => name === wanted);
  if (saved === undefined) throw new Error('What was saved is not listed.');
  return saved;
}
