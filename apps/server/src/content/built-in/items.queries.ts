import { sql, type RawBuilder } from 'kysely';
import type { Item } from '@reachout/contract/content.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { RuleField } from '../backend/rule-values.ts';
import type { RuleNode } from '../backend/filter-rule.ts';
import { isStamp, ruleToSql, searchToSql, sortKeyToSql } from './filter-rule-sql.ts';
import { withId } from './item-by-id.queries.ts';
import type { SearchCandidates } from './search-index.queries.ts';
import { streamRows } from './stream-rows.queries.ts';

/** Which items of one collection. */
export interface ItemSelection {
  organizationId: string;
  collection: string;
  rule: RuleNode;
  /** Searches in `fields`; among the candidates alone, where they are known. */
  search:
    | { text: string; fields: readonly RuleField[]; candidates?: SearchCandidates | undefined }
    | undefined;
}

export interface ItemPage {
  sort: readonly { field: RuleField; descending: boolean }[];
  limit: number;
  offset: number;
  /** Only items behind this one in the order of ids, which is then theirs; null: from the first on. */
  after: string | null;
  /** Null: all fields. */
  fieldNames: readonly string[] | null;
}

export interface ItemRow {
  id: string;
  data: Item;
  user_created: string | null;
  date_created: string;
  date_updated: string;
}

const columns = (data: RawBuilder<unknown>) =>
  sql`item.id, ${data} as data, item.user_created, item.date_created, item.date_updated`;

/**
 * Sorted as PostgreSQL does it: without a value last, or first when descending; what is equal, by id. The latest come by
 * descending id, as the index has them: those of an import in the opposite order of its file.
 */
export async function selectItems(
  trx: Transaction,
  selection: ItemSelection,
  page: ItemPage,
): Promise<ItemRow[]> {
  if (isOfLatest(selection, page) && (await findItemCount(trx, selection)) > latestCount) {
    const { rows } = await itemsOf(selection, page, latestItems(selection)).execute(trx);
    if (rows.length === page.limit) return rows;
  }
  return (await itemsOf(selection, page).execute(trx)).rows;
}

/**
 * Among so many of the latest items a page is looked for first. PostgreSQL does not know how many items a rule finds, and would read and
 * sort all that it finds among a million.
 */
const latestCount = 10_000;

const isOfLatest = (
  { rule, search }: ItemSelection,
  { sort: [first], limit, offset, after }: ItemPage,
): boolean =>
  first?.field.name === 'date_created' &&
  first.descending &&
  after === null &&
  offset + limit < latestCount &&
  search?.candidates?.isComplete !== true &&
  !(search === undefined && rule.kind === 'all' && rule.nodes.length === 0);

const latestItems = ({ organizationId, collection }: ItemSelection): RawBuilder<unknown> => sql`(
  select * from content_items where organization_id = ${organizationId} and collection = ${collection}
  order by date_created desc, id desc limit ${latestCount}
) item`;

/** The same items by a cursor: what a page weighs is known only when it is read. */
export const streamItems = (
  trx: Transaction,
  selection: ItemSelection,
  page: ItemPage,
): AsyncGenerator<ItemRow[]> => streamRows(trx, itemsOf(selection, page));

function itemsOf(
  selection: ItemSelection,
  { sort, limit, offset, after, fieldNames }: ItemPage,
  items: RawBuilder<unknown> = itemsOfSelection(selection),
): RawBuilder<ItemRow> {
  const data =
    fieldNames === null
      ? sql`item.data`
      : sql`(select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(item.data) where key = any(${fieldNames}::text[]))`;
  const keys = sort.map(
    ({ field, descending }) => sql`${sortKeyToSql(field)} ${descending ? sql`desc` : sql`asc`}`,
  );
  const [first] = sort;
  const id = first?.descending === true && isStamp(first.field) ? sql`item.id desc` : sql`item.id`;
  return sql<ItemRow>`
    select ${columns(data)}
    from ${items}
    where ${matches(selection)} ${after === null ? sql`` : sql`and item.id > ${after}`}
    order by ${sql.join([...keys, id])}
    limit ${limit} offset ${offset}
  `;
}

/** All items of a collection, as the statements that add and remove items keep it. */
export async function findItemCount(
  trx: Transaction,
  { organizationId, collection }: Omit<ItemKey, 'id'>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select items_count as count from content_collections
    where organization_id = ${organizationId} and collection = ${collection}
  `.execute(trx);
  return rows[0]?.count ?? 0;
}

/** @param atMost  counts no further, and gives this number then */
export async function countItems(
  trx: Transaction,
  selection: ItemSelection,
  atMost: number | undefined,
): Promise<number> {
  const countIn = async (items: RawBuilder<unknown>) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (
        select from ${items} where ${matches(selection)} limit ${atMost ?? null}
      ) counted
    `.execute(trx);
    return rows[0]?.count ?? 0;
  };
  // So many candidates often have as many matches among them: the others need not be looked at.
  const candidates = selection.search?.candidates;
  if (atMost !== undefined && candidates?.isComplete === false) {
    const count = await countIn(candidateItems(selection, candidates));
    if (count >= atMost) return count;
  }
  return await countIn(itemsOfSelection(selection));
}

/** Of the collection those that have to be looked at, as `item`. */
export const itemsOfSelection = (selection: ItemSelection): RawBuilder<unknown> => {
  const candidates = selection.search?.candidates;
  return candidates?.isComplete === true ? candidateItems(selection, candidates) : sql`content_items item`;
};

/**
 * By their keys one by one: of an organization that came after its last analyze PostgreSQL knows nothing, and would walk through all
 * items.
 */
const candidateItems = (
  { organizationId, collection }: ItemSelection,
  { ids }: SearchCandidates,
): RawBuilder<unknown> => sql`
  unnest(${ids}::text[]) candidate(id)
  cross join lateral (
    select * from content_items stored
    where stored.organization_id = ${organizationId} and stored.collection = ${collection}
      and ${withId(sql`stored.id`, sql`candidate.id`)}
    limit 1
  ) item`;

export const matches = ({
  organizationId,
  collection,
  rule,
  search,
}: ItemSelection): RawBuilder<boolean> => sql`
  item.organization_id = ${organizationId} and item.collection = ${collection} and ${ruleToSql(rule)}
  and ${search === undefined ? sql`true` : searchToSql(search.text, search.fields)}`;

export interface ItemKey {
  organizationId: string;
  collection: string;
  id: string;
}

export async function findItem(trx: Transaction, key: ItemKey): Promise<ItemRow | undefined> {
  const { rows } = await sql<ItemRow>`
    select ${columns(sql`item.data`)} from content_items item where ${isItem(key)}
  `.execute(trx);
  return rows[0];
}

export async function lockItem(trx: Transaction, key: ItemKey): Promise<ItemRow | undefined> {
  const { rows } = await sql<ItemRow>`
    select ${columns(sql`item.data`)} from content_items item where ${isItem(key)} for update
  `.execute(trx);
  return rows[0];
}

/** In one order, whatever that of the ids: two transactions that lock the same items wait for each other, and not in a circle. */
export async function lockItems(
  trx: Transaction,
  { organizationId, collection }: Omit<ItemKey, 'id'>,
  ids: readonly string[],
): Promise<void> {
  await sql`
    select from (select distinct id from unnest(${ids}::text[]) id order by id) wanted
    cross join lateral (
      select from content_items item
      where item.organization_id = ${organizationId} and item.collection = ${collection}
        and ${withId(sql`item.id`, sql`wanted.id`)}
      limit 1
      for update
    ) locked
  `.execute(trx);
}

export const isItem = ({ organizationId, collection, id }: ItemKey): RawBuilder<boolean> =>
  sql`item.organization_id = ${organizationId} and item.collection = ${collection} and item.id = ${id}`;
