import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/** What is known about addresses, by `organization_id`. */
export const consentRows: readonly DeleteBatchOf[] = [deleteRowsOf('choices')];
