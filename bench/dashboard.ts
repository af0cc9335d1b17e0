import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dashboardPeriods } from '@reachout/contract/rules/dashboard.ts';
import { connect } from '../apps/server/src/platform/database/database.ts';
import { derivePasswords, loginsWith } from '../apps/server/src/platform/database/logins.ts';
import { migrateDatabase } from '../apps/server/src/platform/database/migrate.ts';
import { startPostgres } from '../scripts/postgres.ts';
import { buildAgency, type Agency } from './support/agency.ts';
import type { CampaignServerOrder, CampaignServerReply } from './support/campaign-server.ts';
import { startChild } from './support/child-process.ts';
import { load } from './support/http-load.ts';
import { toMetric, type Metric } from './support/metric.ts';
import { readNumber, say } from './support/options.ts';

// What the dashboard asks for, of an agency with 200 clients, `--sends` campaigns and `--rows` events, one request after the
// other. The metric is the slowest request of the owner, p95, whichever period is chosen.

export const metrics = ['dashboard_p95'];

const durationMs = 3_000;
/** What a request may take. */
const ceilingMs = 100;
const secretKey = 'bench-key-which-protects-nothing-0123456789';

export async function run(): Promise<Metric[]> {
  const directory = await mkdtemp(join(tmpdir(), 'reachout-bench-'));
  // As root without user namespaces the server runs as nobody, who has to get through here.
  await chmod(directory, 0o711);
  const postgres = await startPostgres({ dataDir: join(directory, 'postgres'), durable: true });
  const passwords = derivePasswords(secretKey);
  await migrateDatabase(postgres.url, passwords);
  const owner = connect(postgres.url, {
    name: 'bench',
    connections: 1,
    statementTimeoutMs: 600_000,
    onError: () => undefined,
  });
  const server = await startChild('campaign-server.ts');
  try {
    const agency = await buildAgency(owner, {
      clients: 200,
      campaigns: readNumber('sends', 2_000),
      events: readNumber('rows', 10_000_000),
    });
    const started = await server.ask<CampaignServerReply>('start', {
      logins: loginsWith(postgres.url, passwords),
      ownerUrl: postgres.url,
      dataDir: join(directory, 'data'),
      secretKey,
      settings: {
        RATE_LIMIT_NETWORK: '1000000',
        RATE_LIMIT_PERSON: '1000000',
        RATE_LIMIT_ORGANIZATION: '1000000',
      },
      emails: [agency.owner, agency.guest],
    } satisfies CampaignServerOrder);
    return await measure(started, agency);
  } finally {
    await server.stop();
    await owner.destroy();
    await postgres.stop();
    await rm(directory, { recursive: true });
  }
}

async function measure(
  { ports, cookies: [ownerCookie, guestCookie] }: CampaignServerReply,
  { organization_id, client_id }: Agency,
): Promise<Metric[]> {
  const ask = async (name: string, path: string, cookie: string | undefined) => {
    const options = {
      port: ports.app,
      connections: 1,
      path: () => `/api/dashboard/${path}organization_id=${organization_id}`,
      headers: () => ({ cookie: cookie! }),
      expected: 'HTTP/1.1 200',
    };
    await load({ ...options, duration: durationMs / 3 });
    const { p50, p95, p99 } = await load({ ...options, duration: durationMs });
    const [half, most, nearly] = [p50, p95, p99].map((ms) => ms.toFixed(1));
    say(`  ${name}: p50 ${half} ms, p95 ${most} ms, p99 ${nearly} ms`);
    return p95;
  };
  const results = (period: string) => `results?period=${period}&time_zone=Europe/Berlin&`;
  const times: number[] = [];
  for (const period of dashboardPeriods)
    times.push(await ask(`results of ${period}`, results(period), ownerCookie));
  times.push(await ask('work', 'work?', ownerCookie));
  times.push(await ask('recent', 'recent?', ownerCookie));
  await ask('results of one client, 90day', `${results('90day')}client_id=${client_id}&`, ownerCookie);
  await ask('results of a guest, 90day', results('90day'), guestCookie);
  await ask('work of a guest', 'work?', guestCookie);
  return [toMetric('dashboard_p95', Math.max(...times), 'ms', ceilingMs)];
}
