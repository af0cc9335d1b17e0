import { apiError, notFound } from '../../platform/http/api-error.ts';
import { invalidQuery, notUnique, UnknownField, validationFailed } from '../backend/content-errors.ts';
import { DirectusError, InvalidCall } from './directus-error.ts';

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
