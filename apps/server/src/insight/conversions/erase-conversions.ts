import { afterFolds } from '../../events/erase-visitors.ts';
import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/**
 * Conversions and their sums, by `organization_id` and optionally `touchpoint_id` (of the website) or `goal_id`. Conversions come
 * last: a removed goal is found by them.
 */
export const conversionRows: readonly DeleteBatchOf[] = [
  afterFolds(deleteRowsOf('conversion_changes')),
  afterFolds(deleteRowsOf('conversion_days')),
  deleteRowsOf('conversions'),
];

/** Links that visitors followed, by `organization_id` and optionally `touchpoint_id` (of the website) or `send_id`. */
export const followedLinkRows: DeleteBatchOf = deleteRowsOf('followed_links');

export {
  deleteOldLinks,
  eraseVisitorOfContact,
  forgetOldVisitors,
  listOrganizationsWithOldLinks,
  listRemovedGoals,
  releaseConversions,
} from './conversion.queries.ts';
