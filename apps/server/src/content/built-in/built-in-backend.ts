import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import { notFound, orNotFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { isUuid, newId } from '../../platform/ids.ts';
import { findFields, listVisibleCollections } from './collections.queries.ts';
import { lockFields } from './fields.queries.ts';
import { isStorable } from '../backend/field-values.ts';
import { noteChanges } from '../../clients/outbox/note-changes.ts';
import { enforceQuota } from '../../identity/organizations/quotas.ts';
import type { ContactRules, ItemWriter } from '../backend/contact-rules.ts';
import {
  isPlatformCollection,
  oneByOne,
  changedElsewhere,
  notUnique,
  validationFailed,
  type ContentBackend,
  type ItemsQuery,
  type SingleItems,
  type UpdateOptions,
} from '../backend/content-backend.ts';
import {
  countItems,
  findItem,
  findItemCount,
  lockItem,
  lockItems,
  selectItems,
  streamItems,
  type ItemRow,
  type ItemSelection,
} from './items.queries.ts';
import { deleteItem, insertItem, updateItem } from './write-item.queries.ts';
import { findSearchCandidates, type SearchCandidates } from './search-index.queries.ts';
import { aggregateItems } from './aggregate-items.queries.ts';
import { createBuiltInFiles, requireFiles } from '../files/built-in-files.ts';
import { fieldNamed, parseSortKey, shownFields, toPage, toSelection } from './item-query.ts';
import {
  checkChanges,
  checkNewItem,
  describeField,
  describeSystemFields,
  uniqueValuesOf,
  type StoredField,
} from './stored-field.ts';

export interface BackendOwner {
  organizationId: string;
  /** The acting user; null for jobs. */
  userId: string | null;
  /** Whether the transaction sees only items that the acting user created. */
  ownItemsOnly?: boolean;
  /** Needed to create and to change items, but for those of the platform's own collections. */
  contacts?: ContactRules | undefined;
}

export type BuiltInBackend = ContentBackend & SingleItems;

/** The built-in content backend of one organization; works inside a transaction of that organization. */
export function createBuiltInBackend(trx: Transaction, owner: BackendOwner): BuiltInBackend {
  const access = accessItems(trx, owner);
  const backend: SingleItems = {
    ...createReads(trx, owner, access),
    ...createWrites(trx, owner, access),
  };
  return { ...backend, ...oneByOne(backend) };
}

type ItemAccess = ReturnType<typeof accessItems>;

function accessItems(trx: Transaction, owner: BackendOwner) {
  const { organizationId } = owner;

  const fieldsOf = async (collection: string): Promise<StoredField[]> => {
    return orNotFound(await findFields(trx, organizationId, collection));
  };
  /** For writing items: locks the fields against changes until the transaction ends. */
  const lockedFieldsOf = async (collection: string): Promise<StoredField[]> => {
    await lockFields(trx, { organizationId, collection }, 'write items');
    return await fieldsOf(collection);
  };
  const keyOf = (collection: string, id: string) => {
    // No item has a key that cannot be stored.
    if (!isStorable(id)) throw notFound();
    return { organizationId, collection, id };
  };

  // Shared by a page and its count, which have the same search; creating or updating an item clears it.
  const found = new Map<string, Promise<SearchCandidates | undefined>>();
  const selectionOf = async (
    collection: string,
    fields: readonly StoredField[],
    query: Pick<ItemsQuery, 'filter' | 'search'>,
  ): Promise<ItemSelection> => {
    const selection = toSelection(owner, collection, fields, query);
    // The candidates are the items of everyone: the time that checking them takes would tell how many match.
    if (selection.search === undefined || owner.ownItemsOnly === true) return selection;
    const { text } = selection.search;
    const key = JSON.stringify([collection, text]);
    const finding = found.get(key) ?? findSearchCandidates(trx, collection, text);
    found.set(key, finding);
    return { ...selection, search: { ...selection.search, candidates: await finding } };
  };
  return { fieldsOf, lockedFieldsOf, keyOf, selectionOf, forgetSearches: () => found.clear() };
}

type Writes = 'createItem' | 'updateItem' | 'lockItems' | 'deleteItem';

function createReads(
  trx: Transaction,
  owner: BackendOwner,
  { fieldsOf, keyOf, selectionOf }: ItemAccess,
): Omit<SingleItems, Writes> {
  const { organizationId } = owner;
  return {
    files: createBuiltInFiles(trx, organizationId),

    listCollections: ({ with_hidden: withHidden = false, ...usableBy } = {}) =>
      listVisibleCollections(trx, organizationId, usableBy, { withHidden }),

    async listFields(collection) {
      return describeFields(collection, await fieldsOf(collection));
    },

    async findItems(collection, query) {
      const fields = await fieldsOf(collection);
      const selection = await selectionOf(collection, fields, query);
      const rows = await selectItems(trx, selection, toPage(fields, query));
      const shown = shownFields(fields, query);
      return rows.map((row) => toItem(row, shown));
    },

    async *readItems(collection, query) {
      const fields = await fieldsOf(collection);
      const selection = await selectionOf(collection, fields, query);
      const shown = shownFields(fields, query);
      for await (const rows of streamItems(trx, selection, toPage(fields, query))) {
        yield rows.map((row) => toItem(row, shown));
      }
    },

    async countItems(collection, query, { atMost } = {}) {
      const selection = await selectionOf(collection, await fieldsOf(collection), query);
      const isAll = Object.keys(query.filter ?? {}).length === 0 && (query.search ?? '') === '';
      // The counter has the items of everyone.
      if (isAll && owner.ownItemsOnly !== true)
        return await findItemCount(trx, { organizationId, collection });
      return await countItems(trx, selection, atMost);
    },

    async aggregateItems(collection, query) {
      const fields = await fieldsOf(collection);
      const { groupBy, aggregate, sort = [], limit, offset } = query;
      return await aggregateItems(trx, await selectionOf(collection, fields, query), {
        values: aggregate.map(({ function: name, field }) => ({
          function: name,
          field: field === '*' ? undefined : fieldNamed('aggregate', field, fields),
        })),
        groups: groupBy.map((name) => fieldNamed('groupBy', name, fields)),
        sort: sort.map((key) => parseSortKey(key, fields)),
        limit,
        offset,
      });
    },

    async getItem(collection, key) {
      const fields = await fieldsOf(collection);
      const row = orNotFound(await findItem(trx, keyOf(collection, key)));
      return toItem(row, fields);
    },
  };
}

function createWrites(
  trx: Transaction,
  owner: BackendOwner,
  { fieldsOf, lockedFieldsOf, keyOf, forgetSearches }: ItemAccess,
): Pick<SingleItems, Writes> {
  const { organizationId, contacts } = owner;
  /** No contact is written without these rules. */
  const keep = async (writer: ItemWriter, before: Item | undefined, after: Item): Promise<Item> => {
    if (isPlatformCollection(writer.collection)) return after;
    if (contacts === undefined) throw new Error('Items are written with the rules of contacts.');
    return await contacts.keepOptOuts(trx, writer, before, after);
  };
  /** Templates are always stored in the built-in backend; a connected Directus holds copies. */
  const noteTemplate = async (collection: string, id: string): Promise<void> => {
    if (collection === 'reachout_templates') await noteChanges(trx, collection, [id]);
  };
  return {
    async createItem(collection, given) {
      forgetSearches();
      const fields = await lockedFieldsOf(collection);
      const checked = checkNewItem(fields, given);
      const id = given['id'] ?? newId();
      if (!isUuid(id)) throw validationFailed([{ path: 'id', message: 'Use a UUID.' }]);
      if ('errors' in checked) throw validationFailed(checked.errors);
      await requireFiles(trx, organizationId, fields, checked.data);
      const data = await keep({ ...owner, collection }, undefined, checked.data);
      const { clashes, item } = await insertItem(trx, {
        ...keyOf(collection, id.toLowerCase()),
        data,
        claims: uniqueValuesOf(fields, data),
        userCreated: owner.userId,
      });
      if (clashes[0] !== undefined || item === undefined) throw notUnique(clashes[0] ?? 'id');
      await enforceQuota(trx, organizationId, isPlatformCollection(collection) ? 'templates' : 'contacts');
      await enforceQuota(trx, organizationId, 'content_megabytes');
      await noteTemplate(collection, item.id);
      return toItem(item, fields);
    },

    async updateItem(collection, key, changes, { ifDateUpdated }: UpdateOptions = {}) {
      forgetSearches();
      const fields = await lockedFieldsOf(collection);
      const before = orNotFound(await lockItem(trx, keyOf(collection, key)));
      if (ifDateUpdated !== undefined && Date.parse(ifDateUpdated) !== Date.parse(before.date_updated)) {
        throw changedElsewhere();
      }
      const checked = checkChanges(fields, changes);
      if ('errors' in checked) throw validationFailed(checked.errors);
      await requireFiles(trx, organizationId, fields, checked.data);
      const after = { ...before.data, ...checked.data };
      const data = await keep({ ...owner, collection }, before.data, after);
      const { claims, released } = compareUniqueValues(fields, before.data, data);
      const { clashes, item } = await updateItem(trx, { ...keyOf(collection, key), data, claims, released });
      if (clashes[0] !== undefined) throw notUnique(clashes[0]);
      if (item === undefined) throw notFound();
      // An organization beyond its limit can still make items smaller.
      if (lengthOf(data) > lengthOf(before.data))
        await enforceQuota(trx, organizationId, 'content_megabytes');
      await noteTemplate(collection, key);
      return toItem(item, fields);
    },

    async lockItems(collection, keys) {
      // Same lock order as changes of fields: first the fields, then the items.
      await lockFields(trx, { organizationId, collection }, 'write items');
      await lockItems(trx, { organizationId, collection }, keys.filter(isStorable));
    },

    async deleteItem(collection, key) {
      const fields = await fieldsOf(collection);
      const item = orNotFound(await lockItem(trx, keyOf(collection, key)));
      await deleteItem(trx, keyOf(collection, key), uniqueValuesOf(fields, item.data));
      await noteTemplate(collection, key);
    },
  };
}

const lengthOf = (data: unknown): number => Buffer.byteLength(JSON.stringify(data));

const describeFields = (collection: string, fields: readonly StoredField[]): Field[] =>
  [...fields.map((field) => describeField(collection, field)), ...describeSystemFields(collection)].toSorted(
    (a, b) => (a.field < b.field ? -1 : 1),
  );

/** A field without a value is present, as null. */
const toItem = ({ data, ...columns }: ItemRow, fields: readonly StoredField[]): Item => ({
  ...Object.fromEntries(
    fields.map(({ name }) => [name, Object.hasOwn(data, name) ? (data[name] ?? null) : null]),
  ),
  ...columns,
});

function compareUniqueValues(fields: readonly StoredField[], before: Item, after: Item) {
  const old = uniqueValuesOf(fields, before);
  const next = uniqueValuesOf(fields, after);
  const isIn = (list: typeof old) => (entry: (typeof old)[number]) =>
    list.some(({ field, value }) => field === entry.field && value === entry.value);
  return {
    claims: next.filter((entry) => !isIn(old)(entry)),
    released: old.filter((entry) => !isIn(next)(entry)),
  };
}
