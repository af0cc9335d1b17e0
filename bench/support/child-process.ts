import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readdirSync, readFileSync } from 'node:fs';

/** Request handlers of a child process, by name. */
type Handlers = Record<string, (argument: never) => unknown>;

interface Request {
  id: number;
  name: string;
  argument: unknown;
}

export interface Child {
  pid: number;
  /** @throws Error when the process ends before it responds */
  ask: <T>(name: string, argument?: unknown) => Promise<T>;
  stop: () => Promise<void>;
}

/** Starts a file of this folder as its own process; resolves when it is ready. */
export async function startChild(file: string): Promise<Child> {
  const child = fork(join(import.meta.dirname, file), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const waiting = new Map<number, PromiseWithResolvers<never>>();
  let lastId = 0;
  child.on('message', ({ id, response }: { id: number; response: never }) =>
    waiting.get(id)?.resolve(response),
  );
  child.on('exit', (code, signal) => {
    const error = new Error(`${file} ended with ${code ?? signal}`);
    for (const { reject } of waiting.values()) reject(error);
  });
  const ask = async <T>(name: string, argument?: unknown): Promise<T> => {
    const request: Request = { id: (lastId += 1), name, argument };
    const response = Promise.withResolvers<never>();
    waiting.set(request.id, response);
    child.send(request);
    try {
      return await response.promise;
    } finally {
      waiting.delete(request.id);
    }
  };
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  child.once('exit', () => process.off('exit', killAtExit));
  await once(child, 'message');
  return { pid: child.pid!, ask, stop: () => stopProcess(child) };
}

/** Sends SIGTERM and waits until the process has exited. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** In a child process: reports that it is ready, and handles requests from now on. */
export function serveParent(handlers: Handlers): void {
  process.on('message', ({ id, name, argument }: Request) => {
    void (async () => process.send?.({ id, response: await handlers[name]!(argument as never) }))();
  });
  // The parent process has exited.
  process.on('disconnect', () => process.exit(1));
  process.send?.({ id: 0 });
}

// Reads /proc: benches run on Linux.

/** Clock ticks per second in /proc, fixed by Linux for all programs. */
const ticksPerSecond = 100;

/** @returns the CPU seconds of a process with all its threads, user and system */
export function cpuSeconds(pid: number): number {
  const [user, system] = statOf(pid);
  return (user! + system!) / ticksPerSecond;
}

/** @returns the CPU seconds of a process and its descendants, including ended ones */
export function cpuSecondsOfTree(pid: number): number {
  const [user, system, endedUser, endedSystem] = statOf(pid);
  const own = (user! + system! + endedUser! + endedSystem!) / ticksPerSecond;
  return childrenOf(pid).reduce((sum, child) => sum + cpuSecondsOfTree(child), own);
}

/** @returns the peak memory of a process, in MB (10^6 bytes) */
export function peakMemoryMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024) / 1e6;
}

/** @returns the memory of a process and its descendants in MB, without shared memory such as the buffers of PostgreSQL */
export function anonymousMbOfTree(pid: number): number {
  const kilobytes = Number(/RssAnon:\s+(\d+) kB/.exec(readIfThere(`/proc/${pid}/status`))?.[1] ?? 0);
  return childrenOf(pid).reduce((sum, child) => sum + anonymousMbOfTree(child), (kilobytes * 1024) / 1e6);
}

/** @returns the seconds that the threads of a process were runnable but waited for a CPU: how noisy the machine is */
export const runQueueSeconds = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const text = readIfThere(`/proc/${pid}/task/${thread}/schedstat`);
    return sum + Number(text.split(' ')[1] ?? 0) / 1e9;
  }, 0);

/** @returns utime, stime, cutime and cstime (proc_pid_stat(5), fields 14 to 17); zeros for an ended process */
function statOf(pid: number): number[] {
  const text = readIfThere(`/proc/${pid}/stat`);
  // The program name, in parentheses, can contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return text === '' ? [0, 0, 0, 0] : fields.slice(11, 15).map(Number);
}

function childrenOf(pid: number): number[] {
  const text = readIfThere(`/proc/${pid}/task/${pid}/children`);
  return text.split(' ').filter(Boolean).map(Number);
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
