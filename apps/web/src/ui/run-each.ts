import { isProblem } from '#web/platform/problem.ts';

export interface Outcome<Row> {
  done: Row[];
  failed: { row: Row; error: unknown }[];
  /** Rows that were not attempted, because the run was stopped or ended early. */
  left: Row[];
}

/** Applies an operation to several records with one request: to all of them, or to none. */
export interface Batch<Row> {
  /** Maximum number of records per request. */
  size: number;
  operation: (rows: Row[]) => Promise<unknown>;
}

interface Options {
  /** Called after each row or batch of rows. */
  onProgress?: (done: number) => void;
  isStopped?: () => boolean;
}

/**
 * Applies an operation to several records, one request each, so that permissions, rules and audit log are the same as for a
 * single record and each has its own result. Ends early if the next request would fail, too.
 */
export async function runEach<Row>(
  rows: readonly Row[],
  operation: (row: Row) => Promise<unknown>,
  { onProgress, isStopped = () => false }: Options = {},
): Promise<Outcome<Row>> {
  const outcome: Outcome<Row> = { done: [], failed: [], left: [] };
  for (const [index, row] of rows.entries()) {
    if (isStopped()) return { ...outcome, left: rows.slice(index) };
    try {
      await operation(row);
      outcome.done.push(row);
    } catch (error) {
      outcome.failed.push({ row, error });
      if (endsAll(error)) return { ...outcome, left: rows.slice(index + 1) };
    }
    onProgress?.(index + 1);
  }
  return outcome;
}

/**
 * `runEach` with fewer requests. If one record makes a batch fail, the batch's records are tried individually, so that the
 * others succeed and the error is attributed to the right record.
 */
export async function runBatches<Row>(
  rows: readonly Row[],
  { size, operation }: Batch<Row>,
  single: (row: Row) => Promise<unknown>,
  { onProgress, isStopped = () => false }: Options = {},
): Promise<Outcome<Row>> {
  const outcome: Outcome<Row> = { done: [], failed: [], left: [] };
  for (let start = 0; start < rows.length; start += size) {
    const batch = rows.slice(start, start + size);
    if (isStopped()) return { ...outcome, left: rows.slice(start) };
    try {
      await operation(batch);
      outcome.done.push(...batch);
    } catch (error) {
      const ended = isOfOne(error)
        ? await runEach(batch, single, { isStopped, onProgress: (done) => onProgress?.(start + done) })
        : { done: [], failed: batch.map((row) => ({ row, error })), left: [] };
      outcome.done.push(...ended.done);
      outcome.failed.push(...ended.failed);
      const isEnd = ended.left.length > 0 || ended.failed.some(({ error: reason }) => endsAll(reason));
      if (isEnd) return { ...outcome, left: [...ended.left, ...rows.slice(start + size)] };
    }
    onProgress?.(Math.min(start + size, rows.length));
  }
  return outcome;
}

/** No connection, signed out, too many requests, or a failing server: errors that are unrelated to the record. */
const endsAll = (error: unknown): boolean =>
  !isProblem(error) || [0, 401, 429].includes(error.status) || error.status >= 500;

/** The record does not exist, is not in the right state, or is used by others. */
const isOfOne = (error: unknown): boolean => isProblem(error) && [404, 409, 422].includes(error.status);
