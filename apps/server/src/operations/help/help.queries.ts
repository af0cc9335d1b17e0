import type {
  CategoryText,
  EditedFaq,
  EditedFaqCategory,
  EditedPage,
  PageText,
} from '@reachout/contract/help.ts';
import type { HelpScreen } from '@reachout/contract/rules/help.ts';
import type { Language } from '@reachout/contract/rules/languages.ts';
import { sql } from 'kysely';
import { execute, rowsOf, type Transaction } from '../../platform/database/database.ts';

/** Until the end of the transaction, nobody else changes the help. */
export const lockHelp = (trx: Transaction) =>
  execute(trx)`select pg_advisory_xact_lock(hashtext('reachout help'))`;

type OwnPage = Pick<EditedPage, 'name' | 'en' | 'de'> & { updated_at: string };

/** The pages that operators have written. */
export const listOwnPages = (trx: Transaction) => rowsOf<OwnPage>(trx)`
  select en.name, greatest(en.updated_at, de.updated_at) as updated_at,
    jsonb_build_object('title', en.title, 'content', en.content, 'is_draft', en.is_draft) as en,
    case when de.name is not null then
      jsonb_build_object('title', de.title, 'content', de.content, 'is_draft', de.is_draft) end as de
  from contents en left join contents de on de.name = en.name and de.locale = 'de'
  where en.locale = 'en'
  order by en.name
`;

type OwnCategory = Pick<EditedFaqCategory, 'name' | 'en' | 'de'> & { updated_at: string };

export const listOwnCategories = (trx: Transaction) => rowsOf<OwnCategory>(trx)`
  select en.name, greatest(en.updated_at, de.updated_at) as updated_at,
    jsonb_build_object('title', en.title, 'description', en.description) as en,
    case when de.name is not null then
      jsonb_build_object('title', de.title, 'description', de.description) end as de
  from faq_categories en left join faq_categories de on de.name = en.name and de.language = 'de'
  where en.language = 'en'
  order by en.name
`;

type OwnFaq = Pick<EditedFaq, 'name' | 'screens' | 'en' | 'de'> & { updated_at: string };

/** By category. */
export async function listOwnFaqs(trx: Transaction): Promise<Map<string, OwnFaq[]>> {
  const { rows } = await sql<OwnFaq & { category: string }>`
    select en.category, en.name, en.screens, greatest(en.updated_at, de.updated_at) as updated_at,
      jsonb_build_object('title', en.title, 'content', en.content, 'is_draft', en.is_draft) as en,
      case when de.name is not null then
        jsonb_build_object('title', de.title, 'content', de.content, 'is_draft', de.is_draft) end as de
    from faqs en
    left join faqs de on de.category = en.category and de.name = en.name and de.language = 'de'
    where en.language = 'en'
    order by en.name
  `.execute(trx);
  const faqs = rows.map(({ category, ...faq }) => [category, faq] as const);
  return new Map(
    [...Map.groupBy(faqs, ([category]) => category)].map(([category, of]) => [
      category,
      of.map(([, faq]) => faq),
    ]),
  );
}

const now = sql<string>`now()`;

export async function savePageText(
  trx: Transaction,
  key: { name: string; locale: Language },
  text: PageText,
): Promise<void> {
  const values = { ...text, updated_at: now };
  await trx
    .insertInto('contents')
    .values({ ...key, ...values })
    .onConflict((conflict) => conflict.columns(['name', 'locale']).doUpdateSet(values))
    .execute();
}

export async function saveCategoryText(
  trx: Transaction,
  key: { name: string; language: Language },
  text: CategoryText,
): Promise<void> {
  const values = { ...text, updated_at: now };
  await trx
    .insertInto('faq_categories')
    .values({ ...key, ...values })
    .onConflict((conflict) => conflict.columns(['name', 'language']).doUpdateSet(values))
    .execute();
}

export async function saveFaqText(
  trx: Transaction,
  key: { category: string; name: string; language: Language },
  text: PageText & { screens: HelpScreen[] },
): Promise<void> {
  const values = { ...text, updated_at: now };
  await trx
    .insertInto('faqs')
    .values({ ...key, ...values })
    .onConflict((conflict) => conflict.columns(['category', 'name', 'language']).doUpdateSet(values))
    .execute();
}

/** @returns whether there was one */
export async function deletePage(
  trx: Transaction,
  name: string,
  locales: readonly Language[],
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('contents')
    .where('name', '=', name)
    .where('locale', 'in', locales)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** @returns whether there was one */
export async function deleteFaqCategory(
  trx: Transaction,
  name: string,
  of: readonly Language[],
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('faq_categories')
    .where('name', '=', name)
    .where('language', 'in', of)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** @param name  undefined for all of the category. @returns whether there was one */
export async function deleteFaqs(
  trx: Transaction,
  { category, name }: { category: string; name?: string },
  of: readonly Language[],
): Promise<boolean> {
  let deletion = trx.deleteFrom('faqs').where('category', '=', category).where('language', 'in', of);
  if (name !== undefined) deletion = deletion.where('name', '=', name);
  const { numDeletedRows } = await deletion.executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Of each list that operators have ordered, the names. */
export async function readOrders(trx: Transaction): Promise<Map<string, string[]>> {
  const rows = await trx.selectFrom('help_orders').select(['list', 'names']).execute();
  return new Map(rows.map(({ list, names }) => [list, names]));
}

export async function saveOrder(trx: Transaction, list: string, names: string[]): Promise<void> {
  await trx
    .insertInto('help_orders')
    .values({ list, names })
    .onConflict((conflict) => conflict.column('list').doUpdateSet({ names }))
    .execute();
}
