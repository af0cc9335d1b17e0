import { isDeepStrictEqual } from 'node:util';
import type { Item } from '@reachout/contract/content.ts';
import type { JsonValue } from '../../content/backend/field-values.ts';
import { checkField, type StoredField } from '../../content/built-in/stored-field.ts';
import type { UpsertRow } from '../../content/built-in/upsert-items.queries.ts';
import type { DirectusBackend } from '../../content/directus/directus-backend.ts';
import { keyOf } from './import.ts';
import type { OpenImport } from './open-import.ts';

/** A row with the key that a new item would get. */
interface Sought {
  row: UpsertRow;
  ownId: string;
}

/** Finds the stored items of rows, by row key. If many items share a key, returns only some of them. */
export async function findStored(
  backend: DirectusBackend,
  open: OpenImport,
  sought: readonly Sought[],
): Promise<Map<string, Item[]>> {
  const { collection, keyField } = open.target;
  const limit = 2 * sought.length;
  const fields = [...new Set(['id', ...open.columns.map(({ field }) => field.name)])];
  const items = await backend.findItems(collection, {
    filter: { [keyField ?? 'id']: { _in: sought.flatMap((each) => namesOf(open, each)) } },
    fields,
    sort: ['id'],
    limit,
    offset: 0,
  });
  // The limit was reached, so there may be more items.
  if (items.length >= limit && sought.length > 1) {
    const half = Math.ceil(sought.length / 2);
    const parts = [sought.slice(0, half), sought.slice(half)];
    const found = [];
    for (const part of parts) found.push(...(await findStored(backend, open, part)));
    return new Map(found);
  }
  const rowOf = new Map(sought.map(({ row, ownId }) => [keyField === null ? ownId : row.key, row.key]));
  const found = Map.groupBy(items, (item) => rowOf.get(keyIn(open, item)));
  return new Map([...found].flatMap(([key, list]) => (key === undefined ? [] : [[key, list] as const])));
}

/** The key as written in the file and as normalized here: Directus compares case-sensitively. */
function namesOf({ target: { keyField } }: OpenImport, { row, ownId }: Sought): JsonValue[] {
  if (keyField === null) return [ownId];
  const value = { ...row.before, ...row.patch }[keyField] as JsonValue;
  return typeof value === 'string' ? [...new Set([value, row.key])] : [value];
}

function keyIn({ target: { keyField }, columns }: OpenImport, item: Item): string {
  if (keyField === null) return item['id'] as string;
  const { field } = columns.find((column) => column.field.name === keyField)!;
  return keyOf(normalized(field, item[keyField]));
}

/** @returns the changes to an item by a row and its predecessors in the batch; for a new item, all its values */
export function changesOf(
  { target: { protectedFields }, columns }: OpenImport,
  stored: Item | undefined,
  { before, patch }: UpsertRow,
): Item {
  const isKept = (item: Record<string, unknown> | undefined, name: string) =>
    protectedFields.includes(name) && item?.[name] === true;
  const patched = Object.entries(patch).filter(([name]) => !isKept(before, name));
  const said: Item = { ...before, ...Object.fromEntries(patched) } as Item;
  if (stored === undefined) return said;
  const changed = columns.filter(({ field }) => {
    const { name } = field;
    return (
      Object.hasOwn(said, name) &&
      !isKept(stored, name) &&
      !isDeepStrictEqual(normalized(field, stored[name]), said[name])
    );
  });
  return Object.fromEntries(changed.map(({ field: { name } }) => [name, said[name] as JsonValue]));
}

/** Converts a Directus value to the form of file values, so that the two can be compared. */
function normalized(field: StoredField, value: JsonValue | undefined): JsonValue {
  const checked = checkField({ ...field, interface: null, required: false }, value);
  return 'value' in checked ? checked.value : (value ?? null);
}
