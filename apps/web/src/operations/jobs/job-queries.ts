import { keepPreviousData } from '@tanstack/react-query';
import { api } from '#web/platform/api.ts';
import { compact } from '#web/platform/list-search.ts';
import { jobList, type JobSearch } from './job-search.ts';

const refreshed = { refetchInterval: 5_000, meta: { quiet: true } };

export const jobsQuery = ({ kind, state, ...search }: JobSearch) =>
  api.jobs.list.queryOptions({
    input: { ...jobList.input(search), ...compact({ kind, state }) },
    placeholderData: keepPreviousData,
    ...refreshed,
  });

export const jobFiguresQuery = api.jobs.figures.queryOptions(refreshed);
