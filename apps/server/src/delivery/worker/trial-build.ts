// oxlint-disable-next-line no-restricted-imports -- starts a module of this folder, and never a program by its name
import { fork } from 'node:child_process';
import { once } from 'node:events';
// The same memory limit as the worker, so that a message that exceeds it there also exceeds it here.
import memoryLimits from '../../platform/worker-memory.json' with { type: 'json' };
import type { EmailSnapshot } from '../../email/email-content.ts';
import type { Recipient } from '../../queue/delivery.ts';
import type { SendRendererOptions } from './send-renderer.ts';

/** Plain data, because it is sent to another process. */
export interface TrialOrder extends Omit<SendRendererOptions, 'signer'> {
  content: EmailSnapshot;
  recipients: readonly Recipient[];
  /** ISO 8601. */
  startedAt: string;
}

const program = new URL('./trial-build-main.ts', import.meta.url);
const timeLimitMs = 60_000;

/**
 * Builds messages one by one in a separate process after a worker died while they were in progress, so that a message that
 * crashes its process does not end the worker. A message is only blamed if its process ends twice, the second time with
 * nothing else to build, because a memory shortage or a kill can hit innocent messages too.
 * @param signal  aborted when the worker stops; a process that ends after that says nothing about a message
 * @returns the seqs of messages that ended their process
 * @throws Error if the process cannot begin; the reason of the signal
 */
export async function buildOnTrial(order: TrialOrder, signal: AbortSignal): Promise<number[]> {
  const culprits: number[] = [];
  let { recipients } = order;
  for (;;) {
    const suspect = await runTrial({ ...order, recipients }, signal);
    if (suspect === undefined) return culprits;
    const index = recipients.findIndex(({ seq }) => seq === suspect);
    const alone = recipients.slice(index, index + 1);
    if ((await runTrial({ ...order, recipients: alone }, signal)) !== undefined) culprits.push(suspect);
    recipients = recipients.slice(index + 1);
  }
}

/** @returns the seq of the message that was being built when the process died; undefined if all were built */
async function runTrial(order: TrialOrder, signal: AbortSignal): Promise<number | undefined> {
  signal.throwIfAborted();
  const child = fork(program, { execArgv: memoryLimits, stdio: 'ignore' });
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  const limit = setTimeout(kill, timeLimitMs);
  let building: number | undefined;
  child.on('message', (message) => ({ building } = message as { building: number }));
  try {
    const exited = once(child, 'exit');
    child.send(order, () => undefined);
    const [code] = (await exited) as [number | null];
    signal.throwIfAborted();
    if (code === 0) return undefined;
  } finally {
    clearTimeout(limit);
    signal.removeEventListener('abort', kill);
  }
  if (building === undefined) throw new Error('The messages of a worker that died cannot be built on trial.');
  return building;
}
