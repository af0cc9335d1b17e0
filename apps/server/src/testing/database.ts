import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { loginsWith } from '../platform/database/logins.ts';

export interface TestDatabase {
  /** Logs in as the owner of all tables, who bypasses row-level security. */
  ownerUrl: string;
  /** Logs in as `reachout_app`, as the product does. */
  appUrl: string;
  /** Logs in as `reachout_auth`. */
  authUrl: string;
  name: string;
  /** Drops it. @throws Error if connections to it were left open, which it terminates */
  drop(): Promise<void>;
}

/**
 * Creates a separate, migrated database for one test file.
 * @throws Error outside of `npm test`, whose set-up (`scripts/test-setup.ts`) starts PostgreSQL
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env['TEST_PG_URL'];
  const template = process.env['TEST_TEMPLATE'];
  if (serverUrl === undefined || template === undefined) {
    throw new Error('There is no test database. Run the file with: npm test -- <part of its path>');
  }
  const name = `${template}_${randomUUID().replaceAll('-', '')}`;
  await copyTemplate(serverUrl, template, name);

  const ownerUrl = new URL(serverUrl);
  ownerUrl.pathname = name;
  return {
    ownerUrl: ownerUrl.href,
    ...loginsWith(ownerUrl.href, { appPassword: 'reachout-test', authPassword: 'reachout-test' }),
    name,
    drop: () => dropDatabase(serverUrl, name),
  };
}

const objectInUse = '55006';

/** PostgreSQL waits for 5 s until the last connection has ended. */
async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  try {
    await execute(serverUrl, `drop database if exists ${name}`);
  } catch (error) {
    await execute(serverUrl, `drop database if exists ${name} with (force)`);
    throw error;
  }
}

/**
 * Uses the FILE_COPY strategy: WAL_LOG, PostgreSQL's default, takes six times as long.
 * PostgreSQL refuses to copy a database with connections, such as those of autovacuum; these are mostly short.
 */
async function copyTemplate(serverUrl: string, template: string, name: string): Promise<void> {
  for (let triesLeft = 50; ; triesLeft -= 1) {
    try {
      await execute(serverUrl, `create database ${name} template ${template} strategy file_copy`);
      return;
    } catch (error) {
      const isBusy = error instanceof DatabaseError && error.code === objectInUse;
      if (!isBusy || triesLeft === 0) throw error;
      await delay(100);
    }
  }
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
