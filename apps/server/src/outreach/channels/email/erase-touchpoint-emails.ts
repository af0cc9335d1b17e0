/** For use before a brand or client is erased: emails of other brands may use its audience filters. */
export { releaseFilters } from './touchpoint-email.queries.ts';
