import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type Database } from '../../apps/server/src/platform/database/database.ts';
import { derivePasswords } from '../../apps/server/src/platform/database/logins.ts';
import { migrateDatabase } from '../../apps/server/src/platform/database/migrate.ts';
import { compileEmail } from '../../apps/server/src/email/templates/compile-email.ts';
import type { EmailSnapshot } from '../../apps/server/src/email/email-content.ts';
import { buildDueSend, type SendFixture } from '../../apps/server/src/testing/send-fixture.ts';
import { countAccounts, type Accounts } from '../../apps/server/src/testing/send-accounts.ts';
import { startPostgres, type RunningPostgres } from '../../scripts/postgres.ts';
import { root } from '../../scripts/run-command.ts';
import { startChild, stopProcess, type Child } from './child-process.ts';
import type { SinkCount } from './counting-sink.ts';
import { newsletter } from './newsletter.ts';
import { cpuSeconds, cpuSecondsOfTree, peakMemoryMb, runQueueSeconds } from './process-usage.ts';

const secretKey = 'bench-key-which-protects-nothing-0123456789';

/** All that stands still while a send is measured: PostgreSQL as it ships, a counting mail server, an email snapshot. */
export interface SendBench {
  owner: Database;
  postgres: RunningPostgres;
  postgresPid: number;
  sink: Child;
  sinkPort: number;
  snapshot: EmailSnapshot;
  close: () => Promise<void>;
}

export interface SendReport {
  messages: number;
  /** From the first to the last message at the mail server. */
  seconds: number;
  /** Of the worker's process with all its threads, over the same time. */
  cpuSeconds: number;
  postgresCpuSeconds: number;
  peakMemoryMb: number;
  /** Share of the time that the worker's threads waited for a CPU. */
  queueShare: number;
}

export async function openSendBench(): Promise<SendBench> {
  const directory = await mkdtemp(join(tmpdir(), 'reachout-bench-'));
  // As root without user namespaces the server runs as nobody, who has to get through here.
  await chmod(directory, 0o711);
  const dataDir = join(directory, 'postgres');
  const postgres = await startPostgres({ dataDir, durable: true });
  const postgresPid = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const stopAtOnce = () => process.kill(postgresPid, 'SIGINT');
  process.once('exit', stopAtOnce);
  await migrateDatabase(postgres.url, derivePasswords(secretKey));
  const owner = connect(postgres.url, {
    name: 'bench',
    connections: 3,
    statementTimeoutMs: 600_000,
    onError: () => undefined,
  });
  const sink = await startChild('counting-sink.ts');
  const compiled = await compileEmail(newsletter, { brand: { id: 'brand', name: 'Nordwind' } }, 'bench');
  if (!compiled.ok) throw new Error(`The newsletter does not compile: ${JSON.stringify(compiled.problems)}`);
  return {
    owner,
    postgres,
    postgresPid,
    sink,
    sinkPort: await sink.ask<number>('port'),
    snapshot: compiled.snapshot,
    close: async () => {
      await owner.destroy();
      await sink.stop();
      process.off('exit', stopAtOnce);
      await postgres.stop();
      await rm(directory, { recursive: true });
    },
  };
}

/**
 * Sends to `contacts` contacts with a worker in its own process, which is started as an operator would.
 * @throws Error when the accounts of the send, its counters and what arrived differ by a single message
 */
export async function measureSend(bench: SendBench, contacts: number): Promise<SendReport> {
  const { owner, sink, postgresPid, snapshot } = bench;
  await sink.ask('reset');
  const fixture = await buildDueSend(owner, { contacts, snapshot });
  const worker = startWorkerProcess(bench);
  const pid = worker.pid!;
  const stop = () => worker.kill('SIGKILL');
  process.once('exit', stop);
  try {
    await sink.ask('first');
    const before = readUsage(pid, postgresPid);
    await waitForEnd(owner, fixture, contacts);
    const after = readUsage(pid, postgresPid);
    const count = await sink.ask<SinkCount>('count');
    assertCounts(contacts, count, await countAccounts(owner, fixture.sendId));
    const seconds = (count.lastAt - count.firstAt) / 1000;
    return {
      messages: contacts,
      seconds,
      cpuSeconds: after.cpu - before.cpu,
      postgresCpuSeconds: after.postgresCpu - before.postgresCpu,
      peakMemoryMb: peakMemoryMb(pid),
      queueShare: (after.queued - before.queued) / seconds,
    };
  } finally {
    process.off('exit', stop);
    await stopProcess(worker);
  }
}

function startWorkerProcess({ postgres, sinkPort }: SendBench): ChildProcess {
  // For looking into the worker, such as BENCH_WORKER_FLAGS=--cpu-prof; metrics taken with flags are worth nothing.
  const flags = process.env['BENCH_WORKER_FLAGS']?.split(' ') ?? [];
  return spawn(process.execPath, [...flags, join(root, 'scripts/start.ts')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      ROLES: 'worker',
      DATABASE_URL: postgres.url,
      SMTP_URL: `smtp://127.0.0.1:${sinkPort}`,
      SENDER_DOMAINS: 'nordwind.example',
      DAILY_RECIPIENT_LIMIT: '1000000000',
      SECRET_KEY: secretKey,
      PUBLIC_URL: 'https://reachout.example',
      LOG_LEVEL: 'warn',
    },
  });
}

function readUsage(pid: number, postgresPid: number) {
  return {
    cpu: cpuSeconds(pid),
    postgresCpu: cpuSecondsOfTree(postgresPid),
    queued: runQueueSeconds(pid),
  };
}

/** Looks rarely: the bench must not keep busy the database that it measures. */
async function waitForEnd(owner: Database, { sendId }: SendFixture, contacts: number): Promise<void> {
  const limit = performance.now() + 60_000 + contacts * 10;
  for (;;) {
    const { end_date } = await owner
      .selectFrom('touchpoint_sends')
      .select('end_date')
      .where('id', '=', sendId)
      .executeTakeFirstOrThrow();
    if (end_date !== null) return;
    if (performance.now() > limit) throw new Error(`A send to ${contacts} contacts does not end.`);
    await delay(100);
  }
}

function assertCounts(contacts: number, sink: SinkCount, accounts: Accounts): void {
  const seen = {
    counter: accounts.counters.sent,
    results: accounts.rows.sent,
    messages: sink.messages,
    recipients: sink.recipients,
  };
  if (Object.values(seen).some((count) => count !== contacts)) {
    throw new Error(`Of ${contacts} messages: ${JSON.stringify(seen)}`);
  }
}
