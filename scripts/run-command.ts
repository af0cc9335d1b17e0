import { spawn, type ChildProcess } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export interface CommandOptions {
  /** After this long the command and all it started are stopped. */
  timeoutMs: number;
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
 * Runs a program of `node_modules/.bin` with its output going to ours. It gets a process group of its own, so
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
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });

  let stopReason: string | undefined;
  function stop(reason: string): void {
    stopReason ??= reason;
    signalGroup(child, 'SIGTERM');
    // What does not listen after ten seconds never will.
    killTimer ??= setTimeout(() => signalGroup(child, 'SIGKILL'), 10_000);
  }
  let killTimer: NodeJS.Timeout | undefined;
  const timer = setTimeout(stop, options.timeoutMs, `took longer than ${options.timeoutMs / 1000} s`);
  const onSignal = (signal: NodeJS.Signals): void => stop(`was interrupted by ${signal}`);
  for (const signal of endSignals) process.on(signal, onSignal);

  const ending = await new Promise<string | undefined>((done) => {
    child.on('error', (error) => done(`did not start: ${error.message}`));
    child.on('exit', (code, signal) => done(code === 0 ? undefined : `ended with ${code ?? signal}`));
  });
  clearTimeout(timer);
  clearTimeout(killTimer);
  for (const signal of endSignals) process.off(signal, onSignal);
  if (stopReason !== undefined) signalGroup(child, 'SIGKILL');
  return { problem: stopReason ?? ending, durationMs: Date.now() - start };
}

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The whole group is gone.
  }
}
