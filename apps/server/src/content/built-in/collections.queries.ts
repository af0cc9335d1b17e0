import { sql } from 'kysely';
import type { Owner } from '@reachout/contract/rules/owners.ts';
import { execute, hasRows, type RowOf, type Transaction } from '../../platform/database/database.ts';
import { countRows } from '../../platform/database/list-page.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { isPlatformCollection } from '../backend/content-backend.ts';
import { hasCurrentOwner, isUsableBySql, type UsableBy } from '../owners/owner.queries.ts';
import type { StoredField } from './stored-field.ts';

/** A collection as users see it. */
export type CollectionRow = RowOf<typeof selectCollections>;

/** Selects the collections for users, with their item counts; not those of deleted clients and brands. */
const selectCollections = (trx: Transaction, organizationId: string) =>
  trx
    .selectFrom('content_collections as c')
    .select((eb) => [
      'c.collection',
      'c.label',
      'c.hidden',
      'c.sort',
      'c.client_id',
      'c.brand_id',
      'c.items_count as item_count',
      eb
        .exists(
          eb
            .selectFrom('content_fields as f')
            .whereRef('f.organization_id', '=', 'c.organization_id')
            .whereRef('f.collection', '=', 'c.collection')
            .where('f.field', '=', 'email'),
        )
        .$castTo<boolean>()
        .as('has_contacts'),
    ])
    .where('c.organization_id', '=', organizationId)
    .where(
      sql<boolean>`not starts_with(c.collection, 'reachout_') and not starts_with(c.collection, 'directus_')`,
    )
    .where(hasCurrentOwner);

/** Lists collections by `sort`, then by name. */
export const listVisibleCollections = (
  trx: Transaction,
  organizationId: string,
  usableBy: UsableBy = {},
  { withHidden = false }: { withHidden?: boolean } = {},
): Promise<CollectionRow[]> =>
  selectCollections(trx, organizationId)
    .where(isUsableBySql(usableBy))
    .$if(!withHidden, (query) => query.where('c.hidden', '=', false))
    .orderBy('c.sort')
    .orderBy(sql`lower(coalesce(c.label, c.collection))`)
    .orderBy('c.collection')
    .execute();

/**
 * @param lock  held until the transaction ends: `update` to change or delete the collection, `keyShare` to store a reference
 *   to it
 * @returns undefined if users see no such collection
 */
export const findCollection = (
  trx: Transaction,
  organizationId: string,
  collection: string,
  { lock }: { lock?: 'update' | 'keyShare' } = {},
): Promise<CollectionRow | undefined> =>
  selectCollections(trx, organizationId)
    .where('c.collection', '=', collection)
    .$if(lock === 'update', (query) => query.forUpdate())
    .$if(lock === 'keyShare', (query) => query.forKeyShare())
    .executeTakeFirst();

/** Counts the collections of an organization, including hidden ones. */
export const countCollections = (trx: Transaction, organizationId: string): Promise<number> =>
  countRows(trx.selectFrom('content_collections').where('organization_id', '=', organizationId));

/** Whether a collection has this name, even one outside the access scope, or a deleted one that is not fully erased yet. */
export const isNameTaken = (trx: Transaction, collection: string) => hasRows(trx)`
  select from owner_of_collection(${collection})
  union all
  select from deleted_collections where collection = ${collection}
`;

/** Deletes a collection with its fields. Its content is no longer accessible, and is erased later. */
export const deleteCollection = (trx: Transaction, organizationId: string, collection: string) => execute(
  trx,
)`
  with deleted as (
    delete from content_collections
    where organization_id = ${organizationId} and collection = ${collection}
    returning organization_id, collection
  )
  insert into deleted_collections (organization_id, collection) select organization_id, collection from deleted
`;

export async function updateCollection(
  trx: Transaction,
  organizationId: string,
  collection: string,
  changes: Partial<Owner & { label: string; hidden: boolean; sort: number | null }>,
): Promise<void> {
  await trx
    .updateTable('content_collections')
    .set(changes)
    .where('organization_id', '=', organizationId)
    .where('collection', '=', collection)
    .execute();
}

/** @returns undefined when there is no such collection, or its client or brand is deleted */
export async function findFields(
  trx: Transaction,
  organizationId: string,
  collection: string,
): Promise<StoredField[] | undefined> {
  const rows = await trx
    .selectFrom('content_collections as c')
    .leftJoin('content_fields as f', (join) =>
      join.onRef('f.organization_id', '=', 'c.organization_id').onRef('f.collection', '=', 'c.collection'),
    )
    .select([
      'f.field as name',
      'f.label',
      'f.type',
      'f.interface',
      'f.choices',
      'f.required',
      'f.is_unique as unique',
      'f.hidden',
      'f.readonly',
      'f.default_value as defaultValue',
      'f.sort',
    ])
    .where('c.organization_id', '=', organizationId)
    .where('c.collection', '=', collection)
    .$if(!isPlatformCollection(collection), (query) => query.where(hasCurrentOwner))
    .orderBy('f.field')
    .$call(prepared)
    .execute();
  if (rows.length === 0) return undefined;
  return rows.filter(({ name }) => name !== null) as StoredField[];
}

export interface NewCollection extends Partial<Owner> {
  collection: string;
  hidden: boolean;
  label?: string;
  fields: NewField[];
}

export type NewField = Pick<StoredField, 'name' | 'type'> &
  Partial<
    Pick<
      StoredField,
      | 'label'
      | 'interface'
      | 'choices'
      | 'required'
      | 'unique'
      | 'hidden'
      | 'readonly'
      | 'defaultValue'
      | 'sort'
    >
  >;

/** Adds fields that no item has a value for yet; `fields` may be empty. */
export async function insertFields(
  trx: Transaction,
  { organizationId, collection }: { organizationId: string; collection: string },
  fields: readonly NewField[],
): Promise<void> {
  if (fields.length === 0) return;
  await trx
    .insertInto('content_fields')
    .values(fields.map(toRow(organizationId, collection)))
    .execute();
}

export const toFieldColumns = (field: NewField) => ({
  label: field.label ?? null,
  type: field.type,
  interface: field.interface ?? null,
  choices: toJson(field.choices),
  required: field.required ?? false,
  is_unique: field.unique ?? false,
  hidden: field.hidden ?? false,
  readonly: field.readonly ?? false,
  default_value: toJson(field.defaultValue),
  sort: field.sort ?? null,
});

const toJson = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);

const toRow = (organization_id: string, collection: string) => (field: NewField) => ({
  organization_id,
  collection,
  field: field.name,
  ...toFieldColumns(field),
});

export async function insertCollections(
  trx: Transaction,
  organization_id: string,
  collections: readonly NewCollection[],
): Promise<void> {
  await trx
    .insertInto('content_collections')
    .values(collections.map(({ fields: _fields, ...collection }) => ({ organization_id, ...collection })))
    .execute();
  const rows = collections.flatMap(({ collection, fields }) =>
    fields.map(toRow(organization_id, collection)),
  );
  if (rows.length > 0) await trx.insertInto('content_fields').values(rows).execute();
}
