import { CompiledQuery } from 'kysely';
import { DatabaseError, type PoolClient } from 'pg';
import { isUuid } from '../ids.ts';
import { ConnectionPool, socketOf } from './connection-pool.ts';
import {
  columnTypes,
  silenceLimitOf,
  transactionLimits,
  type PoolOptions,
  type Transaction,
} from './database.ts';

/** A statement that is parsed and planned once per connection, for statements that run hundreds of times a second. */
export interface PreparedStatement {
  /** Identifies exactly this text on every connection. */
  name: string;
  /** SQL with `$1`, `$2`, …; must name the tenant's organization like any other statement. */
  text: string;
}

/** Names a text such as statement('lock_chunk')`select … where id = $1`: `${…}` inserts parts of the text, never values. */
export const statement =
  (name: string) =>
  (text: readonly string[], ...parts: readonly (string | number)[]): PreparedStatement => ({
    name,
    text: String.raw({ raw: text }, ...parts),
  });

export interface Step extends PreparedStatement {
  values: unknown[];
}

export interface OrganizationSteps {
  organizationId: string;
  steps: Step[];
}

/** Connections for short transactions whose statements are all known in advance. */
export interface PipelinedDatabase {
  /**
   * Runs the steps in one transaction that carries the organization, in one round trip: `begin`, the settings,
   * the steps and `commit` are written together, so that row-level security costs no additional round trip.
   * @returns the rows of each step
   * @throws Error of the first step that failed, with nothing stored; or of the connection, in which case it is unknown
   * whether the transaction was committed: retries must be idempotent
   */
  transaction(organizationId: string, steps: Step[]): Promise<unknown[][]>;
  /**
   * Runs steps of several organizations in one transaction, so that they share a commit. Row-level security shows
   * each step only the rows of its own organization. The statements must join nothing but their own parameters.
   * @throws as `transaction`; `wasRolledBack` distinguishes the two cases
   */
  transactionOf(work: readonly OrganizationSteps[]): Promise<void>;
  /**
   * Runs one statement that needs no organization, such as a call of a function that checks the rights itself. It is a
   * transaction of its own, and costs PostgreSQL half of one with settings.
   * @returns its rows
   * @throws as `transaction`
   */
  statement(step: Step): Promise<unknown[]>;
  destroy(): Promise<void>;
}

/**
 * Every statement has to find its rows by an index: plans are made once, perhaps while the tables are empty, and must
 * not be sequential scans when the tables have grown.
 */
const planOnce = (forbidden: readonly string[]) =>
  ['plan_cache_mode = force_generic_plan', ...forbidden.map((method) => `enable_${method} = off`)]
    .map((setting) => `; set local ${setting}`)
    .join('');

export function connectPipelined(appUrl: string, options: PoolOptions): PipelinedDatabase {
  const pool = new ConnectionPool({
    connectionString: appUrl,
    max: options.connections,
    application_name: `reachout ${options.name}`,
    pipeline: true,
    types: columnTypes,
    silenceLimitMs: silenceLimitOf(options),
    onError: options.onError,
  });
  const begin = (forbidden: readonly string[]) =>
    `begin${transactionLimits(options)}${planOnce(forbidden)}; set local app.user_id = ''`;
  const beginOne = begin(['seqscan', 'hashjoin', 'mergejoin']);
  // Hash joins are allowed: one of two parameters reads no table, and a nested loop would be quadratic.
  const beginMany = begin(['seqscan', 'mergejoin']);
  const run = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect();
    let isLost = true;
    try {
      const rows = await work(client);
      isLost = false;
      return rows;
    } catch (error) {
      isLost = !wasRolledBack(error);
      throw error;
    } finally {
      client.release(isLost);
    }
  };
  return {
    // The first result is that of `begin`, the last that of `commit`.
    transaction: async (organizationId, steps) =>
      (await run((client) => runTogether(client, beginOne, [{ organizationId, steps }]))).slice(1, -1),
    transactionOf: async (work) => {
      await run((client) => runTogether(client, beginMany, work));
    },
    statement: async (step) => (await run((client) => client.query<Record<string, unknown>>(step))).rows,
    destroy: () => pool.end(),
  };
}

/**
 * Whether the server rejected a step, so that nothing was stored and the connection can be reused. False for errors that
 * end the connection (class 57P: shut down, killed).
 */
export const wasRolledBack = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code?.startsWith('57P') !== true;

/** Runs the steps in an open transaction, one after the other. */
export async function runSteps(trx: Transaction, steps: Step[]): Promise<void> {
  for (const { text, values } of steps) await trx.executeQuery(CompiledQuery.raw(text, values));
}

async function runTogether(
  client: PoolClient,
  begin: string,
  work: readonly OrganizationSteps[],
): Promise<unknown[][]> {
  if (!work.every(({ organizationId }) => isUuid(organizationId)))
    throw new Error('organizationId must be a UUID.');
  // Writes all statements at once.
  const socket = socketOf(client);
  socket.cork();
  const queries = work.flatMap(({ organizationId, steps }, index) => {
    const tenant = `set local app.organization_id = '${organizationId}'`;
    return [
      client.query(index === 0 ? `${begin}; ${tenant}` : tenant),
      ...steps.map((step) => client.query<Record<string, unknown>>(step)),
    ];
  });
  // Rolls back if a step failed.
  queries.push(client.query('commit'));
  socket.uncork();
  const responses = await Promise.allSettled(queries);
  const rows: unknown[][] = [];
  for (const response of responses) {
    if (response.status === 'rejected') throw response.reason;
    rows.push(response.value.rows);
  }
  return rows;
}
