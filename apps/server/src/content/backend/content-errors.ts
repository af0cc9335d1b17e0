import { callError } from '../../platform/http/api-error.ts';

/** The errors of content calls, as the contract's `backendErrors` declares them. */
export const invalidQuery = (reason: string) =>
  callError(400, 'invalid_query', 'The query cannot be used.', { reason });

export const validationFailed = (errors: { path: string; message: string }[]) =>
  callError(422, 'validation_failed', 'A value is missing or not of the right type.', { errors });

export const notUnique = (field: string) =>
  callError(409, 'not_unique', 'Another item has this value already.', { field });

export const changedElsewhere = () =>
  callError(409, 'changed_elsewhere', 'This was changed elsewhere since you opened it.');
