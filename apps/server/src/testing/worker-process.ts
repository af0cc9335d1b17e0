import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestDatabase } from './database.ts';

const start = join(import.meta.dirname, '../../../../scripts/start.ts');

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

/** A worker in its own process, started through the product's own door with its default settings. */
export function startWorkerProcess(
  database: Pick<TestDatabase, 'ownerUrl' | 'appUrl' | 'authUrl'>,
  smtpUrl: string,
  secretKey = workerSecretKey,
): WorkerProcess {
  const child = spawn(process.execPath, [start], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ROLES: 'worker',
      DATABASE_URL: database.ownerUrl,
      DATABASE_APP_URL: database.appUrl,
      DATABASE_AUTH_URL: database.authUrl,
      SMTP_URL: smtpUrl,
      SENDER_DOMAINS: 'nordwind.example',
      DAILY_RECIPIENT_LIMIT: '1000000000',
      SECRET_KEY: secretKey,
      PUBLIC_URL: 'https://reachout.example',
      // What is lost and found again is the point here, not news.
      LOG_LEVEL: 'silent',
    },
  });
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
