import { sql, type RawBuilder } from 'kysely';
import { DatabaseError } from 'pg';
import type { Database } from '../platform/database/database.ts';

export interface PreparedStatement<T> {
  name: string;
  /** `prepare NAME(TYPES) as SELECT`, with `$1` and so on as arguments. */
  prepare: RawBuilder<unknown>;
  /** Type of a row; it is not checked. */
  row?: T;
}

const unknownStatement = '26000';

/** Runs a prepared statement, which each connection plans once: with many tables, planning takes longer than execution. */
export const runPrepared = <T>(
  db: Database,
  statement: PreparedStatement<T>,
  args: readonly string[],
): Promise<T[]> => db.connection().execute((connection) => executePrepared(connection, statement, args));

/** @param connection  a single one, outside of transactions, which its first use would end */
export async function executePrepared<T>(
  connection: Database,
  { name, prepare }: PreparedStatement<T>,
  args: readonly string[],
): Promise<T[]> {
  const execute = sql<T>`execute ${sql.id(name)}(${sql.join(args.map((arg) => sql.lit(arg)))})`;
  try {
    return (await execute.execute(connection)).rows;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== unknownStatement) throw error;
    await prepare.execute(connection);
    return (await execute.execute(connection)).rows;
  }
}
