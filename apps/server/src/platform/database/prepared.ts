import { hash } from 'node:crypto';
import { CompiledQuery, type DatabaseConnection, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { DatabaseError } from 'pg';

/**
 * Maximum prepared statements of a connection. Each keeps its text, its tree and a plan in the memory of PostgreSQL, 0.3 MB on
 * average, and 1 MB at most. Beyond it, statements are planned with each execution.
 */
export const maxPrepared = 50;

const marked = new WeakSet<RootOperationNode>();

const mark: KyselyPlugin = {
  transformQuery({ node }) {
    // Queries that were built from the same one are not marked with it.
    const copy = Object.freeze({ ...node });
    marked.add(copy);
    return copy;
  },
  transformResult: ({ result }) => Promise.resolve(result),
};

/**
 * Marks a statement that each connection parses and plans once, under a name. For reads and writes that find their rows by a key,
 * and short lists by one: PostgreSQL makes a plan for all values, unless those of the first five executions had cheaper ones. Not
 * for searches, sums and pages, whose best plan depends on values, nor for texts that vary with the number of values.
 * The statement names its columns: `select *` fails on a connection that has prepared it, once the table has another column.
 */
export const prepared = <Q extends { withPlugin(plugin: KyselyPlugin): unknown }>(query: Q): Q =>
  query.withPlugin(mark) as Q;

/** Part of all names, raised when the schema has changed under a prepared statement: all are then prepared again. */
let generation = 0;

/** Executions beyond `maxPrepared`, in all pools of this process. */
let unprepared = 0;
export const countUnprepared = (): number => unprepared;

/** Makes a new connection name the statements that are marked. */
export function prepareMarked(connection: DatabaseConnection): void {
  const execute = connection.executeQuery.bind(connection);
  const names = new Set<string>();
  let generationOfNames = generation;
  const named = async (query: CompiledQuery): Promise<CompiledQuery> => {
    if (generationOfNames !== generation) {
      const wanted = generation;
      await execute(CompiledQuery.raw('deallocate all'));
      generationOfNames = wanted;
      names.clear();
    }
    const name = `${generation}_${hash('sha256', query.sql, 'base64url')}`;
    if (!names.has(name)) {
      if (names.size >= maxPrepared) {
        unprepared += 1;
        return query;
      }
      names.add(name);
    }
    // Kysely passes it to the driver as it is, which takes a statement with a name, too.
    return { ...query, sql: { name, text: query.sql } as unknown as string };
  };
  connection.executeQuery = async (query, options) => {
    try {
      return await execute(marked.has(query.query) ? await named(query) : query, options);
    } catch (error) {
      // Other connections that fail by the same change find it raised.
      if (hasOtherResult(error) && generationOfNames === generation) generation += 1;
      throw error;
    }
  };
}

/** Whether a change of the schema gave the result of a prepared statement other columns. */
const hasOtherResult = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
