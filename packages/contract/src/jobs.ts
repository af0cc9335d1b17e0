import { z } from 'zod';
import { byId, id, list, paging, singleLine, timestamp } from './values.ts';
import { invalidTransition, userOperations } from './operation.ts';
import { jobStates, unfinishedJobStates } from './states/job.ts';

/** A background job without its payload, which is not meant for users. */
export const Job = z.object({
  id,
  kind: z.string(),
  state: z.enum(jobStates),
  /** Null for jobs of the installation itself. */
  organization: z.object({ id, name: z.string() }).nullable(),
  /** Whether a worker holds a lease on the job. */
  is_running: z.boolean(),
  /** Attempts since the job was enqueued or last made progress. */
  attempts: z.number(),
  due_at: timestamp,
  created_at: timestamp,
  /** Error of the last failed attempt. */
  error_content: z.string().nullable(),
});
export type Job = z.infer<typeof Job>;

/** The jobs of one kind. */
export const JobFigures = z.object({
  kind: z.string(),
  /** Includes running jobs. */
  open: z.number(),
  running: z.number(),
  failed: z.number(),
  /** Due time of the job that has been waiting longest for a worker. */
  oldest_due_at: timestamp.nullable(),
});
export type JobFigures = z.infer<typeof JobFigures>;

const forOperators = userOperations('Jobs');

/** Only for users whose addresses are listed in the setting OPERATORS; denied for all others. */
export const jobs = {
  list: forOperators('GET /jobs', 'Background jobs that are open or have failed, newest first')
    .input({
      kind: singleLine(60).optional(),
      state: z.enum(unfinishedJobStates).optional(),
      ...paging(),
    })
    .output(list(Job)),
  figures: forOperators('GET /jobs/figures', 'Figures of background jobs, by kind').output(list(JobFigures)),
  retry: forOperators('POST /jobs/{id}/retry', 'Try a failed job again', { manualTransaction: true })
    .input(byId)
    .errors(invalidTransition)
    .output({ id }),
};
