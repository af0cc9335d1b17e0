import { unfinishedJobStates } from '@reachout/contract/states/job.ts';
import { compact, defineList, readChoice, type SearchOf } from '#web/platform/list-search.ts';

export const jobList = defineList({
  pageSize: 50,
  filters: (raw) =>
    compact({
      kind: readKind(raw['kind']),
      state: readChoice(raw['state'], unfinishedJobStates),
    }),
});
export type JobSearch = SearchOf<typeof jobList>;

/** Any name: those that are known are not loaded with the routes. */
function readKind(kind: unknown): string | undefined {
  return typeof kind === 'string' && /^[a-z_]{1,60}$/.test(kind) ? kind : undefined;
}
