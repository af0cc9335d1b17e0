import { sql, type RawBuilder } from 'kysely';
import type { Item } from '@reachout/contract/content.ts';
import { execute, firstRowOf, type Transaction } from '../../platform/database/database.ts';
import type { RuleField } from '../backend/rule-values.ts';
import { maxPageLength, pageTooLarge } from '../backend/page-length.ts';
import type { RuleNode } from '../backend/filter-rule.ts';
import { isStamp, ruleToSql, searchToSql, sortKeyToSql } from './filter-rule-sql.ts';
import { withId } from './item-by-id.queries.ts';
import type { SearchCandidates } from './search-index.queries.ts';
import { streamRows } from './stream-rows.queries.ts';

/** Selects items of one collection. */
export interface ItemSelection {
  organizationId: string;
  collection: string;
  rule: RuleNode;
  /** Searches in `fields`. Complete `candidates` from the search index replace the scan of the collection. */
  search:
    | { text: string; fields: readonly RuleField[]; candidates?: SearchCandidates | undefined }
    | undefined;
}

export interface ItemPage {
  sort: readonly { field: RuleField; descending: boolean }[];
  limit: number;
  offset: number;
  /** Only items with a greater id, in id order; null starts at the first item. */
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
 * Sorts as PostgreSQL does: nulls last, or first when descending; ties by id. With a descending timestamp, ties are in
 * descending id order, as in the index: the items of one import come in reverse file order.
 * @throws `invalid_query` if the items are too large for a response
 */
export async function selectItems(
  trx: Transaction,
  selection: ItemSelection,
  page: ItemPage,
): Promise<ItemRow[]> {
  if (isOfLatest(selection, page) && (await findItemCount(trx, selection)) > latestCount) {
    const rows = await selectWithin(trx, itemsOf(selection, page, latestItems(selection)));
    if (rows.length === page.limit) return rows;
  }
  return await selectWithin(trx, itemsOf(selection, page));
}

/** Reads a page in one statement, and of a page that is too large only what a response may have. */
async function selectWithin(trx: Transaction, items: RawBuilder<ItemRow>): Promise<ItemRow[]> {
  const { rows } = await sql<Omit<ItemRow, 'data'> & { data: string | null }>`
    select id, case when reached <= ${maxPageLength} or position = 1 then data end as data,
      user_created, date_created, date_updated
    from (
      select *, row_number() over (rows unbounded preceding) as position,
        sum(octet_length(data)) over (rows unbounded preceding) as reached
      from (select id, data::text as data, user_created, date_created, date_updated from (${items}) item) page
    ) counted
    where reached - octet_length(data) <= ${maxPageLength}
  `.execute(trx);
  return rows.map(({ data, ...row }, index) => {
    if (data === null) throw pageTooLarge(index);
    return { ...row, data: JSON.parse(data) as Item };
  });
}

/**
 * A page is first looked for among this many of the latest items. PostgreSQL cannot estimate how many items match a rule,
 * and would read and sort all matches among a million items.
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

/** Reads the items of a page through a cursor, because its size in bytes is known only once it is read. */
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
  // Candidates come in the order of their ids. PostgreSQL knows this of `candidate.id` only, and then ends with the page.
  const isSortedCandidates = first === undefined && selection.search?.candidates?.isComplete === true;
  return sql<ItemRow>`
    select ${columns(data)}
    from ${items}
    where ${matches(selection)} ${after === null ? sql`` : sql`and item.id > ${after}`}
    order by ${isSortedCandidates ? sql`candidate.id` : sql.join([...keys, id])}
    limit ${limit} offset ${offset}
  `;
}

/** @returns the number of all items, from the counter that inserts and deletes maintain; 0 without such a collection */
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

/** @param atMost  stops counting at this number and returns it */
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
  // This many candidates often contain `atMost` matches; the other items then need not be read.
  const candidates = selection.search?.candidates;
  if (atMost !== undefined && candidates?.isComplete === false) {
    const count = await countIn(candidateItems(selection, candidates));
    if (count >= atMost) return count;
  }
  return await countIn(itemsOfSelection(selection));
}

/** The items to check against the selection, as the relation `item`. */
export const itemsOfSelection = (selection: ItemSelection): RawBuilder<unknown> => {
  const candidates = selection.search?.candidates;
  return candidates?.isComplete === true ? candidateItems(selection, candidates) : sql`content_items item`;
};

/**
 * Looks items up by key, one by one: PostgreSQL has no statistics for an organization created after the last analyze, and
 * would otherwise scan all items.
 */
const candidateItems = (
  { organizationId, collection }: ItemSelection,
  { ids }: SearchCandidates,
): RawBuilder<unknown> => sql`
  (select id from unnest(${ids}::text[]) id order by id) candidate
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

export const findItem = (trx: Transaction, key: ItemKey) => firstRowOf<ItemRow>(trx)`
  select ${columns(sql`item.data`)} from content_items item where ${isItem(key)}
`;

export const lockItem = (trx: Transaction, key: ItemKey) => firstRowOf<ItemRow>(trx)`
  select ${columns(sql`item.data`)} from content_items item where ${isItem(key)} for update
`;

/** Locks items in id order, whatever the order of `ids`, so that transactions that lock the same items cannot deadlock. */
export const lockItems = (
  trx: Transaction,
  { organizationId, collection }: Omit<ItemKey, 'id'>,
  ids: readonly string[],
) => execute(trx)`
  select from (select distinct id from unnest(${ids}::text[]) id order by id) wanted
  cross join lateral (
    select from content_items item
    where item.organization_id = ${organizationId} and item.collection = ${collection}
      and ${withId(sql`item.id`, sql`wanted.id`)}
    limit 1
    for update
  ) locked
`;

export const isItem = ({ organizationId, collection, id }: ItemKey): RawBuilder<boolean> =>
  sql`item.organization_id = ${organizationId} and item.collection = ${collection} and item.id = ${id}`;
