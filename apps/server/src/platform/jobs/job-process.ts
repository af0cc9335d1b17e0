import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import memoryLimits from '../worker-memory.json' with { type: 'json' };
import { JobFailed, JobInterrupted, JobProcessDied, RetryLater, type JobHandler } from './job-kind.ts';
import type { JobRow } from './leases.queries.ts';

/** Messages to the job process: its options and the latest news first, then jobs to run or abort by lease token. */
type JobProcessRequest = { options: unknown } | { news: unknown } | { run: JobRow } | { abort: string };

interface JobProcessReply {
  ended: string;
  /** `about`: properties that an error loses when it is serialized. */
  failure: { error: Error; about: { name: string; code?: unknown } } | undefined;
}

export interface JobProcess {
  /** The handler, with its jobs run in the child process. `giveUp` still runs in this process. */
  handler: JobHandler;
  /** Passes plain data to the process, and to each one that is started later. */
  inform: (news: unknown) => void;
  /** Ends the process. Jobs that still run are lost with it. */
  stop: () => Promise<void>;
}

/** How long an idle process is kept for the next job: users who check a file usually import it soon after. */
const idleLimitMs = 60_000;

/**
 * Runs the jobs of a kind in a child process, which is started for the first one and dies with this process. Their
 * computations do not block this process, and a crash of the child ends only the attempts of its own jobs.
 * @param program  a module that calls `serveJobs`
 * @param options  plain data
 */
export function runInProcess(handler: JobHandler, program: URL, options: unknown): JobProcess {
  const running = new Map<string, { child: ChildProcess; end: PromiseWithResolvers<void> }>();
  let current: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let latest: unknown;

  const tell = (child: ChildProcess, request: JobProcessRequest) => child.send(request, () => undefined);

  function start(): ChildProcess {
    const child = fork(program, { execArgv: memoryLimits, serialization: 'advanced' });
    const handleEnd = (error: Error) => {
      if (current === child) current = undefined;
      for (const job of running.values()) if (job.child === child) job.end.reject(error);
    };
    child.on('error', (error) => {
      // A running process stays in use if it could not receive a message.
      if (child.pid === undefined) handleEnd(error);
    });
    child.on('exit', (code, signal) =>
      handleEnd(new JobProcessDied(`The process of the job ended with ${code ?? signal}.`)),
    );
    child.on('message', ({ ended, failure }: JobProcessReply) => {
      const job = running.get(ended);
      if (failure === undefined) job?.end.resolve();
      else job?.end.reject(toError(failure));
    });
    // The child exits by itself when this process is gone, unless it hangs.
    const killAtExit = () => child.kill('SIGKILL');
    process.once('exit', killAtExit);
    child.once('exit', () => process.off('exit', killAtExit));
    if (child.pid !== undefined) {
      tell(child, { options });
      if (latest !== undefined) tell(child, { news: latest });
    }
    return child;
  }

  async function run(row: JobRow, signal: AbortSignal): Promise<void> {
    clearTimeout(idle);
    const child = (current ??= start());
    const end = Promise.withResolvers<void>();
    running.set(row.lease_token, { child, end });
    const abort = () => tell(child, { abort: row.lease_token });
    try {
      tell(child, { run: row });
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort);
      await end.promise;
    } finally {
      signal.removeEventListener('abort', abort);
      running.delete(row.lease_token);
      if (running.size === 0) idle = setTimeout(() => void stop(), idleLimitMs).unref();
    }
  }

  function inform(news: unknown): void {
    if (isDeepStrictEqual(news, latest)) return;
    latest = news;
    if (current?.connected === true) tell(current, { news });
  }

  async function stop(): Promise<void> {
    clearTimeout(idle);
    const child = current;
    current = undefined;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    // The child exits on disconnect.
    if (child.connected) child.disconnect();
    await exited;
  }

  return { handler: { ...handler, run }, inform, stop };
}

const errorClasses = [JobFailed, JobInterrupted, RetryLater];

function toError({ error, about }: NonNullable<JobProcessReply['failure']>): Error {
  const known = errorClasses.find(({ name }) => name === about.name);
  return known === undefined ? Object.assign(error, about) : new known(error.message);
}

/**
 * Runs the jobs that the parent process hands over (job-process.ts), until the parent disconnects.
 * @param open  receives the options of `runInProcess`
 * @param learn  receives what the parent passes to `inform`
 */
export function serveJobs(open: (options: unknown) => JobHandler, learn: (news: unknown) => void): void {
  // Ctrl-C reaches every process of a terminal, and a service stop every process of the service. The signals are ignored:
  // the parent decides what stops, and its exit ends this process. Uncommitted work is then rolled back.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit(0));

  const running = new Map<string, AbortController>();
  const reply = (message: JobProcessReply) => process.send!(message, undefined, undefined, () => undefined);
  let handler: JobHandler | undefined;

  process.on('message', (request: JobProcessRequest) => {
    if ('options' in request) handler = open(request.options);
    else if ('news' in request) learn(request.news);
    else if ('abort' in request) running.get(request.abort)?.abort();
    else {
      const { lease_token: token } = request.run;
      const abort = new AbortController();
      running.set(token, abort);
      handler!
        .run(request.run, abort.signal)
        .then(
          () => reply({ ended: token, failure: undefined }),
          (cause: unknown) => {
            const error = cause instanceof Error ? cause : new Error('Not an error.');
            const code = 'code' in error ? { code: error.code } : {};
            reply({ ended: token, failure: { error, about: { name: error.name, ...code } } });
          },
        )
        .finally(() => running.delete(token));
    }
  });
}
