import { isProblem } from '#web/platform/problem.ts';

export interface Outcome<Row> {
  done: Row[];
  failed: { row: Row; error: unknown }[];
  /** Nobody tried these: it was stopped, or went no further. */
  left: Row[];
}

/** Does the same to several records with one request: to all of them, or to none. */
export interface Batch<Row> {
  /** Of one request. */
  size: number;
  operation: (rows: Row[]) => Promise<unknown>;
}

interface Options {
  /** After each row, or batch of rows. */
  onProgress?: (done: number) => void;
  isStopped?: () => boolean;
}

/**
 * Does the same to several records, one after another, each with its own operation: so permission, rules and audit log are
 * those of a single one, and of each it is known what became of it. Ends early where the next would fail, too.
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
 * The same with few requests. Where one record keeps a batch from being done, each of its records is tried by itself: so the others
 * are done, and it is known which one was refused and why.
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

/** No network, signed out, too many requests, or a server that does not answer: it has nothing to do with the record. */
const endsAll = (error: unknown): boolean =>
  !isProblem(error) || [0, 401, 429].includes(error.status) || error.status >= 500;

/** A record that is not there, not in the right state, or held by others. */
const isOfOne = (error: unknown): boolean => isProblem(error) && [404, 409, 422].includes(error.status);
