import {
  mirroredCollections,
  type MirroredCollection,
} from '@reachout/contract/rules/mirrored-collections.ts';
import type { DirectusClient } from './directus-client.ts';
import { readCollections } from './describe-fields.ts';
import { fieldsOf, stampFields, toDirectusField } from './platform-collections.ts';
import { grantAccess } from './grant-access.ts';
import { make, type SetUpProgress } from './set-up-progress.ts';

export interface SetUpInput {
  /** Stands in the name of the user of this organization: several may use one Directus. */
  organizationId: string;
  /** Which collections the platform may use; null: all that are there. */
  collections: readonly string[] | null;
  can_write: boolean;
  /** The stored token of this endpoint, if it works: its id is told by `me`. */
  currentToken: { token: string; userId: string } | undefined;
}

/**
 * Makes what a Directus lacks: the collections of the platform, and a user without any rights but those that the platform needs. What
 * is there stays as it is, so that a second run makes nothing. One call after another, because each changes the schema.
 *
 * A relation is never changed: some releases of Directus end when they are asked to.
 * @param admin  with the token of an administrator, which is used here only
 * @param progress  tells what was made, also where it breaks off
 * @returns the token for the platform
 * @throws DirectusError
 */
export async function setUpDirectus(
  admin: DirectusClient,
  input: SetUpInput,
  progress: SetUpProgress,
): Promise<string> {
  const collections = await admin.listCollections();
  const fields = await admin.listFields();
  for (const collection of mirroredCollections) {
    const isThere = collections.some((known) => known['collection'] === collection);
    if (isThere) await createFields(admin, collection, namesOf(fields, collection), progress);
    else
      await make(progress, [{ kind: 'collection', name: collection }], () =>
        createCollection(admin, collection),
      );
  }
  await createRelations(admin, progress);
  const visible = readCollections(collections, fields).map(({ collection }) => collection);
  const wanted =
    input.collections === null ? visible : visible.filter((name) => input.collections!.includes(name));
  return await grantAccess(admin, { ...input, collections: wanted }, progress);
}

const namesOf = (fields: readonly Record<string, unknown>[], collection: string): unknown[] =>
  fields.filter((field) => field['collection'] === collection).map(({ field }) => field);

async function createCollection(admin: DirectusClient, collection: MirroredCollection): Promise<void> {
  const fields = [...stampFields, ...fieldsOf(collection).map(toDirectusField)];
  // Without a schema it would be a folder.
  const body = { collection, schema: {}, meta: { hidden: true }, fields };
  await admin.custom({ path: '/collections', method: 'POST', body }, 'any', { isRepeatable: false });
}

async function createFields(
  admin: DirectusClient,
  collection: MirroredCollection,
  known: readonly unknown[],
  progress: SetUpProgress,
): Promise<void> {
  const missing = [...stampFields.slice(1), ...fieldsOf(collection).map(toDirectusField)].filter(
    ({ field }) => !known.includes(field),
  );
  for (const body of missing) {
    await make(progress, [{ kind: 'field', name: `${collection}.${body.field}` }], () =>
      admin.custom({ path: `/fields/${collection}`, method: 'POST', body }, 'any', { isRepeatable: false }),
    );
  }
}

async function createRelations(admin: DirectusClient, progress: SetUpProgress): Promise<void> {
  const relations = await admin.custom({ path: '/relations', method: 'GET' }, 'list');
  for (const collection of mirroredCollections) {
    for (const { field, references } of fieldsOf(collection)) {
      const isThere = relations.some(
        (known) => known['collection'] === collection && known['field'] === field,
      );
      if (references === undefined || isThere) continue;
      const body = {
        collection,
        field,
        related_collection: references,
        schema: { on_delete: 'SET NULL' },
        meta: { many_collection: collection, many_field: field, one_collection: references },
      };
      await make(progress, [{ kind: 'relation', name: `${collection}.${field}` }], () =>
        admin.custom({ path: '/relations', method: 'POST', body }, 'any', { isRepeatable: false }),
      );
    }
  }
}
