import { apiError } from '../../../platform/http/api-error.ts';

/** The same for used, revoked, old and invented links. */
export const linkExpired = () =>
  apiError(410, 'link_expired', 'This link was already used or has expired. Request a new one.');
