import { randomUUIDv7 } from 'node:crypto';

/** A new id: UUID version 7, so that ids sort by the time they were made. Made here because PostgreSQL 15 cannot. */
export const newId = (): string => randomUUIDv7();

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && uuidPattern.test(value);
