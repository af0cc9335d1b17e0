import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { z } from 'zod';
import {
  FieldChanges,
  FieldInput,
  fieldTypes,
  type FieldInterface,
} from '@reachout/contract/content-fields.ts';
import { collectionName, name } from '@reachout/contract/values.ts';
import { systemFields } from '../backend/filter-rule.ts';
import { parseBody } from './rest-handler.ts';
import { invalidPayload } from './rest-error.ts';

// Parses collections and fields in the request format of Directus. Unsupported properties are silently ignored, as in items.

const Meta = z.looseObject({
  interface: z.string().max(255).nullish(),
  options: z
    .looseObject({
      choices: z
        .array(z.union([z.string(), z.looseObject({ value: z.union([z.string(), z.number()]) })]))
        .nullish(),
    })
    .nullish(),
  special: z.array(z.string()).nullish(),
  hidden: z.boolean().nullish(),
  required: z.boolean().nullish(),
  sort: z.number().int().nullish(),
  note: z.string().nullish(),
});
const Schema = z.looseObject({
  default_value: z.json().optional(),
  is_nullable: z.boolean().nullish(),
  is_unique: z.boolean().nullish(),
  is_primary_key: z.boolean().nullish(),
});
const RestField = z.looseObject({
  field: z.string(),
  type: z.string(),
  meta: Meta.nullish(),
  schema: Schema.nullish(),
});
type RestField = z.infer<typeof RestField>;
const RestFieldChanges = RestField.omit({ field: true }).partial();

const CollectionMeta = z.looseObject({
  hidden: z.boolean().nullish(),
  sort: z.number().int().nullish(),
  note: z.string().nullish(),
});
const RestCollection = z.looseObject({
  collection: collectionName,
  meta: CollectionMeta.nullish(),
  // In Directus, a collection without a schema is a folder, which has no items.
  schema: z.looseObject({}),
  fields: z.array(RestField).max(300).nullish(),
});

/** Interfaces of the Directus studio that define the kind of a value. */
const interfaces: Readonly<Record<string, FieldInterface>> = {
  email: 'email',
  'select-dropdown': 'select',
  'select-radio': 'select',
  tags: 'tags',
  image: 'image',
  'file-image': 'image',
  'input-rich-text-html': 'rich_text',
};
export const studioInterface: Readonly<Record<FieldInterface, string>> = {
  email: 'email',
  select: 'select-dropdown',
  tags: 'tags',
  image: 'image',
  rich_text: 'input-rich-text-html',
};

/** @throws 400 `INVALID_PAYLOAD` */
export function readCollectionInput(body: unknown) {
  const { collection, meta, fields } = parseBody(RestCollection, body);
  return {
    collection,
    name: nameOf(meta?.note) ?? collection,
    hidden: meta?.hidden ?? false,
    sort: meta?.sort ?? null,
    fields: (fields ?? []).filter((field) => !isColumn(field)).map(toFieldInput),
  };
}

/** @throws 400 `INVALID_PAYLOAD` */
export function readCollectionChanges(body: unknown) {
  const { meta } = parseBody(z.looseObject({ meta: CollectionMeta.nullish() }), body);
  const label = nameOf(meta?.note);
  return {
    ...(label === undefined ? {} : { name: label }),
    ...(typeof meta?.hidden === 'boolean' ? { hidden: meta.hidden } : {}),
    ...(meta?.sort === undefined ? {} : { sort: meta.sort }),
  };
}

/** @throws 400 `INVALID_PAYLOAD` */
export function readFieldInput(body: unknown): FieldInput {
  const field = parseBody(RestField, body);
  if (isColumn(field)) throw invalidPayload(`There is a field ${field.field} already.`);
  return toFieldInput(field);
}

/** @throws 400 `INVALID_PAYLOAD` */
export function readFieldChanges(body: unknown): FieldChanges {
  const { type, meta, schema } = parseBody(RestFieldChanges, body);
  const found = interfaceOf(meta);
  return parseBody(FieldChanges, {
    ...(type === undefined ? {} : { type }),
    ...(meta?.interface === undefined ? {} : { interface: found }),
    ...(found === 'select' && meta?.options?.choices ? { choices: choicesOf(meta) } : {}),
    ...(meta?.note === undefined ? {} : { label: nameOf(meta.note) ?? null }),
    ...(typeof meta?.hidden === 'boolean' ? { hidden: meta.hidden } : {}),
    ...(meta?.sort === undefined ? {} : { sort: meta.sort }),
    ...requiredOf(meta, schema),
    ...(typeof schema?.is_unique === 'boolean' ? { unique: schema.is_unique } : {}),
    ...(schema?.default_value === undefined ? {} : { default_value: schema.default_value }),
  });
}

/** Whether a field is a column that every item has: setups list these among the fields of a new collection. @throws 400 */
function isColumn({ field, type, schema }: RestField): boolean {
  const column = systemFields.find(({ name: known }) => known === field);
  const isKey = schema?.is_primary_key === true;
  if (isKey ? column?.name !== 'id' || type !== 'uuid' : column?.name === 'id' && type !== 'uuid')
    throw invalidPayload('The primary key of a collection is the field id, of the type uuid.');
  return column !== undefined;
}

function toFieldInput({ field, type, meta, schema }: RestField): FieldInput {
  const special = meta?.special?.find((each) => /^(date|user|role)-(created|updated)$/.test(each));
  if (special !== undefined)
    throw invalidPayload(`${field}: Items have date_created, date_updated and user_created already.`);
  if (!fieldTypes.some((known) => known === type))
    throw invalidPayload(`${field}: There is no type ${cutText(type, 100)}.`);
  const found = interfaceOf(meta);
  return parseBody(FieldInput, {
    field,
    type,
    interface: found,
    choices: found === 'select' ? choicesOf(meta) : null,
    label: nameOf(meta?.note) ?? null,
    hidden: meta?.hidden ?? false,
    sort: meta?.sort ?? null,
    required: false,
    ...requiredOf(meta, schema),
    unique: schema?.is_unique ?? false,
    default_value: schema?.default_value ?? null,
  });
}

type Meta = z.infer<typeof Meta> | null | undefined;
type Schema = z.infer<typeof Schema> | null | undefined;

const interfaceOf = (meta: Meta): FieldInterface | null => interfaces[meta?.interface ?? ''] ?? null;

const choicesOf = (meta: Meta): string[] =>
  (meta?.options?.choices ?? []).map((choice) => String(typeof choice === 'string' ? choice : choice.value));

function requiredOf(meta: Meta, schema: Schema): { required?: boolean } {
  if (typeof schema?.is_nullable === 'boolean')
    return { required: !schema.is_nullable || meta?.required === true };
  return typeof meta?.required === 'boolean' ? { required: meta.required } : {};
}

/** The Directus `note` is used as the display name. */
function nameOf(note: string | null | undefined): string | undefined {
  const parsed = name.safeParse(note);
  return parsed.success ? parsed.data : undefined;
}
