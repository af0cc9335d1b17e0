import { join } from 'node:path';
import { prepareDatabase } from '../apps/server/src/main.ts';
import { readConfig, type Config, InvalidConfig } from '../apps/server/src/platform/config.ts';
import { connect, type Database } from '../apps/server/src/platform/database/database.ts';
import { SchemaMismatch } from '../apps/server/src/platform/database/migrate.ts';
import { findRunningPort } from './postgres-pid-file.ts';
import { startPostgres } from './postgres.ts';

/** A wrong use of a command; the message is for its person. */
export class UsageError extends Error {}

/**
 * Runs a command of the operator on this installation, with the settings and the database of `npm start`. An embedded
 * PostgreSQL that runs already goes on afterwards.
 * @param command  gets a connection as the server's own role, and says in one text what it did
 */
export async function runOperatorCommand(
  command: (db: Database, config: Config, args: string[]) => Promise<string>,
): Promise<void> {
  try {
    const config = readConfig(process.env);
    console.log(await withDatabase(config, (db) => command(db, config, process.argv.slice(2))));
  } catch (error) {
    const isExpected = [UsageError, InvalidConfig, SchemaMismatch].some((known) => error instanceof known);
    console.error(isExpected ? (error as Error).message : error);
    process.exitCode = 1;
  }
}

async function withDatabase<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  if (config.databaseUrl !== undefined) return await connected(config, config.databaseUrl, work);
  const dataDir = join(config.dataDir, 'postgres');
  const wasRunning = (await findRunningPort(dataDir, 60_000)) !== undefined;
  const postgres = await startPostgres({ dataDir, durable: true });
  try {
    return await connected(config, postgres.url, work);
  } finally {
    if (!wasRunning) await postgres.stop();
  }
}

async function connected<T>(
  config: Config,
  ownerUrl: string,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const { authUrl } = await prepareDatabase(config, ownerUrl);
  const db = connect(authUrl, {
    name: 'operator',
    connections: 1,
    onError: () => undefined,
  });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
