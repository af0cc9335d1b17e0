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
import type { Transaction } from '../../platform/database/database.ts';

const changed = { changed_at: sql<string>`now()`, updated_at: sql<string>`now()` };
const written = { ...changed, deleted: false };
/** An entry that was deleted and is written again is one that an operator has added. */
const writtenTo = (table: 'contents' | 'faq_categories' | 'faqs') => ({
  ...written,
  delivered_position: sql<number | null>`
    case when not ${sql.ref(`${table}.deleted`)} then ${sql.ref(`${table}.delivered_position`)} end
  `,
});

/** Until the end of the transaction, nobody else changes the help. */
export async function lockHelp(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('reachout help'))`.execute(trx);
}

export async function listEditedPages(trx: Transaction): Promise<EditedPage[]> {
  const { rows } = await sql<EditedPage>`
    select en.name, en.position, greatest(en.updated_at, de.updated_at) as updated_at,
      jsonb_build_object('title', en.title, 'content', en.content, 'is_draft', en.is_draft) as en,
      case when de.id is not null then
        jsonb_build_object('title', de.title, 'content', de.content, 'is_draft', de.is_draft) end as de
    from contents en left join contents de on de.name = en.name and de.locale = 'de' and not de.deleted
    where en.locale = 'en' and not en.deleted
    order by en.position, en.name
  `.execute(trx);
  return rows;
}

type ListedCategory = Omit<EditedFaqCategory, 'faqs'> & { position: number };

export async function listEditedFaqCategories(trx: Transaction): Promise<ListedCategory[]> {
  const { rows } = await sql<ListedCategory>`
    select en.name, en.position, greatest(en.updated_at, de.updated_at) as updated_at,
      jsonb_build_object('title', en.title, 'description', en.description) as en,
      case when de.id is not null then
        jsonb_build_object('title', de.title, 'description', de.description) end as de
    from faq_categories en
    left join faq_categories de on de.name = en.name and de.language = 'de' and not de.deleted
    where en.language = 'en' and not en.deleted
    order by en.position, en.name
  `.execute(trx);
  return rows;
}

type ListedFaq = EditedFaq & { category: string; position: number };

/** Of all categories, in their order in each. */
export async function listEditedFaqs(trx: Transaction): Promise<ListedFaq[]> {
  const { rows } = await sql<ListedFaq>`
    with translated as (
      select c.name as category, c.language, f.* from faqs f join faq_categories c on c.id = f.faq_category_id
      where not f.deleted and not c.deleted
    )
    select en.category, en.name, en.screens, en.position, greatest(en.updated_at, de.updated_at) as updated_at,
      jsonb_build_object('title', en.title, 'content', en.content, 'is_draft', en.is_draft) as en,
      case when de.id is not null then
        jsonb_build_object('title', de.title, 'content', de.content, 'is_draft', de.is_draft) end as de
    from translated en
    left join translated de on de.category = en.category and de.name = en.name and de.language = 'de'
    where en.language = 'en'
    order by en.position, en.name
  `.execute(trx);
  return rows;
}

export async function savePageText(
  trx: Transaction,
  key: { name: string; locale: Language },
  { text, position }: { text: PageText; position: number },
): Promise<void> {
  await trx
    .insertInto('contents')
    .values({ ...key, ...text, position, ...written })
    .onConflict((conflict) =>
      conflict.columns(['name', 'locale']).doUpdateSet({ ...text, position, ...writtenTo('contents') }),
    )
    .execute();
}

export async function saveCategoryText(
  trx: Transaction,
  key: { name: string; language: Language },
  { text, position }: { text: CategoryText; position: number },
): Promise<void> {
  await trx
    .insertInto('faq_categories')
    .values({ ...key, ...text, position, ...written })
    .onConflict((conflict) =>
      conflict
        .columns(['name', 'language'])
        .doUpdateSet({ ...text, position, ...writtenTo('faq_categories') }),
    )
    .execute();
}

export async function saveFaqText(
  trx: Transaction,
  { category, name, language }: { category: string; name: string; language: Language },
  values: { text: PageText; screens: HelpScreen[]; position: number },
): Promise<void> {
  const { text, screens, position } = values;
  const { id } = await trx
    .selectFrom('faq_categories')
    .select('id')
    .where('name', '=', category)
    .where('language', '=', language)
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('faqs')
    .values({ faq_category_id: id, name, ...text, screens, position, ...written })
    .onConflict((conflict) =>
      conflict
        .columns(['faq_category_id', 'name'])
        .doUpdateSet({ ...text, screens, position, ...writtenTo('faqs') }),
    )
    .execute();
}

/** @returns whether there was one */
export async function deletePage(
  trx: Transaction,
  name: string,
  locales: readonly Language[],
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('contents')
    .set({ ...changed, deleted: true })
    .where('name', '=', name)
    .where('locale', 'in', locales)
    .where('deleted', '=', false)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Its questions stay, but nobody sees them. @returns whether there was one */
export async function deleteFaqCategory(
  trx: Transaction,
  name: string,
  of: readonly Language[],
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('faq_categories')
    .set({ ...changed, deleted: true })
    .where('name', '=', name)
    .where('language', 'in', of)
    .where('deleted', '=', false)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @param name  of the question; null for all of the category. @returns whether there was one */
export async function deleteFaqs(
  trx: Transaction,
  { category, name }: { category: string; name: string | null },
  of: readonly Language[],
): Promise<boolean> {
  let deletion = trx
    .updateTable('faqs')
    .from('faq_categories as c')
    .set({ ...changed, deleted: true })
    .whereRef('c.id', '=', 'faqs.faq_category_id')
    .where('c.name', '=', category)
    .where('c.language', 'in', of)
    .where('faqs.deleted', '=', false);
  if (name !== null) deletion = deletion.where('faqs.name', '=', name);
  const { numUpdatedRows } = await deletion.executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Does not count as a change: an editor who has an entry open can still save it. */
export async function orderPages(trx: Transaction, names: readonly string[]): Promise<void> {
  await sql`
    update contents set position = wanted.position
    from unnest(${names}::text[]) with ordinality wanted (name, position) where contents.name = wanted.name
  `.execute(trx);
}

export async function orderFaqCategories(trx: Transaction, names: readonly string[]): Promise<void> {
  await sql`
    update faq_categories set position = wanted.position
    from unnest(${names}::text[]) with ordinality wanted (name, position) where faq_categories.name = wanted.name
  `.execute(trx);
}

export async function orderFaqs(trx: Transaction, category: string, names: readonly string[]): Promise<void> {
  await sql`
    update faqs set position = wanted.position
    from faq_categories c, unnest(${names}::text[]) with ordinality wanted (name, position)
    where c.id = faqs.faq_category_id and c.name = ${category} and faqs.name = wanted.name
  `.execute(trx);
}
