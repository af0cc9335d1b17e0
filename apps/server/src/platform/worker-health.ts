import type { Metric } from './metrics/metric.ts';

export interface WorkerHealth {
  /** Whether it holds the lock that marks it as alive. Without it, nothing may be leased. */
  has_heartbeat: boolean;
  /** Earliest of the last successful polls for each kind of work. ISO 8601; null until both have polled once. */
  last_look_at: string | null;
}

/** An unexpected exit of a worker process; without code and signal, it could not be started. */
export interface WorkerDeath {
  /** ISO 8601. */
  at: string;
  code: number | null;
  signal: string | null;
}

/** Health of a worker, with the facts known to the process that supervises it. */
export interface WorkerReport extends WorkerHealth {
  restarts: number;
  last_death: WorkerDeath | null;
}

/** A poll for work that waits for the database gives up after 10 s. */
const longestSilenceMs = 30_000;

/** Whether a worker processes due work. */
export const isWorking = ({ has_heartbeat, last_look_at }: WorkerHealth, now = Date.now()): boolean =>
  has_heartbeat && last_look_at !== null && now - Date.parse(last_look_at) < longestSilenceMs;

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
