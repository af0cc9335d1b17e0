import { z } from 'zod';
import { byId, id, list, paging, singleLine, timestamp } from './values.ts';
import { invalidTransition, userOperations } from './operation.ts';
import { jobStates, unfinishedJobStates } from './states/job.ts';

/** Background work, without what it is about: its payload is not for people. */
export const Job = z.object({
  id,
  kind: z.string(),
  state: z.enum(jobStates),
  /** Null for work of the installation itself. */
  organization: z.object({ id, name: z.string() }).nullable(),
  /** A worker has it. */
  is_running: z.boolean(),
  /** Since it was enqueued, or since it last made progress. */
  attempts: z.number(),
  due_at: timestamp,
  created_at: timestamp,
  /** Of the last attempt that failed. */
  error_content: z.string().nullable(),
});
export type Job = z.infer<typeof Job>;

/** The jobs of one kind. */
export const JobFigures = z.object({
  kind: z.string(),
  /** Running ones included. */
  open: z.number(),
  running: z.number(),
  failed: z.number(),
  /** Of the job that has waited longest for a worker since it was due. */
  oldest_due_at: timestamp.nullable(),
});
export type JobFigures = z.infer<typeof JobFigures>;

const forOperators = userOperations('Jobs');

/** For people whose addresses the settings list in OPERATORS; forbidden for all others. */
export const jobs = {
  list: forOperators('GET /jobs', 'Background jobs that are open or have failed, newest first')
    .input(
      z.strictObject({
        kind: singleLine(60).optional(),
        state: z.enum(unfinishedJobStates).optional(),
        ...paging(50),
      }),
    )
    .output(list(Job)),
  figures: forOperators('GET /jobs/figures', 'Figures of background jobs, by kind').output(list(JobFigures)),
  retry: forOperators('POST /jobs/{id}/retry', 'Try a failed job again', { manualTransaction: true })
    .input(byId)
    .errors(invalidTransition)
    .output(z.object({ id })),
};
