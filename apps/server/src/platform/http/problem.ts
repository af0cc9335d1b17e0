import { STATUS_CODES } from 'node:http';

/** The body of every error under `/api` (RFC 9457). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  /** Stable; docs/error-codes.md lists all. */
  code: string;
  detail: string;
  errors?: { path: string; message: string }[];
  data?: unknown;
}

export interface ProblemInput {
  status: number;
  code: string;
  detail: string;
  data?: unknown;
}

/** Builds problem details. Invalid input is also listed in `errors`; `data` is passed through. */
export function toProblem({ status, code, detail, data }: ProblemInput): Problem {
  const errors = listErrors(data);
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    code,
    detail,
    ...(errors === undefined ? {} : { errors }),
    ...(data === undefined || data === null ? {} : { data }),
  };
}

function listErrors(data: unknown): { path: string; message: string }[] | undefined {
  if (typeof data !== 'object' || data === null || !('errors' in data) || !Array.isArray(data.errors))
    return undefined;
  return data.errors as { path: string; message: string }[];
}

/**
 * @param data of the error
 * @returns the Retry-After header (RFC 9110), in seconds; undefined if the error has no `retry_after`
 */
export const retryAfterOf = (data: unknown): string | undefined =>
  typeof data === 'object' && data !== null && 'retry_after' in data && typeof data.retry_after === 'number'
    ? String(data.retry_after)
    : undefined;
