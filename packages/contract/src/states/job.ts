import { isPossible, type Transitions } from './transitions.ts';

/** `open` jobs are waiting or running; `failed` jobs have used all attempts. */
export const jobStates = ['open', 'finished', 'failed'] as const;
export type JobState = (typeof jobStates)[number];

/** An operator can have a failed job retried. */
export const jobTransitions: Transitions<JobState> = {
  open: ['finished', 'failed'],
  finished: [],
  failed: ['open'],
};

/** The states that operators see: all except finished. */
export const unfinishedJobStates = jobStates.filter((state) => state !== 'finished');

export const canRetryJob = ({ state }: { state: JobState }): boolean =>
  isPossible(jobTransitions, state, 'open');
