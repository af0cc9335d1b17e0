import { isPossible, type Transitions } from './transitions.ts';

/** Of background jobs: `open` ones wait or run; `failed` ones had their last attempt. */
export const jobStates = ['open', 'finished', 'failed'] as const;
export type JobState = (typeof jobStates)[number];

/** An operator lets a failed job be tried again. */
export const jobTransitions: Transitions<JobState> = {
  open: ['finished', 'failed'],
  finished: [],
  failed: ['open'],
};

/** Those that operators see: the others have done their work. */
export const unfinishedJobStates = jobStates.filter((state) => state !== 'finished');

export const canRetryJob = ({ state }: { state: JobState }): boolean =>
  isPossible(jobTransitions, state, 'open');
