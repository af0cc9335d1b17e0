import { createContactRules } from '../contacts/contact-rules.ts';
import { after, before } from 'node:test';
import { createBuiltInBackend } from '../content/built-in/built-in-backend.ts';
import type { ContentBackend } from '../content/backend/content-backend.ts';
import { createStartingCollections } from '../content/built-in/starting-collections.ts';
import { connect, inOrganization, type Database, type Transaction } from '../platform/database/database.ts';
import { buildOrganization } from '../sample/records.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export interface ContentFixture {
  database: TestDatabase;
  /** The product's own connection. */
  db: Database;
  /** Bypasses row-level security. */
  owner: Database;
  organizationId: string;
  inTenant: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  /** Runs `work` in one transaction. */
  withBackend: <T>(work: (backend: ContentBackend) => Promise<T>) => Promise<T>;
  /** Adds another organization with the same collections. @returns its id */
  addOrganization: () => Promise<string>;
  close: () => Promise<void>;
}

/** Creates the fixture for the tests of a suite, and closes it after them. @returns the fixture, to be used in hooks and tests */
export function useContentFixture(): ContentFixture {
  const fixture = {} as ContentFixture;
  before(async () => void Object.assign(fixture, await createContentFixture()));
  after(() => fixture.close());
  return fixture;
}

/** Creates a database with one organization that has the default collections. */
export async function createContentFixture(): Promise<ContentFixture> {
  const database = await createTestDatabase();
  const options = { name: 'tests', connections: 4, statementTimeoutMs: 60_000, onError: () => {} };
  const db = connect(database.appUrl, options);
  const owner = connect(database.ownerUrl, options);
  const addOrganization = async () => {
    const { id } = await buildOrganization(owner);
    await inOrganization(db, id, (trx) => createStartingCollections(trx, id));
    return id;
  };
  const organizationId = await addOrganization();
  const inTenant: ContentFixture['inTenant'] = (work) => inOrganization(db, organizationId, work);
  return {
    database,
    db,
    owner,
    organizationId,
    inTenant,
    withBackend: (work) =>
      inTenant((trx) =>
        work(
          createBuiltInBackend(trx, {
            organizationId,
            userId: null,
            contacts: createContactRules(undefined),
          }),
        ),
      ),
    addOrganization,
    close: async () => {
      await db.destroy();
      await owner.destroy();
      await database.drop();
    },
  };
}
