import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  sql,
  type DatabaseConnection,
  type Insertable,
  type PostgresDialectConfig,
  type Selectable,
  type SelectQueryBuilder,
  type Transaction as KyselyTransaction,
  type TransactionSettings,
} from 'kysely';
import { types as pgTypes, type CustomTypesConfig } from 'pg';
import { isUuid } from '../ids.ts';
import { ConnectionPool } from './connection-pool.ts';
import { prepareMarked } from './prepared.ts';
import type { DB } from './types.gen.ts';

export type Database = Kysely<DB>;
export type Transaction = KyselyTransaction<DB>;

/** A row of a table or view, or some columns of it. */
export type Row<T extends keyof DB, C extends keyof Selectable<DB[T]> = keyof Selectable<DB[T]>> = Pick<
  Selectable<DB[T]>,
  C
>;
/** A row of the query that a function builds, or that it finds. */
export type RowOf<F extends (...args: never[]) => unknown> =
  ReturnType<F> extends SelectQueryBuilder<infer _D, infer _T, infer O>
    ? O
    : NonNullable<Awaited<ReturnType<F>>>;
/** The columns that an insert must name, and those that have a default. */
export type NewRow<T extends keyof DB> = Insertable<DB[T]>;

// 64-bit integers are counts, far below 2^53. Timestamps stay ISO 8601 text from column to screen, times of day `HH:MM`.
export const columnTypes: CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === 20) return Number;
    if (oid === 1083) return (value: string) => value.slice(0, 5);
    if (oid === 1184) return (value: string) => new Date(value).toISOString();
    return pgTypes.getTypeParser(oid, format);
  },
};

export interface PoolOptions {
  connections: number;
  /** Timeout of one statement in a transaction. If unset, and outside of transactions, the role's timeout applies. */
  statementTimeoutMs?: number | undefined;
  /** Maximum database processes for one statement in a transaction; the database's own setting if unset. */
  processesPerStatement?: number | undefined;
  /** Maximum wait for a connection, new or returned to the pool; 5 s if unset. */
  connectTimeoutMs?: number | undefined;
  /** Opens a connection for each transaction, as a busy or idle pool has to. */
  isAlwaysNew?: boolean;
  /** Shown in pg_stat_activity. */
  name: string;
  /** Called for errors of idle connections, such as a restart of the server. */
  onError: (error: Error) => void;
}

/** Opens a connection pool as `reachout_app`. Each part of the server has its own, so that none starves another. */
export function connect(appUrl: string, options: PoolOptions): Database {
  const pool = new ConnectionPool({
    connectionString: appUrl,
    max: options.connections,
    application_name: `reachout ${options.name}`,
    types: columnTypes,
    silenceLimitMs: silenceLimitOf(options),
    onError: options.onError,
    ...(options.isAlwaysNew === true && { maxUses: 1 }),
    ...(options.connectTimeoutMs !== undefined && { connectionTimeoutMillis: options.connectTimeoutMs }),
  });
  const config: PostgresDialectConfig = {
    pool,
    onCreateConnection: (connection) => Promise.resolve(prepareMarked(connection)),
  };
  return new Kysely<DB>({ dialect: new LimitedDialect(config, transactionLimits(options)) });
}

/** Statement timeout unless pool or transaction set another one: `migrate.ts` sets it for the roles. */
const defaultStatementTimeoutMs = 5_000;

/** @returns the `silenceLimitMs` of `ConnectionPool` */
export const silenceLimitOf = ({ statementTimeoutMs = defaultStatementTimeoutMs }: PoolOptions): number =>
  statementTimeoutMs + 15_000;

/** @returns the limits of a pool as `set local` statements, appended to `begin` */
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

  /** Begins the transaction and sets its limits in one round trip. */
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

/** The user and organization of a transaction; row-level security limits it to their rows. */
export interface Actor {
  userId?: string | undefined;
  organizationId?: string | undefined;
  /** The ids that the operation is limited to, by setting; undefined for the whole organization. */
  accessScope?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Whether the user sees no content items but those they created. */
  ownItemsOnly?: boolean | undefined;
}

/**
 * Runs `work` in one transaction that carries user and organization; both settings end with it.
 * Uses `set local` rather than `set_config()`, because only `set local` reaches the workers of a distributed database.
 */
export async function transactionAs<T>(
  db: Database,
  actor: Actor,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> {
  const { userId = '', organizationId = '', accessScope, ownItemsOnly = false } = actor;
  const settings = [
    set('user_id', [userId].filter(Boolean), ([id = '']) => id),
    set('organization_id', [organizationId].filter(Boolean), ([id = '']) => id),
  ];
  if (ownItemsOnly) settings.push(`set local app.item_scope = 'own'`);
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

/** Formats a `set local` statement. Only ids and names whose every character was checked enter the SQL text. */
function set(setting: string, ids: readonly string[], toText: (ids: readonly string[]) => string): string {
  if (!/^[a-z_]+$/.test(setting)) throw new Error('A setting has lower-case letters.');
  if (!ids.every(isUuid)) throw new Error(`${setting} must be made of UUIDs.`);
  return `set local app.${setting} = '${toText(ids)}'`;
}

const toArray = (ids: readonly string[]): string => `{${ids.join(',')}}`;

/** Runs `work` inside one organization without a user, for jobs and tokens. */
export const inOrganization = <T>(
  db: Database,
  organizationId: string,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> => transactionAs(db, { organizationId }, work);

/** Switches a transaction to an organization, for the one operation that creates it. */
export async function enterOrganization(trx: Transaction, organizationId: string): Promise<void> {
  if (!isUuid(organizationId)) throw new Error('organizationId must be a UUID.');
  await sql.raw(`set local app.organization_id = '${organizationId}'`).execute(trx);
}

/** Sets the statement timeout for the rest of a transaction; see `isStatementTimeout`. */
export async function limitStatements(trx: Transaction, limitMs: number): Promise<void> {
  await sql`set local statement_timeout = ${sql.lit(limitMs)}`.execute(trx);
}

/**
 * Disables nested loops for statements that join large sets. As long as an organization has no statistics, PostgreSQL
 * takes it for nearly empty and chooses a nested loop (105 s for 20,000 rows, instead of 0.3 s).
 */
export async function withoutNestedLoops<T>(trx: Transaction, work: () => Promise<T>): Promise<T> {
  await sql`set local enable_nestloop = off`.execute(trx);
  const result = await work();
  await sql`set local enable_nestloop = on`.execute(trx);
  return result;
}

// Statements in SQL as expressions, by what they give, such as `rowsOf<Row>(trx)`: as with `sql`, values are bound, and parts
// of statements are made with `sql`. Only *.queries.ts may import them.

type Statement<R> = (text: Parameters<typeof sql>[0], ...parts: unknown[]) => Promise<R>;
type Executor = Pick<Kysely<DB>, 'getExecutor'>;

const statement =
  <T, R>(db: Executor, toResult: (rows: T[]) => R): Statement<R> =>
  async (text, ...parts) =>
    toResult((await sql<T>(text, ...parts).execute(db)).rows);

/** For statements without a result. */
export const execute = (db: Executor): Statement<void> => statement(db, () => undefined);

export const rowsOf = <T>(db: Executor): Statement<T[]> => statement(db, (rows: T[]) => rows);

export const firstRowOf = <T>(db: Executor): Statement<T | undefined> =>
  statement(db, (rows: T[]) => rows[0]);

/** The row of a statement that always has one. */
export const onlyRowOf = <T>(db: Executor): Statement<T> => statement(db, (rows: T[]) => rows[0]!);

export const hasRows = (db: Executor): Statement<boolean> => statement(db, (rows) => rows.length > 0);

/** The values of the only column. */
export const valuesOf = <V>(db: Executor): Statement<V[]> =>
  statement(db, (rows: object[]) => rows.map((row) => onlyValue(row) as V));

export const firstValueOf = <V>(db: Executor): Statement<V | undefined> =>
  statement(db, ([row]: object[]) => row && (onlyValue(row) as V));

/** The value of a statement that always has one row of one column, such as a count. */
export const onlyValueOf = <V>(db: Executor): Statement<V> =>
  statement(db, (rows: object[]) => onlyValue(rows[0]!) as V);

function onlyValue(row: object): unknown {
  const values: unknown[] = Object.values(row);
  if (values.length !== 1) throw new Error('A statement whose values are read has one column.');
  return values[0];
}
