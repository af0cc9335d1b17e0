import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

export {
  deleteAddressRecords,
  enterChoices,
  maxResubscriptions,
  readAddressRecords,
  type AddressRecords,
} from './choices.queries.ts';
export { optOut } from './choices.ts';

/** What is known about addresses, by `organization_id`. */
export const consentRows: DeleteBatchOf = deleteRowsOf('choices');
