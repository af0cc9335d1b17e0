import type { FaqCategory, HelpPage } from '@reachout/contract/help.ts';
import type { HelpScreen } from '@reachout/contract/rules/help.ts';
import type { Language } from '@reachout/contract/rules/languages.ts';
import type { Transaction } from '../../platform/database/database.ts';

/** The published pages in a language, in their order. */
export async function listPages(trx: Transaction, locale: Language): Promise<HelpPage[]> {
  const rows = await trx
    .selectFrom('contents')
    .select(['id', 'name', 'title', 'content', 'position'])
    .select((eb) => eb.ref('locale').$castTo<Language>().as('locale'))
    .where('locale', 'in', [locale, 'en'])
    .where('deleted', '=', false)
    .where('is_draft', '=', false)
    .orderBy('position')
    .orderBy('name')
    .execute();
  return preferLanguage(rows, locale, (row) => row.locale);
}

/** The categories with published questions in a language, in their order. */
export async function listFaqCategories(trx: Transaction, locale: Language): Promise<FaqCategory[]> {
  const categories = await trx
    .selectFrom('faq_categories')
    .select(['id', 'name', 'title', 'description', 'position'])
    .select((eb) => eb.ref('language').$castTo<Language>().as('language'))
    .where('language', 'in', [locale, 'en'])
    .where('deleted', '=', false)
    .orderBy('position')
    .orderBy('name')
    .execute();
  const faqs = await trx
    .selectFrom('faqs')
    .innerJoin('faq_categories as category', 'category.id', 'faqs.faq_category_id')
    .select([
      'faqs.id',
      'faqs.name',
      'faqs.title',
      'faqs.content',
      'faqs.is_draft',
      'category.name as category',
    ])
    .select((eb) => [
      eb.ref('category.language').$castTo<Language>().as('language'),
      eb.ref('faqs.screens').$castTo<HelpScreen[]>().as('screens'),
    ])
    .where('category.language', 'in', [locale, 'en'])
    .where('category.deleted', '=', false)
    .where('faqs.deleted', '=', false)
    .where('faqs.is_draft', '=', false)
    .orderBy('faqs.position')
    .orderBy('faqs.name')
    .execute();
  return preferLanguage(categories, locale, (row) => row.language)
    .map((category) => {
      const own = faqs.filter((faq) => faq.category === category.name);
      const shown = preferLanguage(own, locale, (row) => row.language);
      return { ...category, faqs: shown.map(({ category: _category, ...faq }) => faq) };
    })
    .filter((category) => category.faqs.length > 0);
}

/** One row for each name: that in the language, otherwise the English one. */
function preferLanguage<T extends { name: string }>(
  rows: readonly T[],
  wanted: Language,
  languageOf: (row: T) => Language,
): T[] {
  const translated = new Set(rows.filter((row) => languageOf(row) === wanted).map(({ name }) => name));
  return rows.filter((row) => languageOf(row) === wanted || !translated.has(row.name));
}
