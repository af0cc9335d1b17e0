import { spawn, type ChildProcess } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export interface CommandOptions {
  /** Time after which the command and all its child processes are stopped; undefined: never. */
  timeoutMs?: number;
  /** Signal that asks the command to end; default SIGTERM. */
  stopSignal?: NodeJS.Signals;
  /** Relative to the root of the repository. */
  cwd?: string;
  /** Added to the environment of this process. */
  env?: Record<string, string>;
}

export interface CommandResult {
  /** Undefined if it succeeded. Otherwise a phrase about the failure that follows the name of the command. */
  problem: string | undefined;
  durationMs: number;
}

/**
 * Runs a program of `node_modules/.bin` with inherited output. It gets its own process group, so
 * that a timeout, or a signal to this process, reaches all its child processes.
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
    // With this PATH, the programs find the pinned Node.js, regardless of how this process was started.
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

/** Time that a program gets to end after the stop signal: longer than the server needs to drain. */
const graceMs = 30_000;

/**
 * Waits for child processes of a stopped command, which may still be cleaning up. Gives up after `graceMs`, because
 * zombie processes that are never reaped count as alive.
 */
async function endGroup(child: ChildProcess): Promise<void> {
  const deadline = Date.now() + graceMs;
  while (signalGroup(child, 0) && Date.now() < deadline) await delay(50);
  signalGroup(child, 'SIGKILL');
}

/** @returns whether any process of the group was left to receive it */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}
