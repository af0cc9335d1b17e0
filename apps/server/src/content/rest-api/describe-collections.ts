import type { Field } from '@reachout/contract/content.ts';

/** A collection as `GET /collections` describes it. */
export const describeCollection = (collection: string) => ({
  collection,
  meta: { collection, hidden: false, singleton: false, status: 'active' },
  schema: { name: collection },
});

const specials: Readonly<Record<string, string[]>> = {
  id: ['uuid'],
  user_created: ['user-created'],
  date_created: ['date-created'],
  date_updated: ['date-updated'],
};

/** A field as `GET /fields` describes it. */
export const describeRestField = (field: Field) => ({
  collection: field.collection,
  field: field.field,
  type: field.type,
  meta: {
    collection: field.collection,
    field: field.field,
    hidden: field.hidden,
    readonly: field.readonly,
    required: field.required,
    special: specials[field.field] ?? (field.type === 'json' ? ['cast-json'] : null),
    note: field.label,
  },
  schema: {
    name: field.field,
    table: field.collection,
    is_primary_key: field.field === 'id',
    is_nullable: !field.required && field.field !== 'id',
    is_unique: field.unique,
  },
});
