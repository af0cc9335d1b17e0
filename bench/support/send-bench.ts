import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SignerOptions } from '../../apps/server/src/email/dkim/create-signer.ts';
import { connect, type Database } from '../../apps/server/src/platform/database/database.ts';
import { derivePasswords, loginsWith } from '../../apps/server/src/platform/database/logins.ts';
import { migrateDatabase } from '../../apps/server/src/platform/database/migrate.ts';
import { compileEmail } from '../../apps/server/src/email/templates/compile-email.ts';
import type { EmailSnapshot } from '../../apps/server/src/email/email-content.ts';
import { startPostgres, type RunningPostgres } from '../../scripts/postgres.ts';
import { newsletter } from './newsletter.ts';
import type { Sink } from './sink.ts';
import { startSink } from './start-sink.ts';

export const secretKey = 'bench-key-which-protects-nothing-0123456789';

/** The environment of send benchmarks: PostgreSQL with its default settings, a counting mail server, an email snapshot. */
export interface SendBench {
  owner: Database;
  /** Logs in as the product does. */
  appUrl: string;
  postgres: RunningPostgres;
  postgresPid: number;
  sink: Sink;
  snapshot: EmailSnapshot;
  /** With which workers sign; undefined if they do not. */
  dkim?: DkimKey | undefined;
}

export type DkimKey = SignerOptions;

/** Runs `work` in a separate environment, which is removed afterwards. */
export async function withSendBench<T>(work: (bench: SendBench) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'reachout-bench-'));
  // As root without user namespaces, the server runs as the user `nobody`, who needs access to this directory.
  await chmod(directory, 0o711);
  const dataDir = join(directory, 'postgres');
  const postgres = await startPostgres({ dataDir, durable: true });
  const postgresPid = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const stopAtOnce = () => process.kill(postgresPid, 'SIGINT');
  process.once('exit', stopAtOnce);
  try {
    const passwords = derivePasswords(secretKey);
    await migrateDatabase(postgres.url, passwords);
    const { appUrl } = loginsWith(postgres.url, passwords);
    const snapshot = await compileNewsletter();
    return await withDatabaseAndSink(postgres.url, async (owner, sink) =>
      work({ owner, appUrl, postgres, postgresPid, sink, snapshot }),
    );
  } finally {
    process.off('exit', stopAtOnce);
    await postgres.stop();
    await rm(directory, { recursive: true });
  }
}

async function withDatabaseAndSink<T>(
  url: string,
  work: (owner: Database, sink: Sink) => Promise<T>,
): Promise<T> {
  const pool = { name: 'bench', connections: 3, statementTimeoutMs: 600_000, onError: () => undefined };
  const sink = await startSink();
  const owner = connect(url, pool);
  try {
    return await work(owner, sink);
  } finally {
    await owner.destroy();
    await sink.stop();
  }
}

async function compileNewsletter(): Promise<EmailSnapshot> {
  const compiled = await compileEmail(newsletter, { brand: { id: 'brand', name: 'Nordwind' } }, 'bench');
  if (!compiled.ok) throw new Error(`The newsletter does not compile: ${JSON.stringify(compiled.problems)}`);
  return compiled.snapshot;
}
