import { sql, type RawBuilder } from 'kysely';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { invalidQuery, type ContentBackend, type ItemsQuery } from '../backend/content-backend.ts';
import type { RuleField } from '../backend/rule-values.ts';
import { ruleToSql, searchToSql, sortKeyToSql } from './filter-rule-sql.ts';
import { parseSortKey, toSelection } from './item-query.ts';
import { streamRows } from './stream-rows.queries.ts';

/** Rows of a table that can be queried like items: presets, files and shares. */
export interface SystemRows {
  /** Without `id`. */
  fields: readonly RuleField[];
  /** A query with the columns `id` (text), `data` (jsonb), `user_created`, `date_created` and `date_updated`. */
  rows: RawBuilder<unknown>;
}

/** Read operations that items of collections and rows of tables have in common. */
export type ItemReader = Pick<
  ContentBackend,
  'listFields' | 'readItems' | 'findItems' | 'countItems' | 'aggregateItems' | 'getItem'
>;

export function createSystemReader(trx: Transaction, { fields: given, rows }: SystemRows): ItemReader {
  const fields = given.map(toStoredField);

  /** SQL fragment: the `from` and `where` clauses for the rows that a query matches. */
  const fromMatching = (query: Pick<ItemsQuery, 'filter' | 'search'>) => {
    const { rule, search } = toSelection({ organizationId: '', userId: null }, '', fields, query);
    return sql`from (${rows}) item
      where ${ruleToSql(rule)} and ${search === undefined ? sql`true` : searchToSql(search.text, fields)}`;
  };
  async function* read({ sort = [], limit, offset, ...query }: ItemsQuery) {
    const keys = sort
      .map((key) => parseSortKey(key, fields))
      .map(({ field, descending }) => sql`${sortKeyToSql(field)} ${descending ? sql`desc` : sql`asc`}`);
    const found = streamRows(
      trx,
      sql<{ id: string; data: Item }>`
        select item.id, item.data ${fromMatching(query)}
        order by ${sql.join([...keys, sql`item.id`])}
        limit ${limit} offset ${offset}`,
    );
    for await (const piece of found) yield piece.map(({ id, data }): Item => ({ id, ...data }));
  }
  const findItems = async (query: ItemsQuery): Promise<Item[]> => {
    const items: Item[] = [];
    for await (const piece of read(query)) items.push(...piece);
    return items;
  };
  return {
    listFields: (collection) => Promise.resolve(describe(collection, given)),
    readItems: (_collection, query) => read(query),
    findItems: (_collection, query) => findItems(query),
    async countItems(_collection, query) {
      const counted = await sql<{ count: number }>`select count(*) as count ${fromMatching(query)}`.execute(
        trx,
      );
      return counted.rows[0]?.count ?? 0;
    },
    aggregateItems: () => Promise.reject(invalidQuery('aggregate: Only {"count":"*"} is possible here.')),
    async getItem(_collection, key) {
      const [item] = await findItems({ filter: { id: { _eq: key } }, limit: 1, offset: 0 });
      if (item === undefined) throw notFound();
      return item;
    },
  };
}

const describe = (collection: string, fields: readonly RuleField[]): Field[] =>
  [{ name: 'id', type: 'uuid' } as const, ...fields].map(({ name, type }) => ({
    collection,
    field: name,
    type,
    ...plain,
  }));

const plain = {
  label: null,
  interface: null,
  choices: null,
  required: false,
  unique: false,
  hidden: false,
  readonly: false,
  default_value: null,
  sort: null,
};

const toStoredField = ({ name, type }: RuleField) => {
  const { default_value: defaultValue, ...settings } = plain;
  return { name, type, ...settings, defaultValue };
};
