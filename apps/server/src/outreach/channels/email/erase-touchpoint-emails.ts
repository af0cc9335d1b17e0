import { deleteRowsOf, type DeleteBatchOf } from '../../../platform/database/delete-rows.ts';

/** By `organization_id`. They reference audience filters, which cannot go before them. */
export const touchpointEmailRows: DeleteBatchOf = deleteRowsOf('touchpoint_emails');

/** Before a brand or client is erased: emails of other brands may use its audience filters. */
export { releaseFilters } from './touchpoint-email.queries.ts';
