import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createTokenSigner } from '../apps/server/src/email/links/tokens.ts';
import { connect, type Database } from '../apps/server/src/platform/database/database.ts';
import { derivePasswords, loginsWith } from '../apps/server/src/platform/database/logins.ts';
import { migrateDatabase } from '../apps/server/src/platform/database/migrate.ts';
import { buildSentEmail } from '../apps/server/src/testing/sent-email.ts';
import { startPostgres } from '../scripts/postgres.ts';
import { startChild } from './support/child-process.ts';
import { median, toMetric, type Metric } from './support/metric.ts';
import { load, type LoadReport } from './support/http-load.ts';
import { readNumber, say } from './support/options.ts';

// Open pixel and click redirect, each answered once its event is committed, against a Fastify that
// answers the same and does nothing else. Interleaved, in one server process, every response from another message.

export const metrics = ['open_pixel', 'click_redirect'];

const durationMs = 1_500;
const connections = 64;

export async function run(): Promise<Metric[]> {
  const directory = await mkdtemp(join(tmpdir(), 'reachout-bench-'));
  // As root without user namespaces the server runs as nobody, who has to get through here.
  await chmod(directory, 0o711);
  const postgres = await startPostgres({ dataDir: join(directory, 'postgres'), durable: true });
  const passwords = derivePasswords(randomBytes(16).toString('hex'));
  await migrateDatabase(postgres.url, passwords);
  const { appUrl } = loginsWith(postgres.url, passwords);
  const owner = connect(postgres.url, {
    name: 'bench',
    connections: 1,
    statementTimeoutMs: 60_000,
    onError: () => undefined,
  });
  const server = await startChild('tracking-server.ts');
  try {
    return await measure(owner, server, appUrl);
  } finally {
    await server.stop();
    await owner.destroy();
    await postgres.stop();
    await rm(directory, { recursive: true });
  }
}

async function measure(
  owner: Database,
  server: Awaited<ReturnType<typeof startChild>>,
  appUrl: string,
): Promise<Metric[]> {
  const secret = randomBytes(32);
  const signer = createTokenSigner(secret);
  const sent = await buildSentEmail(owner);
  const ports = await server.ask<{ bare: number; tracking: number }>('start', {
    appUrl,
    secret: secret.toString('base64'),
  });
  let seq = 0;
  const opens = () => `/t/o/${signer.sign({ sendNumber: sent.sendNumber, seq: ++seq }).open}`;
  const clicks = () => `/t/c/${signer.sign({ sendNumber: sent.sendNumber, seq: ++seq }).click}.0`;
  const sides = {
    bare: () => ask(ports.bare, opens, 200),
    open: () => ask(ports.tracking, opens, 200),
    click: () => ask(ports.tracking, clicks, 302),
  };

  const reports = { bare: [] as LoadReport[], open: [] as LoadReport[], click: [] as LoadReport[] };
  for (const side of ['bare', 'open', 'click'] as const) await sides[side]();
  const [before] = await countEvents(owner);
  for (let repeat = 0; repeat < readNumber('repeats', 5); repeat++) {
    for (const side of ['bare', 'open', 'click'] as const) reports[side].push(await sides[side]());
  }
  const answered = [...reports.open, ...reports.click].reduce((sum, { requests }) => sum + requests, 0);
  const [after] = await countEvents(owner);
  if (after! - before! !== answered)
    throw new Error(`${answered} events were acknowledged, but ${after! - before!} are stored.`);

  const rate = (side: keyof typeof reports) => median(reports[side].map(({ perSecond }) => perSecond));
  for (const side of ['bare', 'open', 'click'] as const) {
    const [p50, p99] = (['p50', 'p99'] as const).map((key) => median(reports[side].map((one) => one[key])));
    say(`${side}: ${rate(side).toFixed(0)}/s, p50 ${p50!.toFixed(1)} ms, p99 ${p99!.toFixed(1)} ms`);
  }
  return [
    toMetric('open_pixel', rate('open'), 'requests/s', rate('bare')),
    toMetric('click_redirect', rate('click'), 'requests/s', rate('bare')),
  ];
}

const ask = (port: number, path: () => string, status: number) =>
  load({ port, connections, duration: durationMs, path, expected: `HTTP/1.1 ${status}` });

async function countEvents(owner: Database): Promise<number[]> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(human_count), 0)::bigint as count from delivery_event_counts where link_no = -1
  `.execute(owner);
  return rows.map(({ count }) => count);
}
