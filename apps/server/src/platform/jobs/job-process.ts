import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import memoryLimits from '../worker-memory.json' with { type: 'json' };
import { JobFailed, JobInterrupted, RetryLater, type JobHandler } from './job-kind.ts';
import type { JobRow } from './leases.queries.ts';

/** What the process is told: its options and the news first, then what to run, by the token of the lease. */
export type JobProcessRequest =
  | { options: unknown }
  | { news: unknown }
  | { run: JobRow }
  | { abort: string };

export interface JobProcessReply {
  ended: string;
  /** `about`: what an error loses on the way. */
  failure: { error: Error; about: { name: string; code?: unknown } } | undefined;
}

export interface JobProcess {
  /** The handler, but that its jobs run in the process. They are still given up in this one. */
  handler: JobHandler;
  /** Tells the process something, plain data, and each that is started later. */
  inform: (news: unknown) => void;
  /** Ends the process. The jobs have ended before, or are lost with it. */
  stop: () => Promise<void>;
}

/** A process is kept for the next job: people who check a file import it soon after. */
const idleLimitMs = 60_000;

/**
 * Runs the jobs of a kind in a process of their own, which is started for the first one and dies with this process. What they
 * compute holds up nothing here, and what ends the process fails the attempts of its jobs alone.
 * @param program  calls `serveJobs`
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
      // One that runs, and could not be told something, goes on.
      if (child.pid === undefined) handleEnd(error);
    });
    child.on('exit', (code, signal) =>
      handleEnd(new Error(`The process of the job ended with ${code ?? signal}.`)),
    );
    child.on('message', ({ ended, failure }: JobProcessReply) => {
      const job = running.get(ended);
      if (failure === undefined) job?.end.resolve();
      else job?.end.reject(toError(failure));
    });
    // It ends by itself when this process is gone, unless it hangs.
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
    // It ends when nobody is there to ask it for anything.
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
