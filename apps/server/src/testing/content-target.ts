import {
  createCollection,
  createDirectus,
  customEndpoint,
  deleteCollection,
  readCollections,
  rest,
  staticToken,
} from '@directus/sdk';
import type { Database } from '../platform/database/database.ts';
import { makeKeyOf } from './actors.ts';
import { createTestApp } from './app.ts';
import { createOrganization } from './create-organization.ts';

/**
 * The content backend of content/rest-api/conformance.test.ts and content/backend/content-backend.test.ts: the built-in
 * one, or a Directus that the environment names.
 *
 * - `CONTENT_BACKEND_URL`: its URL.
 * - `CONTENT_BACKEND_TOKEN`: the service token, which must not be an administrator's.
 * - `CONTENT_BACKEND_ADMIN_TOKEN`: creates and deletes the collections of the test.
 * - `CONTENT_BACKEND_POLICY`: the id of the service token's policy, which is granted permissions on these collections.
 * - `CONTENT_BACKEND_SHARE_ROLE`: the id of a role that can read them; without it, shares are not tested.
 */
export interface Target {
  url: string;
  /** Has all permissions on items of `people`. */
  token: string;
  /** Can read `readCollection`, but not write to it. */
  readToken: string;
  /** The collection that `readToken` reads. */
  readCollection: string;
  shareRole: string | undefined;
  /** Direct access to the built-in backend. */
  builtIn?: { db: Database; organizationId: string };
  /** Whether the collection `numbered` exists, whose keys are numbers. */
  hasNumbered: boolean;
  close: () => Promise<void>;
}

/** Names that no existing collection has. */
export const people = 'conformance_people';
export const numbered = 'conformance_numbers';
const readOnly = 'conformance_notes';

export async function openTarget(): Promise<Target> {
  const url = process.env['CONTENT_BACKEND_URL'];
  const target = url === undefined ? await openBuiltIn() : openDirectus(url);
  await target.setUp();
  return target;
}

const peopleFields = [
  { field: 'id', type: 'uuid', schema: { is_primary_key: true }, meta: { special: ['uuid'], hidden: true } },
  { field: 'name', type: 'string' },
  { field: 'email', type: 'string', schema: { is_nullable: false, is_unique: true } },
  { field: 'age', type: 'integer' },
  { field: 'city', type: 'string', meta: { hidden: true } },
  { field: 'vip', type: 'boolean', schema: { default_value: false } },
  { field: 'joined', type: 'date' },
  { field: 'seen', type: 'timestamp' },
];

const connect = (url: string, token: string) => createDirectus(url).with(staticToken(token)).with(rest());

/** Creates the collections. Deletes leftovers of an aborted run first. */
async function makeCollections(url: string, token: string, names: readonly string[]): Promise<void> {
  const client = connect(url, token);
  const known = (await client.request(readCollections())).map(({ collection }) => collection);
  for (const collection of names) {
    if (known.includes(collection)) await client.request(deleteCollection(collection));
    const [id] = peopleFields;
    const number = {
      ...id!,
      type: 'integer',
      schema: { is_primary_key: true, has_auto_increment: true },
      meta: {},
    };
    const fields =
      collection === people
        ? peopleFields
        : collection === numbered
          ? [number, { field: 'title', type: 'string', schema: {} }]
          : [id, { field: 'text', type: 'string' }];
    await client.request(
      createCollection({ collection, schema: {}, meta: { hidden: false }, fields } as never),
    );
  }
}

async function openBuiltIn() {
  const app = await createTestApp();
  const address = await app.app.listen({ host: '127.0.0.1', port: 0 });
  const owner = await app.signIn();
  const organizationId = await createOrganization(app, owner, 'Conformance');
  const makeToken = async (scopes?: readonly string[]) => {
    return (await makeKeyOf(app, organizationId, owner.userId, scopes)).token;
  };
  const url = `${address}/content/${organizationId}`;
  const token = await makeToken();
  return {
    url,
    token,
    readToken: await makeToken(['content:read']),
    readCollection: readOnly,
    shareRole: 'analyst',
    builtIn: { db: app.services.db, organizationId },
    hasNumbered: false,
    setUp: () => makeCollections(url, token, [people, readOnly]),
    close: () => app.close(),
  };
}

function openDirectus(url: string) {
  const setting = (name: string): string => {
    const value = process.env[name];
    if (value === undefined || value === '') throw new Error(`Set ${name}, too.`);
    return value;
  };
  const token = setting('CONTENT_BACKEND_TOKEN');
  const adminToken = setting('CONTENT_BACKEND_ADMIN_TOKEN');
  const policy = setting('CONTENT_BACKEND_POLICY');
  const admin = connect(url, adminToken);
  return {
    url,
    token,
    readToken: token,
    readCollection: readOnly,
    shareRole: process.env['CONTENT_BACKEND_SHARE_ROLE'],
    hasNumbered: true,
    setUp: async () => {
      await makeCollections(url, adminToken, [people, readOnly, numbered]);
      const rights = [
        ...[people, numbered].flatMap((collection) =>
          ['create', 'read', 'update', 'delete', 'share'].map((action) => ({ collection, action })),
        ),
        { collection: readOnly, action: 'read' },
        ...['create', 'read'].map((action) => ({ collection: 'directus_shares', action })),
      ].map((right) => ({ ...right, policy, fields: ['*'], permissions: null, validation: null }));
      await admin.request(
        customEndpoint({ path: '/permissions', method: 'POST', body: JSON.stringify(rights) }),
      );
    },
    close: async () => {
      for (const collection of [people, readOnly, numbered])
        await admin.request(deleteCollection(collection));
    },
  };
}
