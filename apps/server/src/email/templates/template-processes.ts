// oxlint-disable-next-line no-restricted-imports -- starts a module of this folder, and never a program by its name
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { readCpuMs } from '../../platform/cpu-time.ts';
import { LimitExceeded, retryAfter } from '../../platform/limit-exceeded.ts';
import type { TemplateTask } from './template-worker.ts';

export type TaskFailure = 'too_slow' | 'too_much_memory' | 'failed';

/** The template could not be processed; `problemOf` converts this to a `CompileProblem`. */
export class TemplateTaskError extends Error {
  override name = 'TemplateTaskError';
  readonly reason: TaskFailure;
  constructor(reason: TaskFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * CPU time limit of one task. On a busy machine that takes longer; after `taskEndMs`, a task that has used half of it is too slow,
 * and the caller of any other has to try again.
 */
const taskLimitMs = 2_000;
const taskEndMs = 10_000;
const taskCheckMs = 100;
/** Maximum wait for a free process, and how long an idle process is kept for the next task. */
const queueLimitMs = 5_000;
const idleLimitMs = 30_000;
/**
 * How long a job waits for the start of a process. Loading MJML takes 0.6 s on an idle machine, and up to half a minute on a
 * very busy one: the process goes on starting, for the next attempt.
 */
const startLimitMs = 15_000;
const startEndMs = 60_000;
/** How often jobs past the queue limit check whether a process is still starting. */
const startCheckMs = 100;
const processCount = 2;
const queueLength = 100;
const queueLengthPerOwner = 20;
/** Heap limit; V8 terminates a process that exceeds it. */
const memoryMb = 320;
/** The only folders that a template process can read; it cannot write files. */
const readableFolders = [
  'apps/server/src/',
  'apps/server/node_modules/',
  'node_modules/',
  'packages/contract/',
];

/** Without further permissions, a process cannot use the network or other files, or start programs or threads. */
export const templateProcessFlags = [
  '--permission',
  ...readableFolders.map(
    (folder) => `--allow-fs-read=${join(import.meta.dirname, '../../../../..', folder)}`,
  ),
  `--max-old-space-size=${memoryMb}`,
  '--max-semi-space-size=16',
  // Stack limit of V8 in kilobytes; systems provide 8 MB.
  '--stack-size=3900',
];

interface Job {
  task: TemplateTask;
  owner: string;
  person: string | undefined;
  resolve: (result: unknown) => void;
  reject: (error: TemplateTaskError | LimitExceeded) => void;
  /** Whether the system has killed a process during this task, for lack of memory or by mistake. */
  wasKilled: boolean;
  queueTimer: NodeJS.Timeout;
}

interface Renderer {
  child: ChildProcess;
  job: Job | undefined;
  isReady: boolean;
  timer: NodeJS.Timeout | undefined;
}

const queue: Job[] = [];
const renderers = new Set<Renderer>();
/** Owners in the order in which they were last served, the most recent at the end. */
const served = new Set<string>();

/**
 * Runs a task in a process without environment or secrets, started on demand and killed when it exceeds its time or
 * memory limit. A process rather than a thread: V8 terminates the whole process when a template allocates too much memory
 * at once, whatever limits a thread has. It also keeps 91 MB of MJML out of the server most of the time.
 *
 * An owner uses at most one process, and so does a person, over all organizations. The other process stays available to
 * everyone else.
 * @param owner the organization that owns the template; owners are served round robin
 * @param person the user who requests the task; undefined for readers of messages
 * @throws TemplateTaskError if the template is at fault; LimitExceeded if a retry may succeed: the machine is busy, or cannot
 *   start processes
 */
export function runTemplateTask<Result>(task: TemplateTask, owner: string, person?: string): Promise<Result> {
  return new Promise<unknown>((resolve, reject) => {
    const waiting = queue.filter((job) => job.owner === owner).length;
    if (queue.length >= queueLength || waiting >= queueLengthPerOwner) {
      reject(tooMany());
      return;
    }
    const queued = performance.now();
    let waitedSince = queued;
    const giveUp = () => {
      const now = performance.now();
      // The start of a process, which takes long on a busy machine, does not count as waiting for other jobs.
      const isStarting = [...renderers].some(({ isReady }) => !isReady);
      if (isStarting && now - queued < startLimitMs) waitedSince = now;
      if (now - waitedSince < queueLimitMs) {
        job.queueTimer = setTimeout(giveUp, startCheckMs);
        return;
      }
      queue.splice(queue.indexOf(job), 1);
      reject(tooMany());
    };
    const job: Job = {
      task,
      owner,
      person,
      resolve,
      reject,
      wasKilled: false,
      queueTimer: setTimeout(giveUp, queueLimitMs),
    };
    queue.push(job);
    assign();
  }) as Promise<Result>;
}

const tooMany = () => new LimitExceeded('template processes', 'unavailable', retryAfter(queueLimitMs));
const notStarted = () => new LimitExceeded('starts of processes', 'unavailable', retryAfter(queueLimitMs));
const tooBusy = () => new LimitExceeded('time of a template', 'unavailable', retryAfter(queueLimitMs));

function assign(): void {
  for (const renderer of renderers) {
    if (!renderer.isReady || renderer.job !== undefined) continue;
    const job = nextJob();
    if (job === undefined) break;
    queue.splice(queue.indexOf(job), 1);
    start(renderer, job);
  }
  const starting = [...renderers].filter(({ isReady }) => !isReady).length;
  if (queue.length > starting && renderers.size < processCount) createRenderer();
}

/** @returns the oldest job of the least recently served owner, among owners and persons without a running job */
function nextJob(): Job | undefined {
  const running = [...renderers].flatMap(({ job }) => job ?? []);
  const roundRobin = [...served];
  const canRun = queue.filter(({ owner, person }) =>
    running.every((other) => other.owner !== owner && (person === undefined || other.person !== person)),
  );
  // The sort is stable: the oldest job of an owner comes first.
  return canRun.toSorted((a, b) => roundRobin.indexOf(a.owner) - roundRobin.indexOf(b.owner))[0];
}

function createRenderer(): void {
  const child = fork(new URL('template-worker.ts', import.meta.url), {
    env: {},
    execArgv: templateProcessFlags,
    // MJML reads its working directory.
    cwd: import.meta.dirname,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const renderer: Renderer = { child, job: undefined, isReady: false, timer: undefined };
  renderers.add(renderer);
  renderer.timer = setTimeout(() => end(renderer, notStarted()), startEndMs);
  // Jobs that wait keep the server alive, by their timers; a process that none waits for must not.
  renderer.timer.unref();
  child.unref();
  child.channel?.unref();
  child.on('message', (message: { ready?: true; result?: unknown; error?: string }) => {
    clearTimeout(renderer.timer);
    const { job } = renderer;
    renderer.job = undefined;
    if (message.ready === true) renderer.isReady = true;
    else if (message.error === undefined) job?.resolve(message.result);
    else job?.reject(new TemplateTaskError('failed', message.error));
    rest(renderer);
    assign();
  });
  child.on('error', () => end(renderer, notStarted()));
  child.on('exit', (_code, signal) => {
    if (!renderer.isReady) end(renderer, notStarted());
    // V8 aborts a process that needs too much memory; the system can kill one because of others.
    else if (signal === 'SIGKILL' && renderer.job?.wasKilled === false) tryAgain(renderer, renderer.job);
    else if (signal === null) end(renderer, new TemplateTaskError('failed', 'The template process ended.'));
    else end(renderer, new TemplateTaskError('too_much_memory', 'The template needs too much memory.'));
  });
}

function tryAgain(renderer: Renderer, job: Job): void {
  job.wasKilled = true;
  job.queueTimer = setTimeout(() => {
    queue.splice(queue.indexOf(job), 1);
    job.reject(tooMany());
  }, startLimitMs);
  queue.unshift(job);
  renderer.job = undefined;
  end(renderer, tooBusy());
}

function start(renderer: Renderer, job: Job): void {
  clearTimeout(job.queueTimer);
  clearTimeout(renderer.timer);
  served.delete(job.owner);
  served.add(job.owner);
  if (served.size > 1_000) served.delete(served.values().next().value!);
  renderer.job = job;
  renderer.child.ref();
  renderer.child.channel?.ref();
  limitTime(renderer);
  try {
    renderer.child.send(job.task);
  } catch (error) {
    // The task is not plain data, for instance a function: the caller's mistake, and the process can be reused.
    renderer.job = undefined;
    clearTimeout(renderer.timer);
    job.reject(new TemplateTaskError('failed', error instanceof Error ? error.message : String(error)));
    rest(renderer);
  }
}

/** Ends the process when its task has used up its CPU time, or elapsed time if the system does not report CPU time. */
function limitTime(renderer: Renderer): void {
  const readUsed = () => (renderer.child.pid === undefined ? undefined : readCpuMs(renderer.child.pid));
  const before = readUsed();
  const startedAt = performance.now();
  const check = () => {
    const now = readUsed();
    const used = before === undefined || now === undefined ? taskLimitMs : now - before;
    const isOver = performance.now() - startedAt >= taskEndMs;
    if (used >= taskLimitMs || (isOver && used >= taskLimitMs / 2))
      end(renderer, new TemplateTaskError('too_slow', `The template took longer than ${taskLimitMs} ms.`));
    else if (isOver) end(renderer, tooBusy());
    else renderer.timer = setTimeout(check, Math.max(taskCheckMs, taskLimitMs - used));
  };
  renderer.timer = setTimeout(check, taskLimitMs);
}

/** Lets an idle process neither keep the server alive nor outlive `idleLimitMs`. */
function rest(renderer: Renderer): void {
  renderer.child.unref();
  renderer.child.channel?.unref();
  renderer.timer = setTimeout(() => end(renderer, tooBusy()), idleLimitMs);
  renderer.timer.unref();
}

function end(renderer: Renderer, reason: TemplateTaskError | LimitExceeded): void {
  if (!renderers.delete(renderer)) return;
  clearTimeout(renderer.timer);
  renderer.job?.reject(reason);
  renderer.job = undefined;
  renderer.child.kill('SIGKILL');
  // If processes cannot start, the same job must not start new ones forever.
  if (!renderer.isReady) {
    const job = queue.shift();
    if (job !== undefined) {
      clearTimeout(job.queueTimer);
      job.reject(reason);
    }
  }
  assign();
}
