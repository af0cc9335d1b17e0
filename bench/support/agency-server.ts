import type { Database } from '../../apps/server/src/platform/database/database.ts';
import { openDatabase, withoutLimits, readNumber, say, type Metric } from './benchmark.ts';
import { buildAgency, type Agency } from './agency.ts';
import type { CampaignServerOrder, CampaignServerReply } from './campaign-server.ts';
import { startChild } from './child-process.ts';
import { load } from './http-load.ts';

// A server with the data of an agency with 200 clients, `--sends` campaigns and, if a benchmark needs them, `--rows` events
// and `--contacts` contacts. It gets one request at a time.

const durationMs = 2_000;
const warmUps = 5;
const togetherTurns = 40;

export interface AgencyServer {
  agency: Agency;
  owner: Database;
  port: number;
  /** Of the owner of the agency. */
  cookie: string;
  /** Logs in to the database as the product does. */
  appUrl: string;
  /** Requests a path repeatedly and prints the times. @returns the 95th percentile in milliseconds */
  ask: (name: string, path: string, as?: 'owner' | 'guest') => Promise<number>;
  /** Requests all paths at once, as the owner, again and again. @returns the 95th percentile until the last response, in milliseconds */
  askTogether: (name: string, paths: readonly string[]) => Promise<number>;
}

export async function withAgency(
  has: { contacts: boolean; events: boolean },
  measure: (server: AgencyServer) => Promise<Metric[]>,
): Promise<Metric[]> {
  const database = await openDatabase();
  const { owner, logins } = database;
  const server = await startChild('campaign-server.ts');
  try {
    const agency = await buildAgency(owner, {
      clients: 200,
      campaigns: readNumber('sends', 2_000),
      events: has.events ? readNumber('rows', 10_000_000) : 0,
      contacts: has.contacts ? readNumber('contacts', 1_000_000) : 0,
    });
    const { ports, cookies } = await server.ask<CampaignServerReply>('start', {
      ...database.forServer,
      settings: withoutLimits,
      emails: [agency.owner, agency.guest],
    } satisfies CampaignServerOrder);
    return await measure({
      agency,
      owner,
      port: ports.app,
      cookie: cookies[0]!,
      appUrl: logins.appUrl,
      ask: askWith(ports.app, cookies),
      askTogether: askTogetherWith(ports.app, cookies[0]!),
    });
  } finally {
    await server.stop();
    await database.close();
  }
}

const askWith =
  (port: number, [owner, guest]: string[]): AgencyServer['ask'] =>
  async (name, path, as = 'owner') => {
    const cookie = as === 'owner' ? owner! : guest!;
    const options = {
      port,
      connections: 1,
      path: () => path,
      headers: () => ({ cookie }),
      expected: 'HTTP/1.1 200',
    };
    await load({ ...options, duration: durationMs / 4 });
    const { p50, p95, p99 } = await load({ ...options, duration: durationMs });
    const [half, most, nearly] = [p50, p95, p99].map((ms) => ms.toFixed(1));
    say(`  ${name}: p50 ${half} ms, p95 ${most} ms, p99 ${nearly} ms`);
    return p95;
  };

const askTogetherWith =
  (port: number, cookie: string): AgencyServer['askTogether'] =>
  async (name, paths) => {
    const askOnce = async () => {
      const startedAt = performance.now();
      await Promise.all(
        paths.map(async (path) => {
          const response = await fetch(`http://localhost:${port}${path}`, { headers: { cookie } });
          await response.arrayBuffer();
          if (!response.ok) throw new Error(`${path}: ${response.status}`);
        }),
      );
      return performance.now() - startedAt;
    };
    const times: number[] = [];
    for (let turn = 0; turn < warmUps + togetherTurns; turn += 1) times.push(await askOnce());
    const sorted = times.slice(warmUps).toSorted((one, other) => one - other);
    const [p50, p95] = [0.5, 0.95].map((share) => sorted[Math.floor(share * (sorted.length - 1))]!) as [
      number,
      number,
    ];
    say(`  ${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
    return p95;
  };

/** @returns the 95th percentile of the slowest path, in milliseconds */
export async function askAll(
  ask: AgencyServer['ask'],
  paths: Readonly<Record<string, string>>,
): Promise<number> {
  const times: [name: string, ms: number][] = [];
  for (const [name, path] of Object.entries(paths)) times.push([name, await ask(name, path)]);
  const sorted = times.toSorted(([, one], [, other]) => other - one);
  for (const [name, ms] of sorted.slice(0, 3)) say(`  slowest: ${name}, ${ms.toFixed(1)} ms`);
  return sorted[0]![1];
}
