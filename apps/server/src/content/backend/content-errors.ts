import { apiError } from '../../platform/http/api-error.ts';

/** The errors of content operations, as the contract's `backendErrors` declares them. */
export const invalidQuery = (reason: string) =>
  apiError(400, 'invalid_query', 'The query is not valid.', { reason });

export const validationFailed = (errors: { path: string; message: string }[]) =>
  apiError(422, 'validation_failed', 'A value is missing or has the wrong type.', { errors });

export const notUnique = (field: string) =>
  apiError(409, 'not_unique', 'Another item already has this value.', { field });

export const changedElsewhere = () =>
  apiError(409, 'changed_elsewhere', 'Someone else changed this after you opened it.');
