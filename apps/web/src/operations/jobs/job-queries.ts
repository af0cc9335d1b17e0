import { api } from '#web/platform/api.ts';
import { jobList, type JobSearch } from './job-search.ts';

const refreshed = { refetchInterval: 5_000, meta: { quiet: true } };

export const jobsQuery = (search: JobSearch) =>
  api.jobs.list.queryOptions({
    ...jobList.query(search, { kind: search.kind, state: search.state }),
    ...refreshed,
  });

export const jobFiguresQuery = api.jobs.figures.queryOptions(refreshed);
