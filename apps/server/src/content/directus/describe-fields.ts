import {
  fieldTypes,
  interfaceTypes,
  maxChoices,
  type Field,
  type FieldType,
} from '@reachout/contract/content-fields.ts';
import { collectionName, fieldName } from '@reachout/contract/values.ts';
import { isPlatformCollection } from '../backend/content-backend.ts';
import { isStorable } from '../backend/field-values.ts';

/** A Directus collection as stored in `directus_collections`. */
export interface SeenCollection {
  collection: string;
  key_type: 'uuid' | 'integer' | 'bigInteger';
  fields: SeenField[];
  relations: SeenRelations;
  items_count?: number;
}

/** By the name of the field. */
export type SeenRelations = Record<string, SeenRelation>;

export interface SeenRelation {
  /** The collection that it leads to. */
  collection: string;
  /** Whether there may be several items: one-to-many, and many-to-many through a junction. */
  is_list: boolean;
  /** Only of a junction that is no collection for people, as which Directus creates it. */
  junction?: { fields: Pick<SeenField, 'field' | 'type'>[]; relations: SeenRelations };
}

export type SeenField = Omit<Field, 'collection' | 'label' | 'field'> & { field: string };

/** Maximum collections per organization; the rest, in name order, are left out. */
export const maxCollections = 200;
const maxFields = 500;
const maxRelations = 200;

/**
 * Parses the responses of `GET /collections`, `GET /fields` and `GET /relations`, all untrusted.
 * @returns the usable part: visible collections whose key is a field `id` of UUIDs or integers, with the
 *   fields of known types
 */
export function readCollections(
  collections: readonly Record<string, unknown>[],
  fields: readonly Record<string, unknown>[],
  relations: readonly Record<string, unknown>[] = [],
): SeenCollection[] {
  const ofCollection = Map.groupBy(fields, ({ collection }) => collection);
  const seen = namesForPeople(collections).flatMap((collection) => {
    const given = ofCollection.get(collection) ?? [];
    const key = given.find(({ field }) => field === 'id');
    const keyType = keyTypes.find((type) => type === key?.['type']);
    if (keyType === undefined || asRecord(key?.['schema'])['is_primary_key'] !== true) return [];
    return [{ collection, key_type: keyType, fields: readCollectionFields(given) }];
  });
  const names = new Set(seen.map(({ collection }) => collection));
  const references = readReferences(fields, relations);
  const from = Map.groupBy(references, ({ collection }) => collection);
  const to = Map.groupBy(references, ({ related }) => related);
  const single = (collection: string) =>
    (from.get(collection) ?? []).map(({ field, related }): [string, SeenRelation] => [
      field,
      { collection: related, is_list: false },
    ]);
  const lists = (collection: string) =>
    (to.get(collection) ?? []).flatMap((reference): [string, SeenRelation][] => {
      const { list, isJunction, collection: other } = reference;
      if (list === undefined) return [];
      if (!isJunction || names.has(other)) return [[list, { collection: other, is_list: true }]];
      const own = readCollectionFields(ofCollection.get(other) ?? []);
      const junction = {
        fields: own.map(({ field, type }) => ({ field, type })),
        relations: Object.fromEntries(single(other).slice(0, maxRelations)),
      };
      return [[list, { collection: other, is_list: true, junction }]];
    });
  return seen.map((each) => ({
    ...each,
    relations: Object.fromEntries(
      [...single(each.collection), ...lists(each.collection)].slice(0, maxRelations),
    ),
  }));
}

/** A field that contains the key of an item, and the field with the opposite list, if there is one. */
interface Reference {
  collection: string;
  field: string;
  related: string;
  list: string | undefined;
  isJunction: boolean;
}

/** References to items of any collection are left out. A token that cannot read relations still reads the foreign keys. */
function readReferences(
  fields: readonly Record<string, unknown>[],
  relations: readonly Record<string, unknown>[],
): Reference[] {
  const keys = fields.map(({ collection, field, schema }) => ({
    collection,
    field,
    related_collection: asRecord(schema)['foreign_key_table'],
    meta: null,
  }));
  const found = [...keys, ...relations].flatMap(({ collection, field, related_collection, meta }) => {
    if (![collection, related_collection].every((name) => collectionName.safeParse(name).success)) return [];
    if (!fieldName.safeParse(field).success) return [];
    const { one_field, junction_field } = asRecord(meta);
    const reference: Reference = {
      collection: collection as string,
      field: field as string,
      related: related_collection as string,
      list: fieldName.safeParse(one_field).success ? (one_field as string) : undefined,
      isJunction: typeof junction_field === 'string',
    };
    return [[`${reference.collection}.${reference.field}`, reference] as const];
  });
  return [...new Map(found).values()];
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
  if (interfaceTypes.rich_text.includes(type) && meta['interface'] === 'input-rich-text-html')
    return { interface: 'rich_text', choices: null };
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
