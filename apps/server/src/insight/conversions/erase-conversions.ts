export {
  deleteOldLinks,
  eraseVisitorOfContact,
  forgetOldVisitors,
  listOrganizationsWithOldLinks,
  listRemovedGoals,
  releaseConversions,
} from './conversion.queries.ts';
