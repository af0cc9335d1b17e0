import { apiError } from '../../../platform/http/api-error.ts';

/** The same for used, revoked, old and invented links. */
export const linkExpired = () => apiError('link_expired');
