// oxlint-disable-next-line no-restricted-imports -- starts a module of this folder, and never a program by its name
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { EmailSnapshot } from '../../email/email-content.ts';
import type { Recipient } from '../queue/delivery.ts';
import type { SendRendererOptions } from './prepare-send.ts';

/** Plain data, for another process. */
export interface TrialOrder extends Omit<SendRendererOptions, 'signer'> {
  content: EmailSnapshot;
  recipients: readonly Recipient[];
  /** ISO 8601. */
  startedAt: string;
}

const program = new URL('./trial-build-main.ts', import.meta.url);
/** As the worker has it: what is too much there has to be too much here. In MB. */
const memoryLimits = ['--max-semi-space-size=8', '--max-old-space-size=256'];
const timeLimitMs = 60_000;

/**
 * Builds messages one by one in a process of their own, after a worker died with them under way: a message that ends its
 * process ends only that one.
 * @returns the seqs of messages that ended it
 * @throws Error when the process cannot even begin
 */
export async function buildOnTrial(order: TrialOrder): Promise<number[]> {
  const culprits: number[] = [];
  let { recipients } = order;
  while (recipients.length > 0) {
    const culprit = await runTrial({ ...order, recipients });
    if (culprit === undefined) break;
    culprits.push(culprit);
    recipients = recipients.slice(recipients.findIndex(({ seq }) => seq === culprit) + 1);
  }
  return culprits;
}

/** @returns the message that was being built when the process died; undefined when all were built */
async function runTrial(order: TrialOrder): Promise<number | undefined> {
  const child = fork(program, { execArgv: memoryLimits, stdio: 'ignore' });
  let building: number | undefined;
  child.on('message', (message) => ({ building } = message as { building: number }));
  const limit = setTimeout(() => child.kill('SIGKILL'), timeLimitMs);
  const exited = once(child, 'exit');
  child.send(order, () => undefined);
  const [code] = (await exited) as [number | null];
  clearTimeout(limit);
  if (code === 0) return undefined;
  if (building === undefined) throw new Error('The messages of a worker that died cannot be built on trial.');
  return building;
}
