import { Worker } from 'node:worker_threads';
import type { TemplateTask } from './template-worker.ts';

export type TaskFailure = 'too_slow' | 'too_much_memory' | 'busy' | 'failed';

/** The template could not be processed; `reason` is one of the codes a `CompileProblem` has. */
export class TemplateTaskError extends Error {
  override name = 'TemplateTaskError';
  readonly reason: TaskFailure;
  constructor(reason: TaskFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Milliseconds. Hard end of one task (TPL-2); longest wait for a free thread; thread kept for the next task. */
const taskLimitMs = 2000;
const queueLimitMs = 10_000;
const idleLimitMs = 30_000;
/** Loading MJML takes 0.6 s alone and several on a busy machine. */
const startLimitMs = 15_000;
/** Two, so that one slow template does not hold up everybody's preview. */
const threadCount = 2;
const queueLength = 100;

interface Job {
  task: TemplateTask;
  resolve: (result: unknown) => void;
  reject: (error: TemplateTaskError) => void;
  queueTimer: NodeJS.Timeout;
}

interface Thread {
  worker: Worker;
  job: Job | undefined;
  isReady: boolean;
  timer: NodeJS.Timeout | undefined;
}

const queue: Job[] = [];
const threads = new Set<Thread>();

/**
 * Runs a task in a thread without environment, started on demand and killed when it takes too long or too
 * much (TPL-1, TPL-2). The thread also keeps 91 MB of MJML out of the server, most of the time.
 * @throws TemplateTaskError
 */
export function runTemplateTask<Result>(task: TemplateTask): Promise<Result> {
  return new Promise<unknown>((resolve, reject) => {
    if (queue.length >= queueLength) {
      reject(new TemplateTaskError('busy', 'Too many templates are being processed.'));
      return;
    }
    const job: Job = {
      task,
      resolve,
      reject,
      queueTimer: setTimeout(() => {
        queue.splice(queue.indexOf(job), 1);
        reject(new TemplateTaskError('busy', 'Too many templates are being processed.'));
      }, queueLimitMs),
    };
    queue.push(job);
    assign();
  }) as Promise<Result>;
}

function assign(): void {
  for (const thread of threads) {
    if (queue.length === 0) return;
    if (thread.isReady && thread.job === undefined) start(thread, queue.shift()!);
  }
  const starting = [...threads].filter((thread) => !thread.isReady).length;
  if (queue.length > starting && threads.size < threadCount) createThread();
}

function createThread(): void {
  const worker = new Worker(new URL('template-worker.ts', import.meta.url), {
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 320, maxYoungGenerationSizeMb: 48, stackSizeMb: 4 },
  });
  const thread: Thread = { worker, job: undefined, isReady: false, timer: undefined };
  threads.add(thread);
  thread.timer = setTimeout(() => end(thread, 'failed', 'The template thread did not start.'), startLimitMs);
  worker.on('message', (message: { ready?: true; result?: unknown; error?: string }) => {
    clearTimeout(thread.timer);
    const { job } = thread;
    thread.job = undefined;
    if (message.ready === true) thread.isReady = true;
    else if (message.error === undefined) job?.resolve(message.result);
    else job?.reject(new TemplateTaskError('failed', message.error));
    rest(thread);
    assign();
  });
  worker.on('error', (error: Error) => {
    const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    end(thread, isMemory ? 'too_much_memory' : 'failed', error.message);
  });
  worker.on('exit', () => end(thread, 'failed', 'The template thread ended.'));
}

function start(thread: Thread, job: Job): void {
  clearTimeout(job.queueTimer);
  clearTimeout(thread.timer);
  thread.job = job;
  thread.worker.ref();
  thread.timer = setTimeout(() => {
    end(thread, 'too_slow', `The template took longer than ${taskLimitMs} ms.`);
  }, taskLimitMs);
  try {
    thread.worker.postMessage(job.task, []);
  } catch (error) {
    // Not plain data, a function for instance: the caller's mistake, and the thread is fine.
    thread.job = undefined;
    clearTimeout(thread.timer);
    job.reject(new TemplateTaskError('failed', error instanceof Error ? error.message : String(error)));
    rest(thread);
  }
}

/** An idle thread does not keep the process alive, and goes after a while. */
function rest(thread: Thread): void {
  thread.worker.unref();
  thread.timer = setTimeout(() => end(thread, 'failed', 'idle'), idleLimitMs);
  thread.timer.unref();
}

function end(thread: Thread, reason: TaskFailure, message: string): void {
  if (!threads.delete(thread)) return;
  clearTimeout(thread.timer);
  thread.job?.reject(new TemplateTaskError(reason, message));
  thread.job = undefined;
  void thread.worker.terminate();
  // A thread that cannot start must not be tried for ever by the same job.
  if (!thread.isReady) {
    const job = queue.shift();
    if (job !== undefined) {
      clearTimeout(job.queueTimer);
      job.reject(new TemplateTaskError(reason, message));
    }
  }
  assign();
}
