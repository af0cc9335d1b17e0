// oxlint-disable-next-line no-restricted-imports -- starts a module of this folder, and never a program by its name
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from './platform/log.ts';
// Small heap generations, in MB: short-lived messages are collected often, and memory stays flat.
import memoryLimits from './platform/worker-memory.json' with { type: 'json' };
import type { Metric } from './platform/metrics/metric.ts';
import {
  workerAchieved,
  type WorkerAnswer,
  type WorkerAnswers,
  type WorkerDeath,
  type WorkerHealth,
  type WorkerQuestion,
  type WorkerReport,
} from './platform/worker-health.ts';
import type { WorkerOptions } from './worker.ts';

const defaultDelays = { firstMs: 1_000, longestMs: 30_000 };
type Delays = typeof defaultDelays;
/** Longer than the worker gives its work in progress. */
const stopLimitMs = 3_500;
/** A worker that does not answer within this time counts as hanging. */
const answerLimitMs = 2_000;

/** Program of the worker process. Its first message has the options; later ones are `health`, `metrics` and `stop`. */
const program = new URL('./worker-main.ts', import.meta.url);

/** @throws Error if no process can be started; alternatively the process emits it */
export function forkWorker(options: WorkerOptions): ChildProcess {
  const child = fork(program, { execArgv: memoryLimits });
  // A process that died at once is reported by its exit event.
  if (child.pid !== undefined) child.send(options, () => undefined);
  return child;
}

/**
 * Computes the delay before a worker that died is restarted. It doubles after each worker that achieved nothing, and is reset
 * after one that stored a result, finished a job, or ran longer than the longest delay.
 * @param lastMs the previous delay; undefined for the first
 */
export function restartDelay(
  lastMs: number | undefined,
  { ranMs, hasAchieved }: { ranMs: number; hasAchieved: boolean },
  { firstMs, longestMs }: Delays = defaultDelays,
): number {
  if (lastMs === undefined || hasAchieved || ranMs > longestMs) return firstMs;
  return Math.min(lastMs * 2, longestMs);
}

export interface SupervisedWorker {
  /** Undefined while there is no process. */
  readonly pid: number | undefined;
  /** Whether this process has stored a result of a message or finished a job. */
  readonly hasAchieved: boolean;
  /** Resolves within 2 s, whatever the worker does. */
  report: () => Promise<WorkerReport>;
  /** The same; empty if the worker does not answer. */
  collectMetrics: () => Promise<Metric[]>;
  stop: () => Promise<void>;
}

/**
 * Runs the worker in a child process, so that neither its rendering nor its death delays a page. It is restarted when it
 * dies or could not be started; its work in progress is then recovered like that of any killed worker. It ends when this
 * process ends, for whatever reason.
 */
export function superviseWorker(
  options: WorkerOptions,
  log: Log,
  delays: Delays = defaultDelays,
): SupervisedWorker {
  let isStopping = false;
  let restartMs: number | undefined;
  let restart: NodeJS.Timeout | undefined;
  let restarts = 0;
  let hasAchieved = false;
  let lastDeath: WorkerDeath | null = null;
  let child: ChildProcess | undefined;
  let metrics: Promise<Metric[] | undefined> | undefined;
  start();

  function start(): void {
    const startedAt = performance.now();
    hasAchieved = false;
    const end = (what: string, about: { err: unknown } | Omit<WorkerDeath, 'at'>) => {
      child = undefined;
      if (isStopping) return;
      restartMs = restartDelay(restartMs, { ranMs: performance.now() - startedAt, hasAchieved }, delays);
      lastDeath = { at: new Date().toISOString(), ...('err' in about ? unknownEnd : about) };
      log.error({ ...about, restartMs, restarts }, `${what} and is started again`);
      restart = setTimeout(() => {
        restarts += 1;
        start();
      }, restartMs);
    };
    try {
      const started = (child = forkWorker(options));
      started.on('error', (err) => {
        // A running process that only could not receive a message continues.
        if (started.pid === undefined) end('worker could not be started', { err });
      });
      started.on('message', (message: WorkerAnswer) => {
        if (message === workerAchieved) hasAchieved = true;
      });
      started.on('exit', (code, signal) => end('worker ended', { code, signal }));
    } catch (err) {
      end('worker could not be started', { err });
    }
  }

  return {
    get pid() {
      return child?.pid;
    },
    get hasAchieved() {
      return hasAchieved;
    },
    report: async () => ({
      ...((child && (await ask(child, 'health'))) ?? noHealth),
      restarts,
      last_death: lastDeath,
    }),
    // Concurrent callers share one request to the worker.
    collectMetrics: async () => {
      metrics ??= child && ask(child, 'metrics').finally(() => (metrics = undefined));
      return (await metrics) ?? [];
    },
    stop: async () => {
      isStopping = true;
      clearTimeout(restart);
      if (child?.pid !== undefined) await stop(child);
    },
  };
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  const limit = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
  child.send('stop', () => undefined);
  await exited;
  clearTimeout(limit);
}

const unknownEnd = { code: null, signal: null };
const noHealth: WorkerHealth = { has_heartbeat: false, last_look_at: null };

/** @returns undefined if the worker does not answer in time */
async function ask<Question extends WorkerQuestion>(
  child: ChildProcess,
  question: Question,
): Promise<WorkerAnswers[Question] | undefined> {
  const answered = Promise.withResolvers<WorkerAnswers[Question]>();
  const listen = (answer: WorkerAnswer) => {
    const found = answer === workerAchieved ? undefined : answer[question];
    if (found !== undefined) answered.resolve(found);
  };
  child.on('message', listen);
  const limit = new AbortController();
  const { signal } = limit;
  try {
    child.send(question, () => undefined);
    return await Promise.race([answered.promise, delay(answerLimitMs, undefined, { signal, ref: false })]);
  } finally {
    child.off('message', listen);
    limit.abort();
  }
}
