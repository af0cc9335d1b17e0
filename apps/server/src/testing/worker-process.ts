import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { forkWorker } from '../supervise-worker.ts';
import type { WorkerOptions } from '../worker.ts';
import type { TestDatabase } from './database.ts';

/** SECRET_KEY of these processes, unless a test gives another. */
export const workerSecretKey = 'test-key-0123456789-abcdefghijklmnop';

export interface WorkerProcess {
  /** `kill -9`: nothing is put away. Resolves when the process is gone. */
  kill: () => Promise<void>;
  /** As an operator stops it. Resolves with its exit code. */
  stop: () => Promise<number | null>;
  /** `kill -STOP`: it hangs, with all its connections open, until `resume`. */
  suspend: () => void;
  resume: () => void;
}

/** With the default settings, for a mail server. */
export const workerOptionsFor = (
  { appUrl, authUrl }: Pick<TestDatabase, 'appUrl' | 'authUrl'>,
  smtpUrl: string,
  secretKey = workerSecretKey,
): WorkerOptions => ({
  logins: { appUrl, authUrl },
  smtpUrl,
  smtpConnections: 16,
  bounceDomain: 'reachout.example',
  relay: { senderDomains: ['nordwind.example'], dailyRecipientLimit: 1_000_000_000 },
  publicUrl: 'https://reachout.example',
  mailFrom: 'reachout@reachout.example',
  secretKey,
  previousSecretKeys: [],
  privateHosts: [],
  dataDir: '/nowhere',
  s3Url: undefined,
  inFlightLimit: 64,
  sendRates: {},
  // What is lost and found again is the point here, not news.
  logLevel: 'silent',
});

/** A worker in its own process, as the server starts it. */
export function startWorkerProcess(
  database: Pick<TestDatabase, 'appUrl' | 'authUrl'>,
  smtpUrl: string,
  secretKey?: string,
): WorkerProcess {
  const child = forkWorker(workerOptionsFor(database, smtpUrl, secretKey));
  // A test that breaks off leaves nothing behind.
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  child.once('exit', () => process.off('exit', killAtExit));
  return {
    kill: async () => {
      await end(child, 'SIGKILL');
    },
    stop: () => end(child, 'SIGTERM'),
    suspend: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }
  return child.exitCode;
}
