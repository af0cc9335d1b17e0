import type { Field } from '@reachout/contract/content-fields.ts';
import { studioInterface } from './schema-input.ts';

export const describeCollection = ({
  collection,
  label = null,
  hidden = false,
  sort = null,
}: {
  collection: string;
  label?: string | null;
  hidden?: boolean;
  sort?: number | null;
}) => ({
  collection,
  meta: { collection, hidden, singleton: false, status: 'active', note: label, sort },
  schema: { name: collection },
});

const specials: Readonly<Record<string, string[]>> = {
  id: ['uuid'],
  user_created: ['user-created'],
  date_created: ['date-created'],
  date_updated: ['date-updated'],
};

export const describeRestField = (field: Field) => ({
  collection: field.collection,
  field: field.field,
  type: field.type,
  meta: {
    collection: field.collection,
    field: field.field,
    interface: interfaceOf(field),
    options:
      field.choices === null ? null : { choices: field.choices.map((value) => ({ text: value, value })) },
    hidden: field.hidden,
    readonly: field.readonly,
    required: field.required,
    sort: field.sort,
    special: specialOf(field),
    note: field.label,
  },
  schema: {
    name: field.field,
    table: field.collection,
    default_value: field.default_value,
    is_primary_key: field.field === 'id',
    is_nullable: !field.required && field.field !== 'id',
    is_unique: field.unique,
  },
});

/** Directus has a separate interface for images that are files. */
const isFile = ({ interface: name, type }: Field): boolean => name === 'image' && type === 'uuid';

function interfaceOf(field: Field): string | null {
  if (isFile(field)) return 'file-image';
  return field.interface === null ? null : studioInterface[field.interface];
}

function specialOf(field: Field): string[] | null {
  if (isFile(field)) return ['file'];
  return specials[field.field] ?? (field.type === 'json' ? ['cast-json'] : null);
}
