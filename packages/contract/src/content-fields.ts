import { z } from 'zod';
import { backendFailed } from './content-backend.ts';
import { apiErrors, pickErrors } from './errors.ts';
import { memberOperations, tooManyRecords } from './operation.ts';
import { collectionName, fieldName, filledLine, id, storableJson } from './values.ts';

/** The fields of collections. */

export const fieldTypes = [
  'string',
  'text',
  'integer',
  'bigInteger',
  'float',
  'decimal',
  'boolean',
  'date',
  'dateTime',
  'timestamp',
  'time',
  'uuid',
  'json',
  'csv',
] as const;
export type FieldType = (typeof fieldTypes)[number];

/** Narrows the values that a field accepts beyond its type, and determines how the field is edited. */
export const fieldInterfaces = ['email', 'select', 'tags', 'image', 'rich_text'] as const;
export type FieldInterface = (typeof fieldInterfaces)[number];

export const interfaceTypes: Readonly<Record<FieldInterface, readonly FieldType[]>> = {
  email: ['string'],
  select: ['string'],
  tags: ['csv'],
  /** The web address of an image, or the id of a file of the organization. */
  image: ['string', 'uuid'],
  /** HTML; emails print it with the filter `rich_text`. */
  rich_text: ['text', 'string'],
};

/** Maximum number of choices of a field with the interface `select`. */
export const maxChoices = 200;
const choices = z
  .array(filledLine(255, 'Enter a value.'))
  .min(1, 'Enter at least one value.')
  .max(maxChoices, `Use at most ${maxChoices} values.`)
  .refine((values) => new Set(values).size === values.length, 'Two values are the same.');

export const Field = z.object({
  collection: z.string(),
  field: z.string(),
  /** Display name; null if the field name is used. */
  label: z.string().nullable(),
  type: z.enum(fieldTypes),
  interface: z.enum(fieldInterfaces).nullable(),
  /** Only for the interface `select`, otherwise null. */
  choices: z.array(z.string()).nullable(),
  required: z.boolean(),
  unique: z.boolean(),
  hidden: z.boolean(),
  readonly: z.boolean(),
  /** The value of new items that do not set the field. */
  default_value: z.json(),
  /** Position in forms; fields with null come last. */
  sort: z.number().nullable(),
});
export type Field = z.infer<typeof Field>;

/** The settings of a field that users can change. */
const fieldSettings = {
  label: filledLine(120, 'Enter a name.').nullable(),
  type: z.enum(fieldTypes),
  interface: z.enum(fieldInterfaces).nullable(),
  choices: choices.nullable(),
  required: z.boolean(),
  unique: z.boolean(),
  hidden: z.boolean(),
  default_value: storableJson(10_000),
  sort: z.int().min(0).max(10_000).nullable(),
};

/** A new field of a collection. */
export const FieldInput = z.strictObject({
  field: fieldName,
  label: fieldSettings.label.default(null),
  type: fieldSettings.type,
  interface: fieldSettings.interface.default(null),
  choices: fieldSettings.choices.default(null),
  required: fieldSettings.required.default(false),
  unique: fieldSettings.unique.default(false),
  hidden: fieldSettings.hidden.default(false),
  default_value: fieldSettings.default_value.default(null),
  sort: fieldSettings.sort.default(null),
});
export type FieldInput = z.infer<typeof FieldInput>;

/** Changes of a field; omitted settings keep their values. The name is fixed: rules, files and templates refer to it. */
export const FieldChanges = z.strictObject(fieldSettings).partial();
export type FieldChanges = z.infer<typeof FieldChanges>;

/** Maximum number of fields per collection. */
export const maxFields = 200;

/** Errors of field changes, which stored items have to satisfy too. */
const fieldErrors = {
  ...backendFailed,
  ...pickErrors('field_protected', 'import_in_progress'),
  values_do_not_fit: {
    ...apiErrors.values_do_not_fit,
    data: z.object({
      /**
       * `missing`: items without a value; `duplicate`: items with the value of another item; `type`: values of another type.
       */
      problem: z.enum(['missing', 'duplicate', 'type']),
      count: z.number(),
    }),
  },
  too_many_values: { ...apiErrors.too_many_values, data: z.object({ limit: z.number() }) },
  field_in_use: {
    ...apiErrors.field_in_use,
    data: z.object({
      /** Audiences within the caller's access scope that use the field, at most 10. */
      used_by: z.array(z.object({ kind: z.literal('audience'), id, name: z.string() })),
      count: z.number(),
    }),
  },
} as const;

const inOrganization = memberOperations('Content', 'organization_id');

export const fieldOperations = {
  fields: inOrganization(
    'GET /content/{organization_id}/fields/{collection}',
    'Visible fields of a collection, by name',
    'read Content',
  )
    .input({
      collection: collectionName,
      /** Whether to include hidden collections. */
      hidden: z.enum(['true', 'false']).default('false'),
    })
    .errors(backendFailed)
    .output({ data: z.array(Field) }),
  createField: inOrganization(
    'POST /content/{organization_id}/fields/{collection}',
    'Add a field to a collection',
    'create Content',
    { isExpensive: true },
  )
    .input({ collection: collectionName, ...FieldInput.shape })
    .errors({ ...fieldErrors, ...tooManyRecords, ...pickErrors('name_taken') })
    .output(Field),
  updateField: inOrganization(
    'PATCH /content/{organization_id}/fields/{collection}/{field}',
    'Change a field; refused where values of stored items do not fit',
    'update Content',
    // The response contains the whole field.
    { isExpensive: true, additionalPermissions: ['read Content'] },
  )
    .input({ collection: collectionName, field: fieldName, ...FieldChanges.shape })
    .errors(fieldErrors)
    .output(Field),
  deleteField: inOrganization(
    'DELETE /content/{organization_id}/fields/{collection}/{field}',
    'Delete a field with the values that items have in it',
    'delete Content',
  )
    .input({ collection: collectionName, field: fieldName })
    .errors(fieldErrors)
    .output({ field: z.string() }),
};
