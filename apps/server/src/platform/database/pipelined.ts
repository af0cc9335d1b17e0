import { CompiledQuery } from 'kysely';
import { DatabaseError, type PoolClient } from 'pg';
import { isUuid } from '../ids.ts';
import { ConnectionPool } from './connection-pool.ts';
import {
  columnTypes,
  silenceLimitOf,
  transactionLimits,
  type PoolOptions,
  type Transaction,
} from './database.ts';

/** A statement that is parsed and planned once for each connection: for those that run hundreds of times a second. */
export interface PreparedStatement {
  /** Stands for this very text, on every connection. */
  name: string;
  /** With `$1`, `$2`, …; names a tenant's organization like any other statement. */
  text: string;
}

export interface Step extends PreparedStatement {
  values: unknown[];
}

/** Connections for short transactions whose statements are all known in advance. */
export interface PipelinedDatabase {
  /**
   * Runs the steps in one transaction that carries the organization, in one round trip: `begin`, the settings,
   * the steps and `commit` leave together, so that row-level security costs no additional round trip.
   * @returns the rows of each step
   * @throws Error of the first step that failed, with nothing stored; or of the connection, and then nobody knows
   * whether it was stored: repeating has to be harmless
   */
  transaction(organizationId: string, steps: Step[]): Promise<unknown[][]>;
  destroy(): Promise<void>;
}

/**
 * Every statement has to be one that finds its rows by an index: plans are made once, perhaps while tables are empty,
 * and must not become scans when they have grown.
 */
const planOnce = [
  'plan_cache_mode = force_generic_plan',
  ...['seqscan', 'hashjoin', 'mergejoin'].map((method) => `enable_${method} = off`),
]
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
  const begin = `begin${transactionLimits(options)}${planOnce}`;
  return {
    transaction: async (organizationId, steps) => {
      const client = await pool.connect();
      let isLost = true;
      try {
        const rows = await runTogether(client, begin, organizationId, steps);
        isLost = false;
        return rows;
      } catch (error) {
        // An error of the server leaves the connection usable, unless it ends it (class 57: shut down, killed).
        isLost = !(error instanceof DatabaseError) || error.code?.startsWith('57P') === true;
        throw error;
      } finally {
        client.release(isLost);
      }
    },
    destroy: () => pool.end(),
  };
}

/** Runs the same steps in a transaction that is open already, one after the other. */
export async function runSteps(trx: Transaction, steps: Step[]): Promise<void> {
  for (const { text, values } of steps) await trx.executeQuery(CompiledQuery.raw(text, values));
}

async function runTogether(
  client: PoolClient,
  begin: string,
  organizationId: string,
  steps: Step[],
): Promise<unknown[][]> {
  if (!isUuid(organizationId)) throw new Error('organizationId must be a UUID.');
  const tenant = `; set local app.user_id = ''; set local app.organization_id = '${organizationId}'`;
  const responses = await Promise.allSettled([
    client.query(`${begin}${tenant}`),
    ...steps.map((step) => client.query<Record<string, unknown>>(step)),
    // Rolls back when a step failed.
    client.query('commit'),
  ]);
  const rows: unknown[][] = [];
  for (const response of responses) {
    if (response.status === 'rejected') throw response.reason;
    rows.push(response.value.rows);
  }
  return rows.slice(1, -1);
}
