import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Log } from './platform/log.ts';
import type { WorkerOptions } from './worker.ts';

const firstRestartMs = 1_000;
const maxRestartDelayMs = 30_000;

/**
 * How long to wait before a thread that died is started again: twice as long each time, but from the beginning after
 * a thread that ran longer than the longest wait.
 * @param lastMs how long was waited the last time; undefined for the first
 */
export function restartDelay(lastMs: number | undefined, ranMs: number): number {
  if (lastMs === undefined || ranMs > maxRestartDelayMs) return firstRestartMs;
  return Math.min(lastMs * 2, maxRestartDelayMs);
}

/**
 * Runs the worker in a separate thread, so that rendering thousands of messages does not hold up a page. A thread
 * that dies is started again; what it had under way is taken over like that of a killed process.
 */
export function startWorkerThread(options: WorkerOptions, log: Log): { stop: () => Promise<void> } {
  let isStopping = false;
  let restartMs: number | undefined;
  let restart: NodeJS.Timeout | undefined;
  let thread = start();

  function start(): Worker {
    const startedAt = performance.now();
    const worker = new Worker(new URL(import.meta.url), {
      workerData: options,
      // Small generations: short-lived messages are collected often, and memory stays flat.
      resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 },
    });
    worker.on('error', (error) => log.error({ err: error }, 'worker thread failed'));
    worker.on('exit', (code) => {
      if (isStopping) return;
      log.error({ code }, 'worker thread ended and is started again');
      restartMs = restartDelay(restartMs, performance.now() - startedAt);
      restart = setTimeout(() => (thread = start()), restartMs);
    });
    return worker;
  }

  return {
    stop: async () => {
      isStopping = true;
      clearTimeout(restart);
      if (thread.threadId === -1) return;
      const exited = once(thread, 'exit');
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      thread.postMessage('stop');
      await exited;
    },
  };
}

if (!isMainThread && parentPort !== null) {
  // Here, since the main thread has no use for it.
  const { startWorker } = await import('./worker.ts');
  const worker = startWorker(workerData as WorkerOptions);
  parentPort.once('message', () => {
    // In a thread this ends the thread only.
    void worker.stop().then(() => process.exit(0));
  });
}
