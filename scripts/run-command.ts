import { spawn, type ChildProcess } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export interface CommandOptions {
  /** After this long the command and all it started are stopped; undefined: never. */
  timeoutMs?: number;
  /** What asks it to end; SIGTERM if left out. */
  stopSignal?: NodeJS.Signals;
  /** Relative to the repository. */
  cwd?: string;
  /** Added to our own environment. */
  env?: Record<string, string>;
}

export interface CommandResult {
  /** Undefined: it ended well. Otherwise what went wrong, to be read after the command's name. */
  problem: string | undefined;
  durationMs: number;
}

/**
 * Runs a program of `node_modules/.bin` with its output going to ours. It gets its own process group, so
 * that a time-out or a signal to us reaches whatever it started.
 */
export async function runCommand(
  name: string,
  args: string[],
  options: CommandOptions,
): Promise<CommandResult> {
  const start = Date.now();
  const bin = join(root, 'node_modules', '.bin');
  const program = name === 'node' ? process.execPath : join(bin, name);
  const child = spawn(program, args, {
    cwd: join(root, options.cwd ?? '.'),
    // The programs find the pinned Node.js there, however we were started.
    env: { ...process.env, ...options.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });

  let stopReason: string | undefined;
  let lastResort: NodeJS.Timeout | undefined;
  function stop(reason: string): void {
    if (stopReason !== undefined) return;
    stopReason = reason;
    signalGroup(child, options.stopSignal ?? 'SIGTERM');
    lastResort = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
  }
  const { timeoutMs } = options;
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(stop, timeoutMs, `took longer than ${timeoutMs / 1000} s`);
  const onSignal = (signal: NodeJS.Signals): void => stop(`was interrupted by ${signal}`);
  for (const signal of endSignals) process.on(signal, onSignal);

  const ending = await new Promise<string | undefined>((done) => {
    child.on('error', (error) => done(`did not start: ${error.message}`));
    child.on('exit', (code, signal) => done(code === 0 ? undefined : `ended with ${code ?? signal}`));
  });
  const durationMs = Date.now() - start;
  clearTimeout(timer);
  clearTimeout(lastResort);
  if (stopReason === undefined) signalGroup(child, 'SIGTERM');
  else await endGroup(child);
  for (const signal of endSignals) process.off(signal, onSignal);
  return { problem: stopReason ?? ending, durationMs };
}

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How long a program may take to end after it was asked to: longer than the server needs to drain. */
const graceMs = 30_000;

/**
 * Waits for what a stopped command leaves behind, which may still be putting things away. It gives up at some point,
 * since processes that are dead but never cleared away count as alive.
 */
async function endGroup(child: ChildProcess): Promise<void> {
  const deadline = Date.now() + graceMs;
  while (signalGroup(child, 0) && Date.now() < deadline) await delay(50);
  signalGroup(child, 'SIGKILL');
}

/** @returns whether there was anybody left to get it */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}
