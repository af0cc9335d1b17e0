import { createFileRoute } from '@tanstack/react-router';
import { JobList } from '#web/operations/jobs/job-list.tsx';
import { jobList } from '#web/operations/jobs/job-search.ts';

export const Route = createFileRoute('/operator/jobs')({
  ...jobList.route,
  component: () => <JobList search={Route.useSearch()} />,
});
