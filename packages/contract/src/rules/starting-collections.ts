import type { FieldType } from '../content-fields.ts';

/**
 * The visible collections that every organization starts with. They cannot be deleted because many defaults refer to them.
 */
export const startingCollections: readonly string[] = ['contacts', 'newsletters'];

interface ContactField {
  field: string;
  type: FieldType;
  required?: true;
  unique?: true;
  default_value?: false;
}

/** Fields of the collection of contacts that every organization starts with, and of each one that is added. */
export const contactFields: readonly ContactField[] = [
  { field: 'email', type: 'string', required: true, unique: true },
  { field: 'first_name', type: 'string' },
  { field: 'last_name', type: 'string' },
  { field: 'company', type: 'string' },
  { field: 'country', type: 'string' },
  { field: 'city', type: 'string' },
  { field: 'language', type: 'string' },
  { field: 'birthday', type: 'date' },
  { field: 'vip', type: 'boolean', default_value: false },
  { field: 'tags', type: 'csv' },
  { field: 'unsubscribed', type: 'boolean', default_value: false },
];
