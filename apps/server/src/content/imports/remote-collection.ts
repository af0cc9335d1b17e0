import type { Field, ImportSettings } from '@reachout/contract/content.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { StoredField } from '../built-in/stored-field.ts';
import type { DirectusDeps } from '../directus/connection.ts';
import { openBackend } from '../gateway/with-content.ts';

/** A collection of a Directus, as an import has to know it. */
export interface RemoteCollection {
  endpoint: string;
  /** Those that files can fill. */
  fields: StoredField[];
}

/**
 * The collection of a new import, where a Directus is connected.
 * @param run  opens a short transaction of this organization, within the access scope of who asks
 * @returns undefined where the built-in backend is in use
 * @throws 422 for settings that a Directus does not allow; 404; 424 `backend_failed`
 */
export async function findRemoteCollection(
  deps: DirectusDeps,
  owner: { organizationId: string; userId: string },
  run: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>,
  { collection, key_field, new_fields }: ImportSettings,
): Promise<RemoteCollection | undefined> {
  const open = await openBackend(deps, owner, run, { isAwaited: true });
  if (open.kind === 'built_in') return undefined;
  if (new_fields.length > 0)
    throw invalidInput('new_fields', 'Fields are created in the Directus: import into those that it has.');
  const fields = toImportedFields(await open.backend.listFields(collection), key_field);
  // With keys that the platform makes, a batch that is sent twice creates nothing twice.
  if (key_field === null && (await open.backend.findKeyType(collection)) !== 'uuid')
    throw invalidInput(
      'key_field',
      'The Directus numbers the items of this collection itself: match them by a unique field.',
    );
  return { endpoint: open.endpoint, fields };
}

/**
 * Contacts are matched by their address, whether or not the Directus keeps it unique.
 * @param keyField  by which items are matched
 */
export const toImportedFields = (fields: readonly Field[], keyField: string | null): StoredField[] =>
  fields
    .filter(({ field, readonly }) => !readonly && field !== 'id')
    .map(({ collection: _collection, field: name, default_value: defaultValue, ...field }) => ({
      ...field,
      name,
      unique: field.unique || (name === keyField && name === 'email'),
      defaultValue,
    }));
