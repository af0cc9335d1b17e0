import { ORPCError } from '@orpc/contract';
import { importError, type ImportError } from '@reachout/contract/rules/import-errors.ts';

export interface Rejection {
  field: string | null;
  error: ImportError;
}

interface Options<T> {
  reject: (entry: T, rejection: Rejection) => void;
  /** Whether the job has been retried several times: a recurring server failure is then blamed on the written entry. */
  isRepeated: boolean;
}

/** Writes all entries at once. If the list is rejected, writes each half separately, down to the entries at fault. */
export async function writeAll<T>(
  entries: readonly T[],
  write: (entries: readonly T[]) => Promise<unknown>,
  options: Options<T>,
): Promise<void> {
  if (entries.length === 0) return;
  try {
    await write(entries);
  } catch (error) {
    const rejection = rejectionOf(error, options.isRepeated);
    if (rejection === undefined) throw error;
    if (entries.length === 1) return options.reject(entries[0]!, rejection);
    const half = Math.ceil(entries.length / 2);
    await writeAll(entries.slice(0, half), write, options);
    await writeAll(entries.slice(half), write, options);
  }
}

/** @returns undefined if the error comes from the content backend itself and not from the written entries */
function rejectionOf(error: unknown, isRepeated: boolean): Rejection | undefined {
  if (!(error instanceof ORPCError)) return undefined;
  const { errors, field, failure, message } = (error.data ?? {}) as {
    errors?: { path: string; message: string }[];
    field?: string;
    failure?: string;
    message?: string;
  };
  const rejected = (detail: string) => importError('rejected_elsewhere', { detail });
  if (error.code === 'validation_failed') {
    const [first] = errors ?? [];
    return { field: first?.path || null, error: rejected(first?.message ?? '') };
  }
  if (error.code === 'not_unique') return { field: field ?? null, error: importError('not_unique') };
  // The item was deleted in the meantime.
  if (error.code === 'not_found') return { field: null, error: importError('item_gone') };
  const isRejection = failure === 'rejected' || (failure === 'status' && isRepeated);
  return isRejection ? { field: null, error: rejected(message ?? '') } : undefined;
}
