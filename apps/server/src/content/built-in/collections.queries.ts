import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import type { JsonValue } from '../backend/field-values.ts';
import type { StoredField } from './stored-field.ts';

/** Collections that people see, by name, with the number of their items. */
export async function listVisibleCollections(trx: Transaction, organizationId: string) {
  return await trx
    .selectFrom('content_collections as c')
    .select((eb) => [
      'c.collection',
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
    .where('c.hidden', '=', false)
    .where(
      sql<boolean>`not starts_with(c.collection, 'reachout_') and not starts_with(c.collection, 'directus_')`,
    )
    .orderBy('c.collection')
    .execute();
}

/** @returns undefined when there is no such collection */
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
      'f.required',
      'f.is_unique as unique',
      'f.hidden',
      'f.readonly',
      'f.default_value as defaultValue',
    ])
    .where('c.organization_id', '=', organizationId)
    .where('c.collection', '=', collection)
    .orderBy('f.field')
    .execute();
  if (rows.length === 0) return undefined;
  return rows.filter(({ name }) => name !== null) as StoredField[];
}

export interface NewCollection {
  collection: string;
  hidden: boolean;
  fields: NewField[];
}

export type NewField = Pick<StoredField, 'name' | 'type'> &
  Partial<Pick<StoredField, 'label' | 'required' | 'unique' | 'hidden' | 'readonly'>> & {
    defaultValue?: JsonValue;
  };

/** Fields that no item has a value of yet; there may be none. */
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

const toRow = (organization_id: string, collection: string) => (field: NewField) => ({
  organization_id,
  collection,
  field: field.name,
  label: field.label ?? null,
  type: field.type,
  required: field.required ?? false,
  is_unique: field.unique ?? false,
  hidden: field.hidden ?? false,
  readonly: field.readonly ?? false,
  default_value: field.defaultValue === undefined ? null : JSON.stringify(field.defaultValue),
});

export async function insertCollections(
  trx: Transaction,
  organization_id: string,
  collections: readonly NewCollection[],
): Promise<void> {
  await trx
    .insertInto('content_collections')
    .values(collections.map(({ collection, hidden }) => ({ organization_id, collection, hidden })))
    .execute();
  await trx
    .insertInto('content_fields')
    .values(collections.flatMap(({ collection, fields }) => fields.map(toRow(organization_id, collection))))
    .execute();
}
