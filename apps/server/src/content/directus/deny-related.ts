import type { FieldType } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import { validationFailed } from '../backend/content-backend.ts';
import { readCollectionFields } from './describe-fields.ts';
import type { DirectusClient } from './directus-client.ts';

/** Field types whose values are objects or lists. */
const nestedTypes: ReadonlySet<FieldType> = new Set(['json', 'csv']);

/**
 * Rejects objects and lists in relation fields. Directus would write them to the related items with the connection's token,
 * even in collections that the author is not allowed to change.
 * @throws `validation_failed`; DirectusError
 */
export async function denyRelated(
  client: Pick<DirectusClient, 'listFields'>,
  collection: string,
  items: readonly Item[],
): Promise<void> {
  const nested = items.flatMap((item) =>
    Object.keys(item).filter((name) => typeof item[name] === 'object' && item[name] !== null),
  );
  if (nested.length === 0) return;
  const fields = readCollectionFields(await client.listFields(collection));
  const known = new Set(fields.filter(({ type }) => nestedTypes.has(type)).map(({ field }) => field));
  const path = nested.find((name) => !known.has(name));
  if (path === undefined) return;
  throw validationFailed([{ path, message: 'A related item can’t be changed along. Use its key.' }]);
}
