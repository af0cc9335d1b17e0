import { requireOperator } from '../../identity/operators/operators.ts';
import { operations } from '../../identity/access/operations.ts';
import { transactionAs, type Database } from '../../platform/database/database.ts';
import { invalidTransition, notFound } from '../../platform/http/api-error.ts';
import { findJobState, listJobFigures, listUnfinishedJobs } from '../../platform/jobs/job-list.queries.ts';
import { retryJob } from '../../platform/jobs/retry-job.ts';
import { listOrganizationNames } from './organization-names.queries.ts';

interface JobRoutesDeps {
  authDb: Database;
  config: { operators: readonly string[] };
}

export const createJobRoutes = ({ authDb, config: { operators } }: JobRoutesDeps) => ({
  list: operations.jobs.list.handler(async ({ input, context }) => {
    await requireOperator(context, operators);
    return await transactionAs(authDb, {}, async (trx) => {
      const { items, count } = await listUnfinishedJobs(trx, input);
      const names = await listOrganizationNames(
        trx,
        items.flatMap(({ organization_id }) => organization_id ?? []),
      );
      return {
        items: items.map(({ organization_id: id, ...job }) => ({
          ...job,
          organization: id === null ? null : { id, name: names.get(id) ?? '' },
        })),
        count,
      };
    });
  }),

  figures: operations.jobs.figures.handler(async ({ context }) => {
    await requireOperator(context, operators);
    const items = await transactionAs(authDb, {}, listJobFigures);
    return { items, count: items.length };
  }),

  retry: operations.jobs.retry.handler(async ({ input: { id }, context }) => {
    await requireOperator(context, operators);
    return await transactionAs(authDb, {}, async (trx) => {
      if (await retryJob(trx, id)) return { id };
      const state = await findJobState(trx, id);
      throw state === undefined ? notFound() : invalidTransition(state, 'open');
    });
  }),
});
