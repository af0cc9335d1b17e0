import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../apps/server/src/platform/database/database.ts';
import memoryLimits from '../../apps/server/src/platform/worker-memory.json' with { type: 'json' };
import { root } from '../../scripts/run-command.ts';
import { stopProcess } from './child-process.ts';
import { secretKey } from './bench-database.ts';
import type { SendBench } from './send-bench.ts';

/** Default of SMTP_CONNECTIONS. */
export const connections = 16;

/**
 * Starts a worker in its own process, as an operator would, runs `work`, and stops the worker.
 * @param work  called when the worker is ready, with its process id
 */
export async function withWorker<T>(bench: SendBench, work: (pid: number) => Promise<T>): Promise<T> {
  // For profiling the worker, as in BENCH_WORKER_FLAGS=--cpu-prof; metrics with flags are invalid.
  const flags = process.env['BENCH_WORKER_FLAGS']?.split(' ') ?? [];
  const { dkim } = bench;
  const program = dkim === undefined ? 'scripts/start.ts' : 'bench/support/signing-worker.ts';
  const worker = spawn(process.execPath, [...memoryLimits, ...flags, join(root, program)], {
    cwd: root,
    // It ends when the channel closes, so also when this process is killed.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ROLES: 'worker',
      DATABASE_URL: bench.forServer.ownerUrl,
      SMTP_URL: `smtp://127.0.0.1:${bench.sink.port}`,
      SMTP_CONNECTIONS: String(connections),
      SENDER_DOMAINS: 'nordwind.example',
      DAILY_RECIPIENT_LIMIT: '1000000000',
      SECRET_KEY: secretKey,
      PUBLIC_URL: 'https://reachout.example',
      LOG_LEVEL: 'warn',
      ...(dkim === undefined ? {} : { BENCH_DKIM_KEY: JSON.stringify(dkim) }),
    },
  });
  const killAtExit = () => worker.kill('SIGKILL');
  process.once('exit', killAtExit);
  try {
    await waitUntilItLives(bench.owner);
    return await work(worker.pid!);
  } finally {
    process.off('exit', killAtExit);
    await stopProcess(worker);
  }
}

/** Waits for the advisory lock that a living worker holds. */
async function waitUntilItLives(owner: Database): Promise<void> {
  for (let triesLeft = 600; triesLeft > 0; triesLeft -= 1) {
    const { rows } = await sql`
      select from pg_locks where locktype = 'advisory' and objsubid = 2 and granted
    `.execute(owner);
    if (rows.length > 0) return;
    await delay(100);
  }
  throw new Error('The worker does not start.');
}
