import { createHash, randomUUIDv7 } from 'node:crypto';

/** @returns a new id: UUID version 7, so that ids sort by creation time. PostgreSQL 15 cannot generate these. */
export const newId = (): string => randomUUIDv7();

/** @returns a new id with this timestamp: rows of large tables are stored in the month that their id contains */
export const newIdAt = (at: Date): string => {
  const milliseconds = at.getTime().toString(16).padStart(12, '0');
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}${newId().slice(13)}`;
};

/** Derives an id from a name, always the same: a UUID version 8 of its SHA-256. */
export function idFrom(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && uuidPattern.test(value);
