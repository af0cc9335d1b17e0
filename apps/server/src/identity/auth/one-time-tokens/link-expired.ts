import { apiError } from '../../../platform/http/api-error.ts';

/** The same error for used, revoked, expired and invented links. */
export const linkExpired = () => apiError('link_expired');
