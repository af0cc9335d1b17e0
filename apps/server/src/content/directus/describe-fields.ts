import { fieldTypes, maxChoices, type Field, type FieldType } from '@reachout/contract/content-fields.ts';
import { collectionName, fieldName } from '@reachout/contract/values.ts';
import { isPlatformCollection } from '../backend/content-backend.ts';
import { isStorable } from '../backend/field-values.ts';

/** A Directus collection as stored in `directus_collections`. */
export interface SeenCollection {
  collection: string;
  key_type: 'uuid' | 'integer' | 'bigInteger';
  fields: SeenField[];
  items_count?: number;
}

export type SeenField = Omit<Field, 'collection' | 'label' | 'field'> & { field: string };

/** Maximum collections per organization; the rest, in name order, are left out. */
export const maxCollections = 200;
const maxFields = 500;

/**
 * Parses the responses of `GET /collections` and `GET /fields`, both untrusted.
 * @returns the usable part: visible collections whose key is a field `id` of UUIDs or integers, with the
 *   fields of known types
 */
export function readCollections(
  collections: readonly Record<string, unknown>[],
  fields: readonly Record<string, unknown>[],
): SeenCollection[] {
  const ofCollection = Map.groupBy(fields, ({ collection }) => collection);
  return namesForPeople(collections).flatMap((collection) => {
    const given = ofCollection.get(collection) ?? [];
    const key = given.find(({ field }) => field === 'id');
    const keyType = keyTypes.find((type) => type === key?.['type']);
    if (keyType === undefined || asRecord(key?.['schema'])['is_primary_key'] !== true) return [];
    return [{ collection, key_type: keyType, fields: readCollectionFields(given) }];
  });
}

/** Names of the collections that users see, sorted. */
export const namesForPeople = (collections: readonly Record<string, unknown>[]): string[] =>
  [...new Set(collections.filter(isForPeople).map(({ collection }) => collection as string))]
    .toSorted()
    .slice(0, maxCollections);

const keyTypes = ['uuid', 'integer', 'bigInteger'] as const;

function isForPeople({ collection, meta, schema }: Record<string, unknown>): boolean {
  const { hidden, status } = asRecord(meta);
  return (
    typeof collection === 'string' &&
    collectionName.safeParse(collection).success &&
    !isPlatformCollection(collection) &&
    // A collection without a schema is a folder.
    typeof schema === 'object' &&
    schema !== null &&
    hidden !== true &&
    (status ?? 'active') === 'active'
  );
}

/** Includes hidden fields, but not to-many relations (they have no column) or passwords (their value can't be shown). */
export const readCollectionFields = (given: readonly Record<string, unknown>[]): SeenField[] =>
  [
    ...new Map(
      given.flatMap((entry) => {
        const field = readField(entry);
        return field === undefined ? [] : [[field.field, field] as const];
      }),
    ).values(),
  ]
    .toSorted((a, b) => (a.field < b.field ? -1 : 1))
    .slice(0, maxFields);

function readField({ field, type, meta, schema }: Record<string, unknown>): SeenField | undefined {
  if (typeof field !== 'string' || !fieldName.safeParse(field).success) return undefined;
  const known = fieldTypes.find((each) => each === type);
  if (known === undefined) return undefined;
  const { hidden, readonly, required, special, sort } = asRecord(meta);
  const column = asRecord(schema);
  const isFilled =
    Array.isArray(special) &&
    special.some((name) => /^(?:date|user)-(?:created|updated)$|^uuid$/.test(String(name)));
  const isKey = column['is_primary_key'] === true;
  return {
    field,
    type: known satisfies FieldType,
    required:
      !isKey &&
      !isFilled &&
      (required === true || (column['is_nullable'] === false && (column['default_value'] ?? null) === null)),
    unique: isKey || column['is_unique'] === true,
    hidden: isKey || hidden === true,
    readonly: isKey || isFilled || readonly === true,
    ...readInterface(known, asRecord(meta)),
    default_value: isPlain(column['default_value']) ? column['default_value'] : null,
    sort: Number.isSafeInteger(sort) ? (sort as number) : null,
  };
}

/** The interface of the field, if supported here. A list that also allows other values restricts nothing and is ignored. */
function readInterface(
  type: FieldType,
  meta: Record<string, unknown>,
): Pick<SeenField, 'interface' | 'choices'> {
  if (type === 'csv') return { interface: 'tags', choices: null };
  if (type === 'uuid' && meta['interface'] === 'file-image') return { interface: 'image', choices: null };
  const { choices: given, allowOther } = asRecord(meta['options']);
  const isList = type === 'string' && meta['interface'] === 'select-dropdown' && allowOther !== true;
  if (!isList || !Array.isArray(given)) return { interface: null, choices: null };
  const choices = given.map((choice) => asRecord(choice)['value']);
  const isUsable =
    choices.length > 0 &&
    choices.length <= maxChoices &&
    choices.every((value) => typeof value === 'string' && value.length <= 255 && isStorable(value));
  return isUsable
    ? { interface: 'select', choices: choices as string[] }
    : { interface: null, choices: null };
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'boolean' ||
  typeof value === 'number' ||
  (typeof value === 'string' && value.length <= 10_000 && isStorable(value));

export const toField = (collection: string, field: SeenField): Field => ({
  collection,
  label: null,
  ...field,
});

/** @returns the value that Directus sent if it is an object, otherwise an empty object */
export const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
