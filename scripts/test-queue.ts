import { fork, type ChildProcess } from 'node:child_process';
import { cpus } from 'node:os';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { EndedFile } from './test-worker.ts';

/** A process with more memory is replaced, so that what files leave behind adds up to a bounded amount. */
const maxMemoryBytes = 1_500_000_000;
const graceMs = 10_000;
const outputMs = 1_000;
/** Longer than the pauses of a test that does not wait: a further process costs a second to start. */
const idleCheckMs = 2_000;
/** Of the time of all processors. */
const idleShare = 0.35;

export interface QueueOptions {
  /** Arguments of Node.js. */
  args: readonly string[];
  /** For the process with this number. */
  environmentOf: (number: number) => NodeJS.ProcessEnv;
  processes: number;
  /** Further ones, while files wait for something else than the processors. */
  spareProcesses: number;
  /** Whether processors have time for another file. */
  isIdle?: () => boolean;
  /** Time limit of one file. */
  fileLimitMs: number;
  signal: AbortSignal;
  onEnd: (file: RanFile) => void;
}

export interface RanFile {
  file: string;
  durationMs: number;
  cpuMs: number | undefined;
  /** Why the file could not be run to its end; undefined if it was. */
  problem: string | undefined;
  /** What its process wrote meanwhile. */
  output: string;
}

/** @returns the files in the order in which they are started: the longest first, so that none of them is left at the end */
export function orderByCost(files: readonly string[], costOf: (file: string) => number): string[] {
  const costs = new Map(files.map((file) => [file, costOf(file)]));
  return files.toSorted((one, other) => costs.get(other)! - costs.get(one)!);
}

export interface Shard {
  /** From 1 to `count`. */
  number: number;
  count: number;
}

/** @param text  number and count, such as "1/2"; returns undefined for anything else */
export function readShard(text: string): Shard | undefined {
  const [, number = 0, count = 0] = (/^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? []).map(Number);
  return number >= 1 && number <= count ? { number, count } : undefined;
}

/** @returns the files of one shard: the longest first, each file is in the shard that had the least to do by then */
export function chooseShard(
  files: readonly string[],
  { number, count }: Shard,
  costOf: (file: string) => number,
): string[] {
  const shards = Array.from({ length: count }, (): { cost: number; files: string[] } => ({
    cost: 0,
    files: [],
  }));
  for (const file of orderByCost(files, costOf)) {
    const shard = shards.reduce((least, other) => (other.cost < least.cost ? other : least));
    shard.cost += costOf(file);
    shard.files.push(file);
  }
  return shards[number - 1]!.files;
}

/**
 * Runs test files in long-lived processes, each of which takes the next file when it has ended one. A process that ends or takes
 * too long fails its file; the others go on in a new process. Files that wait, such as for processes to be restarted, leave the
 * processors to further processes.
 */
export async function runQueue(files: readonly string[], options: QueueOptions): Promise<void> {
  const { processes, spareProcesses, signal, isIdle = watchProcessors() } = options;
  const waiting = [...files];
  let started = 0;
  const take = () => (signal.aborted ? undefined : waiting.shift());
  async function work(next: () => string | undefined): Promise<void> {
    for (let first = take(); first !== undefined; first = next())
      await runProcess(first, next, (started += 1), options);
  }
  const spare = new Set<Promise<void>>();
  let hasTime = false;
  const checks = setInterval(() => {
    hasTime = isIdle();
    if (!hasTime || waiting.length === 0 || spare.size === spareProcesses) return;
    const working = work(() => (hasTime ? take() : undefined)).finally(() => spare.delete(working));
    spare.add(working);
  }, idleCheckMs);
  await Promise.all(Array.from({ length: Math.min(processes, files.length) }, () => work(take)));
  clearInterval(checks);
  await Promise.all(spare);
}

/** @returns whether the processors had nothing to do for a good part of the time since the last call */
function watchProcessors(): () => boolean {
  const read = () => {
    const times = cpus().map((cpu) => cpu.times);
    const idle = times.reduce((sum, time) => sum + time.idle, 0);
    return {
      idle,
      all: times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle),
    };
  };
  let last = read();
  return () => {
    const now = read();
    const share = (now.idle - last.idle) / (now.all - last.all);
    last = now;
    return share > idleShare;
  };
}

/** Runs files in one process until there are no more, or it has to be replaced. */
async function runProcess(
  first: string,
  next: () => string | undefined,
  number: number,
  { args, environmentOf, fileLimitMs, signal, onEnd }: QueueOptions,
): Promise<void> {
  const child = fork(new URL('test-worker.ts', import.meta.url), {
    execArgv: [...args],
    env: environmentOf(number),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Its group also has the processes that tests start.
    detached: true,
  });
  let output = '';
  const streams = [child.stdout!, child.stderr!];
  for (const stream of streams) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const stop = () => signalGroup(child, 'SIGKILL');
  signal.addEventListener('abort', stop);

  let current: { file: string; startedAt: number; limit: NodeJS.Timeout } | undefined;
  let isLate = false;
  /** The process reads it when it has been loaded. */
  const start = (file: string) => {
    const limit = setTimeout(() => {
      isLate = true;
      stop();
    }, fileLimitMs);
    current = { file, startedAt: performance.now(), limit };
    child.send(file, () => undefined);
  };
  const end = (cpuMs: number | undefined, problem: string | undefined) => {
    if (current === undefined) return;
    clearTimeout(current.limit);
    const { file, startedAt } = current;
    current = undefined;
    onEnd({ file, durationMs: performance.now() - startedAt, cpuMs, problem, output });
    output = '';
  };
  let lastResort: NodeJS.Timeout | undefined;
  child.on('message', (message: EndedFile) => {
    end(message.cpuMs, undefined);
    const file = message.memoryBytes > maxMemoryBytes ? undefined : next();
    if (file !== undefined) return start(file);
    // It ends when its reporters have written everything, unless a file has left something that keeps it running.
    child.disconnect();
    lastResort = setTimeout(stop, graceMs);
  });
  start(first);
  const ending = await new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(`did not start: ${error.message}`));
    child.on('exit', (code, by) => resolve(`its process ended with ${code ?? by}`));
  });
  // `close` is not emitted for a process that was disconnected from. Another process may have the streams, too.
  const areRead = Promise.all(streams.map((stream) => finished(stream).catch(() => undefined)));
  await Promise.race([areRead, delay(outputMs)]);
  clearTimeout(lastResort);
  signal.removeEventListener('abort', stop);
  stop();
  end(undefined, isLate ? `took longer than ${fileLimitMs / 1_000} s` : ending);
  // What the reporters write at the end of the process, such as the failures in full.
  if (output.trim() !== '') console.log(output);
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // All of its processes have ended.
  }
}
