import { cutText } from '@reachout/contract/rules/cut-text.ts';
import type { BackendFailure } from '@reachout/contract/rules/backend-failures.ts';
import { isGlobalAddress } from '../../platform/outbound/global-address.ts';
import { toOutboundFailure, OutboundFailure } from '../../platform/outbound/outbound-failure.ts';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import { apiError, notFound } from '../../platform/http/api-error.ts';
import { invalidQuery, notUnique, UnknownField, validationFailed } from '../backend/content-backend.ts';

/** `error_content` for an error without a message. */
export const defaultErrorContent = 'Directus request error';
const maxErrorContent = 500;

/** A request that Directus rejected or did not complete, or that never reached it. The message is safe to show and store. */
export class DirectusError extends Error {
  override name = 'DirectusError';
  readonly failure: BackendFailure;
  readonly status: number | undefined;
  /** The error code of Directus, such as `RECORD_NOT_UNIQUE`. */
  readonly code: string | undefined;
  readonly field: string | undefined;
  /** Seconds until a retry is allowed, if Directus sent it. */
  readonly retryAfter: number | undefined;

  constructor(
    failure: BackendFailure,
    message: string,
    details: { status?: number; code?: string; field?: string; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.failure = failure;
    this.status = details.status;
    this.code = details.code;
    this.field = details.field;
    this.retryAfter = details.retryAfter;
  }
}

/** An operation with an invalid key or collection, rejected before sending. Uses the messages of `@directus/sdk`. */
export class InvalidCall extends Error {
  override name = 'InvalidCall';
}

/** The value that the SDK's promises reject with. */
interface SdkError {
  response?: { status?: unknown; headers?: Headers };
  errors?: unknown;
}

/** @param secrets  removed from the message, in case the server echoes them */
export function toDirectusError(error: unknown, secrets: readonly string[]): Error {
  if (error instanceof DirectusError || error instanceof InvalidCall || error instanceof LimitExceeded) {
    return error;
  }
  if (!isSdkError(error)) {
    // The SDK throws plain errors for problems it detects before sending.
    if (error instanceof Error && /cannot be empty|for core collections/.test(error.message)) {
      return new InvalidCall(error.message);
    }
    const failure = error instanceof OutboundFailure ? error : toOutboundFailure(error);
    return new DirectusError(failure.kind, failure.message, { cause: error });
  }
  const { response, errors } = error;
  const status = typeof response?.status === 'number' ? response.status : 0;
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
  const { message, code, field } = readError(first);
  if (status < 400) return new DirectusError('malformed', 'The response is not one of Directus.', { status });
  const retryAfter = Number(response?.headers?.get('retry-after') ?? Number.NaN);
  return new DirectusError(failureOf(status, code), cleanMessage(message, secrets), {
    status,
    ...(code === undefined ? {} : { code }),
    ...(field === undefined ? {} : { field }),
    ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
  });
}

const isSdkError = (error: unknown): error is SdkError =>
  typeof error === 'object' && error !== null && 'response' in error && 'errors' in error;

function failureOf(status: number, code: string | undefined): BackendFailure {
  if (status === 401) return 'credentials';
  if (code === 'RESOURCE_RESTRICTED' || code === 'LIMIT_EXCEEDED') return 'licence';
  if (status === 403) return 'not_allowed';
  if (status === 404) return 'malformed';
  if (status === 429) return 'busy';
  return status >= 500 ? 'status' : 'rejected';
}

function readError(error: unknown): { message?: string; code?: string; field?: string } {
  if (typeof error !== 'object' || error === null) return {};
  const { message, extensions } = error as { message?: unknown; extensions?: unknown };
  const { code, field } = (typeof extensions === 'object' && extensions !== null ? extensions : {}) as {
    code?: unknown;
    field?: unknown;
  };
  return {
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof code === 'string' ? { code: code.slice(0, 64) } : {}),
    ...(typeof field === 'string' ? { field: field.slice(0, 63) } : {}),
  };
}

const addressLike = /\[?(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{0,4}(?::[\da-f]{0,4}){2,7})\]?(?::\d+)?/gi;

/** One line of at most 500 characters, without tokens and without addresses of private networks. */
export function cleanMessage(text: string | undefined, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret.length >= 8);
  // Truncating first could leave half a token at the end.
  const plain = known.reduce((rest, secret) => rest.replaceAll(secret, '…'), (text ?? '').slice(0, 10_000));
  const cleaned = plain
    .replaceAll(/\bbearer\s+\S+/gi, 'Bearer …')
    .replaceAll(addressLike, (found) => (isInner(found) ? '…' : found))
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .trim();
  return cleaned === '' ? defaultErrorContent : cutText(cleaned, maxErrorContent).toWellFormed();
}

function isInner(text: string): boolean {
  const host = /^\[(.*)\]/.exec(text)?.[1] ?? (text.includes('.') ? text.replace(/:\d+$/, '') : text);
  // Keeps text that only looks like an address, such as a time of day.
  return URL.canParse(`http://${host.includes(':') ? `[${host}]` : host}`) && !isGlobalAddress(host);
}

/** `error_content` for a record whose operation failed at the content backend. */
export const toErrorContent = (error: unknown): string =>
  error instanceof DirectusError || error instanceof InvalidCall
    ? cleanMessage(error.message, [])
    : defaultErrorContent;

/** @param details  additional error data @throws 424 `backend_failed` instead of a DirectusError */
export async function orBackendFailed<T>(work: () => Promise<T>, details?: object): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DirectusError ? backendFailed(error, details) : error;
  }
}

export const backendFailed = ({ failure, message }: DirectusError, details: object = {}) =>
  apiError('backend_failed', { failure, message, ...details });

/** Error for operations that Directus does not support. */
export const builtInOnly = () =>
  backendFailed(new DirectusError('built_in_only', 'Only the built-in content backend can do this.'));

/** Error for records of a content backend that is no longer in use. */
export const changedBackend = () =>
  backendFailed(
    new DirectusError('changed', 'The content backend of the organization is another one by now.'),
  );

const rejectedValues = new Set([
  'FAILED_VALIDATION',
  'INVALID_PAYLOAD',
  'INVALID_FOREIGN_KEY',
  'VALUE_TOO_LONG',
  'VALUE_OUT_OF_RANGE',
  'NOT_NULL_VIOLATION',
]);

/**
 * Converts a Directus error for callers of item operations: to the errors common to all content backends, or to
 * `backend_failed` for problems with the backend itself.
 */
export function toContentProblem(error: unknown): unknown {
  if (error instanceof InvalidCall) return notFound();
  if (!(error instanceof DirectusError)) return error;
  const { code, field, message } = error;
  if (code === 'INVALID_QUERY') return invalidQuery(message);
  if (code === 'RECORD_NOT_UNIQUE') return notUnique(field ?? 'id');
  if (code !== undefined && rejectedValues.has(code)) {
    return validationFailed([{ path: field ?? '', message }]);
  }
  return backendFailed(error);
}

/** 403 on a query means that a field, or what a relation leads to, is missing or not accessible to the token. */
export const unknownField = () =>
  new UnknownField(
    'There is no such field in this collection or a related one, or it is not for the token of the platform.',
  );
