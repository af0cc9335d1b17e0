import type { SignerOptions } from '../../apps/server/src/email/dkim/create-signer.ts';
import { compileEmail } from '../../apps/server/src/email/templates/compile-email.ts';
import type { EmailSnapshot } from '../../apps/server/src/email/email-content.ts';
import { openDatabase, type BenchDatabase } from './bench-database.ts';
import { newsletter } from './newsletter.ts';
import type { Sink } from './sink.ts';
import { startSink } from './start-sink.ts';

/** The environment of send benchmarks: PostgreSQL with its default settings, a counting mail server, an email snapshot. */
export interface SendBench extends Pick<BenchDatabase, 'owner' | 'forServer' | 'postgresPid'> {
  /** Logs in as the product does. */
  appUrl: string;
  sink: Sink;
  snapshot: EmailSnapshot;
  /** With which workers sign; undefined if they do not. */
  dkim?: DkimKey | undefined;
}

export type DkimKey = SignerOptions;

/** Runs `work` in a separate environment, which is removed afterwards. */
export async function withSendBench<T>(work: (bench: SendBench) => Promise<T>): Promise<T> {
  const { close, ...database } = await openDatabase({ connections: 3 });
  try {
    const snapshot = await compileNewsletter();
    const sink = await startSink();
    try {
      return await work({ ...database, appUrl: database.logins.appUrl, sink, snapshot });
    } finally {
      await sink.stop();
    }
  } finally {
    await close();
  }
}

async function compileNewsletter(): Promise<EmailSnapshot> {
  const compiled = await compileEmail(newsletter, { brand: { id: 'brand', name: 'Nordwind' } }, 'bench');
  if (!compiled.ok) throw new Error(`The newsletter does not compile: ${JSON.stringify(compiled.problems)}`);
  return compiled.snapshot;
}
