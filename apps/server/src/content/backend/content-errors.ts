import { apiError } from '../../platform/http/api-error.ts';

/** The errors of content operations, as the contract's `backendErrors` declares them. */
export const invalidQuery = (reason: string) => apiError('invalid_query', { reason });

export const validationFailed = (errors: { path: string; message: string }[]) =>
  apiError('validation_failed', { errors });

export const notUnique = (field: string) => apiError('not_unique', { field });

export const changedElsewhere = () => apiError('changed_elsewhere');
