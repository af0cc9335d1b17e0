// oxlint-disable-next-line no-restricted-imports -- starts a module of this folder, and never a program by its name
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { readCpuMs } from '../../platform/cpu-time.ts';
import { LimitExceeded, retryAfter } from '../../platform/limit-exceeded.ts';
import type { TemplateTask } from './template-worker.ts';

export type TaskFailure = 'too_slow' | 'too_much_memory' | 'failed';

/** The template could not be processed; `reason` is one of the codes a `CompileProblem` has. */
export class TemplateTaskError extends Error {
  override name = 'TemplateTaskError';
  readonly reason: TaskFailure;
  constructor(reason: TaskFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Of CPU for one task. On a busy machine that takes longer, but no longer than `taskEndMs`. */
const taskLimitMs = 2_000;
const taskEndMs = 10_000;
const taskCheckMs = 100;
/** Longest wait for a free process; a process is kept so long for the next task. */
const queueLimitMs = 5_000;
const idleLimitMs = 30_000;
/** Loading MJML takes 0.6 s alone and several on a busy machine. */
const startLimitMs = 15_000;
/** How often those who waited long enough look whether a process still starts. */
const startCheckMs = 100;
const processCount = 2;
const queueLength = 100;
const queueLengthPerOwner = 20;
/** A process that wants more is ended by V8. */
const memoryMb = 320;
/** The only files that a template process can read; it can write none. */
const readableFolders = ['apps/server/src/', 'apps/server/node_modules/', 'node_modules/'];

/** Without permissions a process has no network, no other files and starts no programs or threads. */
export const templateProcessFlags = [
  '--permission',
  ...readableFolders.map(
    (folder) => `--allow-fs-read=${join(import.meta.dirname, '../../../../..', folder)}`,
  ),
  `--max-old-space-size=${memoryMb}`,
  '--max-semi-space-size=16',
  // The stack that V8 may use, in kilobytes; systems give 8 MB.
  '--stack-size=3900',
];

interface Job {
  task: TemplateTask;
  owner: string;
  person: string | undefined;
  resolve: (result: unknown) => void;
  reject: (error: TemplateTaskError | LimitExceeded) => void;
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
/** The owner that was served last is at the end. */
const served = new Set<string>();

/**
 * Runs a task in a process without environment or secrets, started on demand and killed when it takes too long or too
 * much. A process and not a thread: V8 ends the whole process when a template asks for too much memory
 * at once, whatever limits a thread has. It also keeps 91 MB of MJML out of the server, most of the time.
 *
 * An owner has one process at most, and so has a person, in however many organizations: the other is there for everybody
 * else, whatever the first is fed with.
 * @param owner whose template it is, an organization: owners are served round robin
 * @param person who asks; undefined for readers of messages
 * @throws TemplateTaskError; LimitExceeded
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
      // While a process starts, which takes a busy machine long, nobody waits for those before them yet.
      const isStarting = [...renderers].some(({ isReady }) => !isReady);
      if (isStarting && now - queued < startLimitMs) waitedSince = now;
      if (now - waitedSince < queueLimitMs) {
        job.queueTimer = setTimeout(giveUp, startCheckMs);
        return;
      }
      queue.splice(queue.indexOf(job), 1);
      reject(tooMany());
    };
    const job: Job = { task, owner, person, resolve, reject, queueTimer: setTimeout(giveUp, queueLimitMs) };
    queue.push(job);
    assign();
  }) as Promise<Result>;
}

const tooMany = () => new LimitExceeded('template processes', 'unavailable', retryAfter(queueLimitMs));

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

/** The oldest job of the owner who has waited longest, among those who may have another process. */
function nextJob(): Job | undefined {
  const running = [...renderers].flatMap(({ job }) => job ?? []);
  const roundRobin = [...served];
  const canRun = queue.filter(({ owner, person }) =>
    running.every((other) => other.owner !== owner && (person === undefined || other.person !== person)),
  );
  // Sorting keeps the order of those who are equal: the oldest job of an owner comes first.
  return canRun.toSorted((a, b) => roundRobin.indexOf(a.owner) - roundRobin.indexOf(b.owner))[0];
}

function createRenderer(): void {
  const child = fork(new URL('template-worker.ts', import.meta.url), {
    env: {},
    execArgv: templateProcessFlags,
    // MJML looks at the folder that it is started in.
    cwd: import.meta.dirname,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const renderer: Renderer = { child, job: undefined, isReady: false, timer: undefined };
  renderers.add(renderer);
  renderer.timer = setTimeout(
    () => end(renderer, 'failed', 'The template process did not start.'),
    startLimitMs,
  );
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
  child.on('error', (error: Error) => end(renderer, 'failed', error.message));
  // V8 aborts, and the system kills, a process that wants too much memory.
  child.on('exit', (_code, signal) =>
    signal === null
      ? end(renderer, 'failed', 'The template process ended.')
      : end(renderer, 'too_much_memory', 'The template needs too much memory.'),
  );
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
    // Not plain data, a function for instance: the caller's mistake, and the process is fine.
    renderer.job = undefined;
    clearTimeout(renderer.timer);
    job.reject(new TemplateTaskError('failed', error instanceof Error ? error.message : String(error)));
    rest(renderer);
  }
}

/** Ends the process when its task has used up its time. Where the system does not tell of CPU time, the clock counts. */
function limitTime(renderer: Renderer): void {
  const readUsed = () => (renderer.child.pid === undefined ? undefined : readCpuMs(renderer.child.pid));
  const before = readUsed();
  const startedAt = performance.now();
  const check = () => {
    const now = readUsed();
    const used = before === undefined || now === undefined ? taskLimitMs : now - before;
    if (used >= taskLimitMs || performance.now() - startedAt >= taskEndMs)
      end(renderer, 'too_slow', `The template took longer than ${taskLimitMs} ms.`);
    else renderer.timer = setTimeout(check, Math.max(taskCheckMs, taskLimitMs - used));
  };
  renderer.timer = setTimeout(check, taskLimitMs);
}

/** An idle process does not keep the server alive, and goes after a while. */
function rest(renderer: Renderer): void {
  renderer.child.unref();
  renderer.child.channel?.unref();
  renderer.timer = setTimeout(() => end(renderer, 'failed', 'idle'), idleLimitMs);
  renderer.timer.unref();
}

function end(renderer: Renderer, reason: TaskFailure, message: string): void {
  if (!renderers.delete(renderer)) return;
  clearTimeout(renderer.timer);
  renderer.job?.reject(new TemplateTaskError(reason, message));
  renderer.job = undefined;
  renderer.child.kill('SIGKILL');
  // A process that cannot start must not be tried for ever by the same job.
  if (!renderer.isReady) {
    const job = queue.shift();
    if (job !== undefined) {
      clearTimeout(job.queueTimer);
      job.reject(new TemplateTaskError(reason, message));
    }
  }
  assign();
}
