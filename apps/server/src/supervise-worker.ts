// oxlint-disable-next-line no-restricted-imports -- starts a module of this folder, and never a program by its name
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Log } from './platform/log.ts';
import type { WorkerOptions } from './worker.ts';

const firstRestartMs = 1_000;
const maxRestartDelayMs = 30_000;
/** Longer than the worker takes to finish what is under way. */
const stopLimitMs = 25_000;

/** The program of the process; it gets its options as the first message, and `stop` as the last. */
const program = new URL('./worker-main.ts', import.meta.url);
/** Small generations: short-lived messages are collected often, and memory stays flat. In MB. */
const memoryLimits = ['--max-semi-space-size=8', '--max-old-space-size=256'];

/**
 * How long to wait before a worker that died is started again: twice as long each time, but from the beginning after
 * one that ran longer than the longest wait.
 * @param lastMs how long was waited the last time; undefined for the first
 */
export function restartDelay(lastMs: number | undefined, ranMs: number): number {
  if (lastMs === undefined || ranMs > maxRestartDelayMs) return firstRestartMs;
  return Math.min(lastMs * 2, maxRestartDelayMs);
}

export interface SupervisedWorker {
  /** Of the process; undefined while there is none. */
  readonly pid: number | undefined;
  stop: () => Promise<void>;
}

/**
 * Runs the worker in a process of its own: neither what it renders nor its death holds up a page. It is started again
 * when it dies, what it had under way is taken over like that of any killed worker, and it ends when this process
 * does, however that dies.
 */
export function superviseWorker(options: WorkerOptions, log: Log): SupervisedWorker {
  let isStopping = false;
  let restartMs: number | undefined;
  let restart: NodeJS.Timeout | undefined;
  let child = start();

  function start(): ChildProcess {
    const startedAt = performance.now();
    const started = fork(program, { execArgv: memoryLimits });
    started.on('error', (error) => log.error({ err: error }, 'worker cannot be started'));
    started.on('exit', (code, signal) => {
      if (isStopping) return;
      restartMs = restartDelay(restartMs, performance.now() - startedAt);
      log.error({ code, signal, restartMs }, 'worker ended and is started again');
      restart = setTimeout(() => (child = start()), restartMs);
    });
    // One that died at once is reported by its exit.
    started.send(options, () => undefined);
    return started;
  }

  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    get pid() {
      return isRunning() ? child.pid : undefined;
    },
    stop: async () => {
      isStopping = true;
      clearTimeout(restart);
      if (!isRunning()) return;
      const exited = once(child, 'exit');
      const limit = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
      child.send('stop', () => undefined);
      await exited;
      clearTimeout(limit);
    },
  };
}
