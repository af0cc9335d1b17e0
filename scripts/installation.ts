import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findLogins } from '../apps/server/src/main.ts';
import { hasUsers } from '../apps/server/src/operations/demo/demo.queries.ts';
import { readConfig, type Config, type DatabaseLogins } from '../apps/server/src/platform/config.ts';
import { InvalidConfig } from '../apps/server/src/platform/invalid-config.ts';
import { connect, type Database } from '../apps/server/src/platform/database/database.ts';
import { checkSchema, SchemaMismatch } from '../apps/server/src/platform/database/migrate.ts';
import { findRunningServer } from './postgres-pid-file.ts';
import { startPostgres } from './postgres.ts';

/** Wrong use of a command; the message is shown to the user. */
export class UsageError extends Error {}

/** Connections with the roles of the server. */
interface Databases {
  /** Role of the operations: sees one organization. */
  db: Database;
  /** Role of sign-in: sees every account. */
  authDb: Database;
}

/** @returns the error for a wrong argument: the problem, then the usage of the command */
export const wrongArgument = (problem: string, usage: string): UsageError =>
  new UsageError(`${problem}\n\n${usage}`);

/**
 * Runs an operator command on this installation, with the settings and the database of `npm start`, which has
 * migrated it. An embedded PostgreSQL that was already running keeps running afterwards.
 * @param readArguments  validates the arguments before anything else happens; throws UsageError
 * @param command  returns a text that says what it did
 */
export async function runOperatorCommand<Arguments>(
  readArguments: (given: string[]) => Arguments,
  command: (databases: Databases, config: Config, args: Arguments) => Promise<string>,
): Promise<void> {
  try {
    const args = readArguments(process.argv.slice(2));
    const config = readInstallation(process.env);
    console.log(await withDatabase(config, (databases) => command(databases, config, args)));
  } catch (error) {
    const isExpected = [UsageError, InvalidConfig, SchemaMismatch].some((known) => error instanceof known);
    console.error(isExpected ? (error as Error).message : error);
    process.exitCode = 1;
  }
}

/**
 * Reads the settings of an existing installation. Reading those of a new one would create its secret key.
 * @throws UsageError if there is no installation
 * @throws InvalidConfig
 */
export function readInstallation(environment: Record<string, string | undefined>): Config {
  const { DATABASE_URL, DATA_DIR, SECRET_KEY } = environment;
  const given = DATA_DIR || '.data';
  const dataDir = resolve(given);
  if (!DATABASE_URL && !existsSync(join(dataDir, 'postgres', 'PG_VERSION')))
    throw new UsageError(
      `There is no installation in ${given}; set DATA_DIR or DATABASE_URL as the server has it.`,
    );
  if (!DATABASE_URL && !SECRET_KEY && !existsSync(join(dataDir, 'secret-key')))
    throw new UsageError(`There is no secret key in ${given}; set SECRET_KEY as the server has it.`);
  return readConfig(environment);
}

/** @returns how to invite the first user, for the terminal; undefined if there are users, or no invitation is needed */
export const firstInvitation = async (
  { signUp }: Pick<Config, 'signUp'>,
  authDb: Database,
): Promise<string | undefined> =>
  signUp === 'invited' && !(await hasUsers(authDb))
    ? 'Nobody has an account yet. Invite the first person, with the same settings: npm run invite -- you@example.com'
    : undefined;

/** Uses the running database: nothing is started or migrated. @throws Error if no database is running */
export async function withRunningDatabase<T>(
  config: Config,
  work: (databases: Databases) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl === undefined && !(await isEmbeddedRunning(config)))
    throw new Error('The embedded PostgreSQL does not run.');
  const ownerUrl = config.databaseUrl ?? (await startPostgres(embedded(config))).url;
  return await connected(findLogins(config, ownerUrl), work);
}

async function withDatabase<T>(config: Config, work: (databases: Databases) => Promise<T>): Promise<T> {
  if (config.databaseUrl !== undefined) return await connectedTo(config, config.databaseUrl, work);
  const wasRunning = await isEmbeddedRunning(config);
  const postgres = await startPostgres(embedded(config));
  try {
    return await connectedTo(config, postgres.url, work);
  } finally {
    if (!wasRunning) await postgres.stop();
  }
}

/**
 * Connects without migrating, because a server of another version may be running.
 * @throws SchemaMismatch
 */
async function connectedTo<T>(
  config: Config,
  ownerUrl: string,
  work: (databases: Databases) => Promise<T>,
): Promise<T> {
  await checkSchema(config.databaseLogins?.appUrl ?? ownerUrl);
  return await connected(findLogins(config, ownerUrl), work);
}

const embedded = ({ dataDir }: Config) => ({ dataDir: join(dataDir, 'postgres'), durable: true });
const isEmbeddedRunning = async (config: Config): Promise<boolean> =>
  (await findRunningServer(embedded(config).dataDir, 60_000)) !== undefined;

async function connected<T>(
  { appUrl, authUrl }: DatabaseLogins,
  work: (databases: Databases) => Promise<T>,
): Promise<T> {
  const options = { name: 'operator', connections: 1, onError: () => undefined };
  const [db, authDb] = [connect(appUrl, options), connect(authUrl, options)];
  try {
    return await work({ db, authDb });
  } finally {
    await Promise.all([db.destroy(), authDb.destroy()]);
  }
}
