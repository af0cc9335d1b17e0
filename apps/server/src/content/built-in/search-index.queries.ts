import { sql, type RawBuilder } from 'kysely';
import { valuesOf, type Transaction } from '../../platform/database/database.ts';
import { containsPattern } from '../../platform/database/list-page.ts';
import { isPlatformCollection } from '../backend/content-backend.ts';
import { withId } from './item-by-id.queries.ts';
import { searchedLength } from './filter-rule-sql.ts';

interface CollectionKey {
  organizationId: string;
  collection: string;
}

/**
 * SQL fragment for a statement that creates or changes items: queues them for the search index.
 * @param changed  a relation with their `id`
 */
export const queueForSearch = (
  { organizationId, collection }: CollectionKey,
  changed: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  insert into content_search_queue (organization_id, collection, item_ids)
  select ${organizationId}::uuid, ${collection}, array_agg(changed.id) from ${changed} changed
  where ${isIndexed(collection)}
  having count(*) > 0`;

/** Collections of the platform are not indexed: users do not search the whole text of templates. */
const isIndexed = (collection: string): boolean => !isPlatformCollection(collection);

/** SQL fragment for a statement that deletes an item: removes it from the index. */
export const removeFromSearch = ({
  organizationId,
  collection,
  id,
}: CollectionKey & { id: string }): RawBuilder<unknown> => sql`
  delete from content_search_texts
  where organization_id = ${organizationId} and collection = ${collection} and item_id = ${id}`;

/** Items that a search has to check. */
export interface SearchCandidates {
  ids: string[];
  /** Whether `ids` contains all matches. */
  isComplete: boolean;
}

/** Checking more candidates is no faster than scanning the items. */
const maxCandidates = 3_000;

/**
 * Finds the items whose values contain a text, and possibly others; the caller must check each item.
 * @returns undefined if the collection is not indexed
 */
export async function findSearchCandidates(
  trx: Transaction,
  collection: string,
  search: string,
): Promise<SearchCandidates | undefined> {
  if (!isIndexed(collection)) return undefined;
  const { rows } = await sql<{ ids: string[] }>`
    select coalesce(array_agg(item_id), '{}') as ids
    from search_candidates(
      ${collection}, lower(${containsPattern(significantPart(search))}::text), ${maxCandidates + 1}::integer)
  `.execute(trx);
  const { ids } = rows[0]!;
  // A queued item may have an indexed text as well.
  return { ids: [...new Set(ids)], isComplete: ids.length <= maxCandidates };
}

/**
 * @returns the part of a search that every match contains. For a number, the digits common to all notations: 07.50 also
 *   finds 7.5. For an email address, the part before the domain: the index looks up every trigram, and those of a domain
 *   occur in very many items.
 */
function significantPart(search: string): string {
  const [, digits] = /^-?0*(\d+(?:\.\d*[1-9])?)\.?0*$/.exec(search) ?? [];
  const [local] = /^[^@]*\w{3}@/.exec(search) ?? [];
  return digits ?? local ?? search;
}

/** Queue rows per transaction. Each row of an import holds 2,000 items. */
const queueRows = 3;

/**
 * Indexes the items of the oldest queue rows. Locks the items until the transaction ends: a concurrent delete waits, and
 * then also removes the new text. Does not wait for locks: an item that another transaction has locked is queued again.
 * @returns false when no more items can be indexed now
 */
export async function indexQueuedItems(trx: Transaction, organizationId: string): Promise<boolean> {
  const { rows } = await sql<{ done: number }>`
    with taken as materialized (
      delete from content_search_queue q
      using (
        select id from content_search_queue where organization_id = ${organizationId}
        order by id limit ${queueRows} for update skip locked
      ) oldest
      where q.organization_id = ${organizationId} and q.id = oldest.id
      returning q.collection, q.item_ids
    ), queued as materialized (
      select distinct taken.collection, id from taken, unnest(taken.item_ids) id
    ), looked_up as materialized (
      select queued.collection, queued.id, item.data is not null as is_locked, ${searchedText} as text,
        item.data is null and exists (
          select from content_items held
          where held.organization_id = ${organizationId} and held.collection = queued.collection and held.id = queued.id
        ) as is_held
      from queued
      left join lateral (
        select data from content_items
        where organization_id = ${organizationId} and collection = queued.collection and ${withId(sql`content_items.id`, sql`queued.id`)}
        limit 1
        for key share skip locked
      ) item on true
    ), written as (
      insert into content_search_texts (organization_id, collection, item_id, text)
      select ${organizationId}::uuid, collection, id, text from looked_up where is_locked
      on conflict (organization_id, collection, item_id) do update set text = excluded.text
      where content_search_texts.text <> excluded.text
    ), queued_again as (
      insert into content_search_queue (organization_id, collection, item_ids)
      select ${organizationId}::uuid, collection, array_agg(id) from looked_up where is_held group by collection
    )
    select count(*) as done from looked_up where not is_held
  `.execute(trx);
  return rows[0]!.done > 0;
}

/**
 * All values that a search may examine, lowercased and truncated as in searches: strings, lists as text, and numbers. The
 * types of the fields are ignored, because fields may be added later, and values of former fields may remain.
 */
const searchedText = sql`
  lower(coalesce((
    select string_agg(left(
      case jsonb_typeof(value)
        when 'array' then (select string_agg(element, ',') from jsonb_array_elements_text(value) element)
        else value #>> '{}'
      end, ${sql.lit(searchedLength)}), E'\n')
    from jsonb_each(item.data)
    where jsonb_typeof(value) in ('string', 'number', 'array')
  ), ''))`;

/** Organizations whose queue is not empty. */
export const listOrganizationsToIndex = (trx: Transaction, limit: number) => valuesOf<string>(trx)`
  select organization_id from organizations_to_index(${limit})
`;
