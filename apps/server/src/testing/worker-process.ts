import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { forkWorker } from '../supervise-worker.ts';
import type { WorkerOptions } from '../worker.ts';
import type { TestDatabase } from './database.ts';

/** Default SECRET_KEY of these processes. */
export const workerSecretKey = 'test-key-0123456789-abcdefghijklmnop';

export interface WorkerProcess {
  pid: number;
  /** Sends SIGKILL: nothing is cleaned up. Resolves when the process has exited. */
  kill: () => Promise<void>;
  /** Stops it gracefully, as an operator does. Resolves with its exit code. */
  stop: () => Promise<number | null>;
  /** Sends SIGSTOP: it hangs, with all its connections open, until `resume`. */
  suspend: () => void;
  resume: () => void;
}

/** Default settings with the given mail server. */
export const workerOptionsFor = (
  { appUrl, authUrl }: Pick<TestDatabase, 'appUrl' | 'authUrl'>,
  smtpUrl: string,
  secretKey = workerSecretKey,
): WorkerOptions => ({
  logins: { appUrl, authUrl },
  smtpUrl,
  smtpConnections: 16,
  policy: {
    transport: 'smtp',
    senderDomains: ['nordwind.example'],
    dailyRecipientLimit: 1_000_000_000,
    bounceDomain: 'reachout.example',
    publicUrl: 'https://reachout.example',
  },
  publicUrl: 'https://reachout.example',
  mailFrom: 'reachout@reachout.example',
  secretKey,
  previousSecretKeys: [],
  privateHosts: [],
  domains: {
    publicUrl: 'https://reachout.example',
    bounceDomain: 'reachout.example',
    spfInclude: undefined,
    dmarcReports: undefined,
    dnsServers: [],
  },
  dataDir: '/nowhere',
  s3Url: undefined,
  inFlightLimit: 64,
  sendRates: {},
  // Failures and recoveries are expected here, and need no log.
  logLevel: 'silent',
});

/** Starts a worker in its own process, as the server does. */
export function startWorkerProcess(
  database: Pick<TestDatabase, 'appUrl' | 'authUrl'>,
  smtpUrl: string,
  secretKey?: string,
): WorkerProcess {
  const child = forkWorker(workerOptionsFor(database, smtpUrl, secretKey));
  // Kills the worker when the test process exits early.
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  child.once('exit', () => process.off('exit', killAtExit));
  return {
    pid: child.pid!,
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
