import {
  mirroredCollections,
  type MirroredCollection,
} from '@reachout/contract/rules/mirrored-collections.ts';
import type { DirectusClient } from './directus-client.ts';
import { readCollections, type SeenCollection } from './describe-fields.ts';
import { fieldsOf, stampFields, toDirectusField } from './platform-collections.ts';
import { grantAccess } from './grant-access.ts';
import { make, type SetUpProgress } from './set-up-progress.ts';

export interface SetUpInput {
  /** Part of the user's email address, because several organizations may share one Directus. */
  organizationId: string;
  /** Collections that the platform may use; null for all existing ones. */
  collections: readonly string[] | null;
  can_write: boolean;
  /** The stored token of this endpoint, if it works, with the user id from `me`. */
  currentToken: { token: string; userId: string } | undefined;
}

/**
 * Creates what a Directus lacks: the platform's collections and a user with only the permissions that the platform needs.
 * Keeps what exists, so that a second run creates nothing. Requests run sequentially, because each changes the schema.
 *
 * Never changes a relation: some Directus releases crash on that.
 * @param admin  client with an administrator's token, which is used only here
 * @param progress  lists what was created, also after a failure
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
  const visible = readCollections(collections, fields, await admin.listRelations());
  const wanted = visible.filter(
    ({ collection }) => input.collections === null || input.collections.includes(collection),
  );
  const names = wanted.map(({ collection }) => collection);
  return await grantAccess(admin, { ...input, collections: names, junctions: junctionsOf(wanted) }, progress);
}

/** Junctions that rules can use: those between collections that the platform may use. */
function junctionsOf(collections: readonly SeenCollection[]): string[] {
  const names = new Set(collections.map(({ collection }) => collection));
  const found = collections.flatMap(({ relations }) =>
    Object.values(relations).flatMap(({ collection, junction }) => {
      const ends = Object.values(junction?.relations ?? {});
      return ends.length > 0 && ends.every((end) => names.has(end.collection)) ? [collection] : [];
    }),
  );
  return [...new Set(found)];
}

const namesOf = (fields: readonly Record<string, unknown>[], collection: string): unknown[] =>
  fields.filter((field) => field['collection'] === collection).map(({ field }) => field);

async function createCollection(admin: DirectusClient, collection: MirroredCollection): Promise<void> {
  const fields = [...stampFields, ...fieldsOf(collection).map(toDirectusField)];
  // Without a schema, Directus would create a folder.
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
