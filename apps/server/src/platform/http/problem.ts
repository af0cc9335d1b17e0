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

/** Bad input is listed in `errors`, other details of a code stay in `data`. */
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
 * The seconds of the header Retry-After (RFC 9110), from an error that says when to come back.
 * @param data of the error
 */
export const retryAfterOf = (data: unknown): string | undefined =>
  typeof data === 'object' && data !== null && 'retry_after' in data && typeof data.retry_after === 'number'
    ? String(data.retry_after)
    : undefined;
