// oxlint-disable-next-line no-restricted-imports -- starts a module of this folder, and never a program by its name
import { fork } from 'node:child_process';
import { once } from 'node:events';
// As the worker has it: what is too much there has to be too much here.
import memoryLimits from '../../platform/worker-memory.json' with { type: 'json' };
import type { EmailSnapshot } from '../../email/email-content.ts';
import type { Recipient } from '../queue/delivery.ts';
import type { SendRendererOptions } from './send-renderer.ts';

/** Plain data, for another process. */
export interface TrialOrder extends Omit<SendRendererOptions, 'signer'> {
  content: EmailSnapshot;
  recipients: readonly Recipient[];
  /** ISO 8601. */
  startedAt: string;
}

const program = new URL('./trial-build-main.ts', import.meta.url);
const timeLimitMs = 60_000;

/**
 * Builds messages one by one in a process of their own, after a worker died with them under way: a message that ends its
 * process ends only that one. A message is believed to do that when its process ends twice, the second time with nothing
 * else to build: what is short of memory, or kills processes, hits innocent ones.
 * @param signal  the worker stops, and nothing that ends from now on says anything about a message
 * @returns the seqs of messages that ended it
 * @throws Error when the process cannot even begin; the reason of the signal
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

/** @returns the message that was being built when the process died; undefined when all were built */
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
