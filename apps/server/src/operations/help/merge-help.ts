import type { EditedFaq, EditedFaqCategory, EditedPage } from '@reachout/contract/help.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { listOwnCategories, listOwnPages, listOwnFaqs, readOrders } from './help.queries.ts';
import { readReleasedHelp } from './released-help.ts';

const released = readReleasedHelp();

/** The names of the lists that have an order. */
export const lists = { pages: 'pages', categories: 'categories', faqsOf: (of: string) => `faqs of ${of}` };

/** The pages in their order, those of operators in place of released ones. */
export async function mergePages(trx: Transaction): Promise<EditedPage[]> {
  const pages = mergeEntries(
    released.pages,
    await listOwnPages(trx),
    (await readOrders(trx)).get(lists.pages),
  );
  return pages.map((page, index) => ({ ...page, position: index + 1 }));
}

/** The categories with their questions, in the same way. */
export async function mergeCategories(trx: Transaction): Promise<EditedFaqCategory[]> {
  const [categories, questions, orders] = [
    await listOwnCategories(trx),
    await listOwnFaqs(trx),
    await readOrders(trx),
  ];
  return mergeEntries(released.categories, categories, orders.get(lists.categories)).map((category) => ({
    ...category,
    faqs: mergeEntries<Pick<EditedFaq, 'name' | 'screens' | 'en' | 'de'>>(
      released.questions.get(category.name) ?? [],
      questions.get(category.name) ?? [],
      orders.get(lists.faqsOf(category.name)),
    ).map((faq) => ({ ...faq, de: category.de && faq.de })),
  }));
}

/**
 * @param order  names; what has none of them comes last
 * @returns each released entry or the operators' one of the same name, and what else operators have written
 */
export function mergeEntries<E extends { name: string }>(
  releasedEntries: readonly E[],
  own: readonly (E & { updated_at: string })[],
  order: readonly string[] = [],
): (E & { updated_at: string | null; is_released: boolean })[] {
  const entries = new Map(
    [
      ...releasedEntries.map((entry) => ({ ...entry, updated_at: null, is_released: true })),
      ...own.map((entry) => ({
        ...entry,
        is_released: releasedEntries.some(({ name }) => name === entry.name),
      })),
    ].map((entry) => [entry.name, entry]),
  );
  return [...new Set([...order, ...entries.keys()])].flatMap((name) => entries.get(name) ?? []);
}
