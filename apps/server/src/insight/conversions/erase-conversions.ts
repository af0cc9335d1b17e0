import { deleteRowsOf, type DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/** Conversions, by `organization_id` and optionally `touchpoint_id` (of the website) or `goal_id`. */
export const conversionRows: DeleteBatchOf = deleteRowsOf('conversions');

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
