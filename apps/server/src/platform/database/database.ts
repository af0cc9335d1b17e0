import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  sql,
  type DatabaseConnection,
  type PostgresDialectConfig,
  type Transaction as KyselyTransaction,
  type TransactionSettings,
} from 'kysely';
import { types as pgTypes, type CustomTypesConfig } from 'pg';
import { isUuid } from '../ids.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { DB } from './types.gen.ts';

export type Database = Kysely<DB>;
export type Transaction = KyselyTransaction<DB>;

// Whole numbers of 64 bits are counts, far below 2^53. Points in time stay ISO 8601 text from column to screen.
export const columnTypes: CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === 20) return Number;
    if (oid === 1184) return (value: string) => new Date(value).toISOString();
    return pgTypes.getTypeParser(oid, format);
  },
};

export interface PoolOptions {
  connections: number;
  /** Longest run of one statement in a transaction; without it, and outside of transactions, the role's limit holds. */
  statementTimeoutMs?: number | undefined;
  /** Processes of the database that one statement in a transaction may keep busy; the database's own setting if unset. */
  processesPerStatement?: number | undefined;
  /** Longest wait for a connection, new or given back; 5 s if unset. */
  connectTimeoutMs?: number | undefined;
  /** Shown in pg_stat_activity. */
  name: string;
  /** Called for faults of idle connections, such as a restart of the server. */
  onError: (error: Error) => void;
}

/** A pool of connections as `reachout_app`. Each part of the server has its own, so none starves another. */
export function connect(appUrl: string, options: PoolOptions): Database {
  const pool = new ConnectionPool({
    connectionString: appUrl,
    max: options.connections,
    application_name: `reachout ${options.name}`,
    types: columnTypes,
    silenceLimitMs: silenceLimitOf(options),
    onError: options.onError,
    ...(options.connectTimeoutMs !== undefined && { connectionTimeoutMillis: options.connectTimeoutMs }),
  });
  return new Kysely<DB>({ dialect: new LimitedDialect({ pool }, transactionLimits(options)) });
}

/** Longest run of one statement where neither pool nor transaction says otherwise: `migrate.ts` sets it for the roles. */
const defaultStatementTimeoutMs = 5_000;

/** For `ConnectionPool`, in milliseconds. */
export const silenceLimitOf = ({ statementTimeoutMs = defaultStatementTimeoutMs }: PoolOptions): number =>
  statementTimeoutMs + 15_000;

/** The limits of a pool, as statements that go along with `begin`. */
export const transactionLimits = ({ statementTimeoutMs, processesPerStatement }: PoolOptions): string =>
  [
    statementTimeoutMs !== undefined && `statement_timeout = ${statementTimeoutMs.toFixed(0)}`,
    processesPerStatement !== undefined &&
      `max_parallel_workers_per_gather = ${(processesPerStatement - 1).toFixed(0)}`,
  ]
    .map((limit) => (limit === false ? '' : `; set local ${limit}`))
    .join('');

class LimitedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #limits: string;

  constructor(config: PostgresDialectConfig, limits: string) {
    super(config);
    this.#config = config;
    this.#limits = limits;
  }

  override createDriver(): PostgresDriver {
    return new LimitedDriver(this.#config, this.#limits);
  }
}

class LimitedDriver extends PostgresDriver {
  readonly #limits: string;

  constructor(config: PostgresDialectConfig, limits: string) {
    super(config);
    this.#limits = limits;
  }

  /** One round trip for both. */
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    const isolation =
      settings.isolationLevel === undefined ? '' : ` isolation level ${settings.isolationLevel}`;
    const access = settings.accessMode === undefined ? '' : ` ${settings.accessMode}`;
    await connection.executeQuery(CompiledQuery.raw(`begin${isolation}${access}${this.#limits}`));
  }
}

/** Whom a transaction acts for; row-level security shows it nothing else. */
export interface Actor {
  userId?: string | undefined;
  organizationId?: string | undefined;
  /** The ids that the operation is limited to, by setting; undefined for all of the organization. */
  accessScope?: Readonly<Record<string, readonly string[]>> | undefined;
}

/**
 * Runs `work` in one transaction that carries user and organization. Both settings end with it.
 * `set local` statements, not `set_config()`: only the former reach the workers of a distributed database.
 */
export async function transactionAs<T>(
  db: Database,
  actor: Actor,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> {
  const { userId = '', organizationId = '', accessScope } = actor;
  const settings = [
    set('user_id', [userId].filter(Boolean), ([id = '']) => id),
    set('organization_id', [organizationId].filter(Boolean), ([id = '']) => id),
  ];
  if (accessScope !== undefined) {
    settings.push(
      `set local app.access_scope = 'limited'`,
      ...Object.entries(accessScope).map(([setting, ids]) => set(setting, ids, toArray)),
    );
  }
  return await db.transaction().execute(async (trx) => {
    await sql.raw(settings.join('; ')).execute(trx);
    return await work(trx);
  });
}

/** The only text that gets into these statements are ids and names that were checked, character by character. */
function set(setting: string, ids: readonly string[], toText: (ids: readonly string[]) => string): string {
  if (!/^[a-z_]+$/.test(setting)) throw new Error('A setting has lower-case letters.');
  if (!ids.every(isUuid)) throw new Error(`${setting} must be made of UUIDs.`);
  return `set local app.${setting} = '${toText(ids)}'`;
}

const toArray = (ids: readonly string[]): string => `{${ids.join(',')}}`;

/** Runs `work` inside one organization, for jobs and for tokens: nobody in particular acts. */
export const inOrganization = <T>(
  db: Database,
  organizationId: string,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> => transactionAs(db, { organizationId }, work);

/** Moves a transaction into an organization: for the one operation that makes it. */
export async function enterOrganization(trx: Transaction, organizationId: string): Promise<void> {
  if (!isUuid(organizationId)) throw new Error('organizationId must be a UUID.');
  await sql.raw(`set local app.organization_id = '${organizationId}'`).execute(trx);
}

/** For the rest of a transaction: a statement that takes longer fails, see `isStatementTimeout`. */
export async function limitStatements(trx: Transaction, limitMs: number): Promise<void> {
  await sql`set local statement_timeout = ${sql.lit(limitMs)}`.execute(trx);
}

/**
 * For statements that join large sets: without statistics of an organization yet, PostgreSQL would take it for nearly
 * empty and compare each row with each other one (105 s for 20,000 rows, instead of 0.3).
 */
export async function withoutNestedLoops<T>(trx: Transaction, work: () => Promise<T>): Promise<T> {
  await sql`set local enable_nestloop = off`.execute(trx);
  const result = await work();
  await sql`set local enable_nestloop = on`.execute(trx);
  return result;
}
