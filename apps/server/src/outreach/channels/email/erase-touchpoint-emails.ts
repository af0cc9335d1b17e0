import { deleteRowsOf, type DeleteBatchOf } from '../../../platform/database/delete-rows.ts';

/** Erases emails by `organization_id`. They reference audience filters, which cannot be erased before them. */
export const touchpointEmailRows: DeleteBatchOf = deleteRowsOf('touchpoint_emails');

/** For use before a brand or client is erased: emails of other brands may use its audience filters. */
export { releaseFilters } from './touchpoint-email.queries.ts';
