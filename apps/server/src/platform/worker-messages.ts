import type { Metric } from './metrics/metric.ts';
import type { WorkerHealth } from './worker-health.ts';

/** Responses of a worker process to requests of the process that supervises it. */
export interface WorkerAnswers {
  health: WorkerHealth;
  metrics: Metric[];
}

export type WorkerQuestion = keyof WorkerAnswers;

/** Sent once, without a request: the worker has stored a result or finished a job. */
export const workerAchieved = 'achieved';

/** A response is an object with the request as its key, because two requests may be pending. */
export type WorkerAnswer = Partial<WorkerAnswers> | typeof workerAchieved;
