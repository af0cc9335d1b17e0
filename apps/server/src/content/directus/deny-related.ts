import type { FieldType, Item } from '@reachout/contract/content.ts';
import { validationFailed } from '../backend/content-errors.ts';
import { readCollectionFields } from './describe-fields.ts';
import type { DirectusClient } from './directus-client.ts';

/** Types of fields whose values are objects or lists. */
const nestedTypes: ReadonlySet<FieldType> = new Set(['json', 'csv']);

/**
 * Directus writes objects and lists in fields of relations to the items behind them: with the token of the connection, in collections
 * that the author may not change.
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
