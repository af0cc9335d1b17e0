// oxlint-disable-next-line no-restricted-imports -- starts a module of this folder, and never a program by its name
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from './platform/log.ts';
// Small generations: short-lived messages are collected often, and memory stays flat. In MB.
import memoryLimits from './platform/worker-memory.json' with { type: 'json' };
import type { Metric } from './platform/metrics/metric.ts';
import type { WorkerDeath, WorkerHealth, WorkerReport } from './platform/worker-health.ts';
import type { WorkerAnswer, WorkerAnswers, WorkerQuestion } from './platform/worker-messages.ts';
import type { WorkerOptions } from './worker.ts';

const defaultDelays = { firstMs: 1_000, longestMs: 30_000 };
type Delays = typeof defaultDelays;
/** Longer than the worker takes to finish what is under way. */
const stopLimitMs = 25_000;
/** A worker that is busy for longer counts as one that hangs. */
const answerLimitMs = 2_000;

/** The program of the process; its first message are its options, then it is asked for its `health` and `metrics`, and to `stop`. */
const program = new URL('./worker-main.ts', import.meta.url);

/** @throws Error, or the process emits one, when none can be started */
export function forkWorker(options: WorkerOptions): ChildProcess {
  const child = fork(program, { execArgv: memoryLimits });
  // One that died at once is reported by its exit.
  if (child.pid !== undefined) child.send(options, () => undefined);
  return child;
}

/**
 * How long to wait before a worker that died is started again: twice as long each time, but from the beginning after
 * one that ran longer than the longest wait.
 * @param lastMs how long was waited the last time; undefined for the first
 */
export function restartDelay(
  lastMs: number | undefined,
  ranMs: number,
  { firstMs, longestMs }: Delays = defaultDelays,
): number {
  if (lastMs === undefined || ranMs > longestMs) return firstMs;
  return Math.min(lastMs * 2, longestMs);
}

export interface SupervisedWorker {
  /** Of the process; undefined while there is none. */
  readonly pid: number | undefined;
  /** Resolves within 2 s, whatever the worker does. */
  report: () => Promise<WorkerReport>;
  /** The same; of a worker that does not answer there are none. */
  collectMetrics: () => Promise<Metric[]>;
  stop: () => Promise<void>;
}

/**
 * Runs the worker in a process of its own: neither what it renders nor its death holds up a page. It is started again
 * when it dies, or could not be started; what it had under way is taken over like that of any killed worker, and it ends
 * when this process does, however that dies.
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
  let lastDeath: WorkerDeath | null = null;
  let child: ChildProcess | undefined;
  let metrics: Promise<Metric[] | undefined> | undefined;
  start();

  function start(): void {
    const startedAt = performance.now();
    const end = (what: string, about: { err: unknown } | Omit<WorkerDeath, 'at'>) => {
      child = undefined;
      if (isStopping) return;
      restartMs = restartDelay(restartMs, performance.now() - startedAt, delays);
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
        // One that runs, and could not be told something, goes on.
        if (started.pid === undefined) end('worker could not be started', { err });
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
    report: async () => ({
      ...((child && (await ask(child, 'health'))) ?? noHealth),
      restarts,
      last_death: lastDeath,
    }),
    // However many ask, the worker is asked once at a time.
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

/** @returns undefined when it does not answer in time */
async function ask<Question extends WorkerQuestion>(
  child: ChildProcess,
  question: Question,
): Promise<WorkerAnswers[Question] | undefined> {
  const answered = Promise.withResolvers<WorkerAnswers[Question]>();
  const listen = (answer: WorkerAnswer) => {
    const found = answer[question];
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
