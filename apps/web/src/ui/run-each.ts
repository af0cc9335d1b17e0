import { isProblem } from '#web/platform/problem.ts';

export interface Outcome<Row> {
  done: Row[];
  failed: { row: Row; error: unknown }[];
  /** Nobody tried these: it was stopped, or went no further. */
  left: Row[];
}

interface Options {
  /** After each row. */
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

/** No network, signed out, too many requests, or a server that does not answer: it has nothing to do with the record. */
const endsAll = (error: unknown): boolean =>
  !isProblem(error) || [0, 401, 429].includes(error.status) || error.status >= 500;
