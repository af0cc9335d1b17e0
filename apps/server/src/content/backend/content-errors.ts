import { ORPCError } from '@orpc/contract';
import { apiErrors } from '@reachout/contract/errors.ts';
import { apiError } from '../../platform/http/api-error.ts';

/** Errors of content operations, as declared in the contract's `backendErrors`. */
export const invalidQuery = (reason: string) => apiError('invalid_query', { reason });

/** A query with a field that the collection does not have: `invalid_query`; Directus sends 403. */
export class UnknownField extends ORPCError<string, { reason: string }> {
  constructor(reason: string) {
    super('invalid_query', { ...apiErrors.invalid_query, defined: true, data: { reason } });
  }
}

export const validationFailed = (errors: { path: string; message: string }[]) =>
  apiError('validation_failed', { errors });

export const notUnique = (field: string) => apiError('not_unique', { field });

export const changedElsewhere = () => apiError('changed_elsewhere');
