import type { Metric } from './metrics/metric.ts';
import type { WorkerHealth } from './worker-health.ts';

/** What the process of a worker tells the one that supervises it, when it is asked. */
export interface WorkerAnswers {
  health: WorkerHealth;
  metrics: Metric[];
}

export type WorkerQuestion = keyof WorkerAnswers;

/** An answer comes as an object with the question as its key: two may be under way. */
export type WorkerAnswer = Partial<WorkerAnswers>;
