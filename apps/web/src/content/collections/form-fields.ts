import type { Field } from '@reachout/contract/content-fields.ts';

/** Fields that every item has; lists show `date_created`. */
const stamps = new Set(['id', 'date_created', 'date_updated', 'user_created']);

export const isStamp = ({ field }: Field): boolean => stamps.has(field);

/** @returns what users can write */
export const fieldsOfForms = (fields: readonly Field[]): Field[] => fields.filter((field) => !isStamp(field));
