import { unfinishedJobStates } from '@reachout/contract/states/job.ts';
import { compact, defineList, readChoice, type SearchOf } from '#web/platform/list-search.ts';

/** Kinds with a translated name; other kinds are shown by their technical name. */
export const jobKinds = [
  'account_email',
  'audience_reading',
  'audience_reading_removal',
  'data_request',
  'directus_import',
  'domain_checks',
  'field_removal',
  'import',
  'import_file',
  'mirror',
  'mirror_check',
  'recipient_domains',
  'retention',
  'search_index',
  'send_check',
  'suppression_lift',
  'visitor_hints',
] as const;

export const jobList = defineList({
  pageSize: 50,
  filters: (raw) =>
    compact({
      kind: readChoice(raw['kind'], jobKinds),
      state: readChoice(raw['state'], unfinishedJobStates),
    }),
});
export type JobSearch = SearchOf<typeof jobList>;
