import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import {
  transactionAs,
  type Actor,
  type Database,
  type Transaction,
} from '../../apps/server/src/platform/database/database.ts';
import { say } from './benchmark.ts';

/**
 * Prints the plan of each statement of `work`. Its writes are rolled back.
 * @param appUrl  logs in as the product does
 * @returns the plans
 */
export async function showPlans(
  appUrl: string,
  name: string,
  actor: Actor,
  work: (trx: Transaction) => Promise<unknown>,
): Promise<string[]> {
  const statements: CompiledQuery[] = [];
  const pool = new Pool({ connectionString: appUrl, max: 1 });
  const db: Database = new Kysely({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      statements.push(query);
    },
  });
  const plans: string[] = [];
  try {
    await undone(db, actor, work);
    const asked = [...statements];
    await undone(db, actor, async (trx) => {
      for (const query of asked) {
        if (/^\s*(select|with|insert|update|delete)\b/.test(query.sql))
          plans.push(await explain(trx, name, query));
        // Such as settings of the planner.
        else if (/^\s*set\b/.test(query.sql)) await trx.executeQuery(query);
      }
    });
    return plans;
  } finally {
    await db.destroy();
  }
}

async function explain(
  trx: Transaction,
  name: string,
  { sql: text, parameters }: CompiledQuery,
): Promise<string> {
  const explained = CompiledQuery.raw(`explain (analyze, buffers) ${text}`, [...parameters]);
  const { rows } = await trx.executeQuery<{ 'QUERY PLAN': string }>(explained);
  const lines = rows.map((row) => row['QUERY PLAN']).filter((line) => !line.includes('never executed'));
  const plan = lines.map((line) => `    ${line}`).join('\n');
  say(`  ${name}: ${text.trim()}\n${plan}`);
  return plan;
}

const undo = new Error('Nothing is to stay.');

async function undone(
  db: Database,
  actor: Actor,
  work: (trx: Transaction) => Promise<unknown>,
): Promise<void> {
  try {
    await transactionAs(db, actor, async (trx) => {
      await work(trx);
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
}
