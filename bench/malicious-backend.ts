import { sql } from 'kysely';
import { createStartingCollections } from '../apps/server/src/content/built-in/starting-collections.ts';
import type { Database } from '../apps/server/src/platform/database/database.ts';
import { addContacts } from '../apps/server/src/testing/send-fixture.ts';
import { openDatabase, median, toMetric, say, type Metric } from './support/benchmark.ts';
import type { CampaignServerOrder, CampaignServerReply } from './support/campaign-server.ts';
import {
  startChild,
  anonymousMbOfTree,
  cpuSeconds,
  runQueueSeconds,
  type Child,
} from './support/child-process.ts';
import type { AskOrder } from './support/flood.ts';
import { load, type LoadReport } from './support/http-load.ts';
import type { MaliciousDirectus } from './support/malicious-directus.ts';
import { buildCrowd, pickInhabitants, type Inhabitant } from './support/many-organizations.ts';

// How long members of other organizations wait for their campaigns and contacts while three members of one organization
// query a malicious Directus as fast as the product allows, compared with their waiting time without that load. Medians
// of three rounds. Also measures the growth of the server's memory over these rounds.

export const metrics = ['malicious_backend', 'malicious_backend_memory'];

const rounds = 3;
const people = 60;
const contacts = 500;
/** Members per organization that use the Directus. */
const askers = 3;
/** Until the server's memory is stable without the Directus. */
const warmUpMs = 25_000;
const quietMs = 6_000;
const askedMs = 8_000;
/** Maximum memory growth. Others may wait at most twice as long as without the Directus. */
const maxGrowthMb = 50;

/** Two of ten requests hang. Enough of the others succeed to keep the circuit closed (`createCircuitBreaker`). */
const slow = ['a slow drip', 'no answer'];
const heavy = [
  'an endless body',
  'a few bytes that become many',
  'a million fields',
  'a depth of 100,000',
  'more items than asked for',
].flatMap((what) => [what, 'as many values as are read', 'well', 'as many values as are read']);

export async function run(): Promise<Metric[]> {
  const database = await openDatabase();
  const { owner } = database;
  const [server, asker, directus] = (await Promise.all(
    ['campaign-server.ts', 'flood.ts', 'malicious-directus.ts'].map(startChild),
  )) as [Child, Child, Child];
  try {
    await buildCrowd(owner, { organizations: 100, campaigns: 50 });
    const inhabitants = await pickInhabitants(owner, 'owner', people + rounds * askers);
    const attacked = await makeColleagues(owner, inhabitants.splice(0, rounds * askers));
    await addCollections(owner, inhabitants);
    const { host, url } = await directus.ask<MaliciousDirectus>('start');
    const { ports, cookies } = await server.ask<CampaignServerReply>('start', {
      ...database.forServer,
      settings: { TRUSTED_PROXIES: '127.0.0.1', PRIVATE_HOSTS: host },
      emails: [...inhabitants, ...attacked].map(({ email }) => email),
    } satisfies CampaignServerOrder);
    const accounts = [...inhabitants, ...attacked].map(({ organization_id: organizationId }, index) => ({
      organizationId,
      cookie: cookies[index]!,
    }));
    const others = accounts.slice(0, people);
    const theirs = Array.from({ length: rounds }, (_, round) =>
      accounts.slice(people + round * askers, people + (round + 1) * askers),
    );
    for (const [account] of theirs) await connectDirectus(ports.app, account!, url);
    return await measure({ port: ports.app, server, asker, directus }, others, theirs);
  } finally {
    for (const child of [asker, server, directus]) await child.stop();
    await database.close();
  }
}

interface Account {
  organizationId: string;
  cookie: string;
}

/** Makes each group of `askers` consecutive users members of one organization. */
async function makeColleagues(owner: Database, inhabitants: Inhabitant[]): Promise<Inhabitant[]> {
  const colleagues = inhabitants.map((inhabitant, index) => ({
    ...inhabitant,
    organization_id: inhabitants[index - (index % askers)]!.organization_id,
  }));
  for (const { organization_id, user_id } of colleagues)
    await sql`
      insert into organization_users (organization_id, user_id, role) values (${organization_id}, ${user_id}, 'owner')
      on conflict do nothing`.execute(owner);
  return colleagues;
}

async function addCollections(owner: Database, inhabitants: Inhabitant[]): Promise<void> {
  for (const { organization_id } of inhabitants) {
    await owner.transaction().execute((trx) => createStartingCollections(trx, organization_id));
    await addContacts(owner, organization_id, contacts);
  }
  await sql`analyze`.execute(owner);
}

/** @throws Error when the connection is rejected */
async function connectDirectus(port: number, { organizationId, cookie }: Account, endpoint: string) {
  const response = await fetch(
    `http://127.0.0.1:${port}/api/organizations/${organizationId}/content_backend`,
    {
      method: 'PUT',
      headers: { cookie, origin: 'http://localhost:3000', 'content-type': 'application/json' },
      body: JSON.stringify({ endpoint, access_token: 'a-token-of-this-directus-0123456789' }),
    },
  );
  if (!response.ok) throw new Error(`Not connected: ${response.status} ${await response.text()}`);
}

interface Processes {
  port: number;
  server: Child;
  asker: Child;
  directus: Child;
}

async function measure(processes: Processes, others: Account[], theirs: Account[][]): Promise<Metric[]> {
  const { port, server } = processes;
  /** @param expected  under load, failed requests count with their time, too */
  const ask = (duration: number, expected = 'HTTP/1.1 200') =>
    load({
      port,
      connections: 4,
      duration,
      pause: 50,
      path: (n) => {
        const { organizationId } = others[n % people]!;
        return Math.floor(n / people) % 2 === 0
          ? `/api/campaigns?organization_id=${organizationId}`
          : `/api/content/${organizationId}/items/contacts?sort=-date_created&limit=25`;
      },
      headers: (n) => ({ cookie: others[n % people]!.cookie, 'x-forwarded-for': `203.0.113.${n % people}` }),
      expected,
    });
  await ask(warmUpMs);
  const quiet: LoadReport[] = [];
  const beside: LoadReport[] = [];
  let before: number | undefined;
  for (const accounts of theirs) {
    quiet.push(await ask(quietMs));
    describe('quiet', quiet.at(-1)!);
    before ??= anonymousMbOfTree(server.pid);
    beside.push(await besideDirectus(processes, accounts, () => ask(askedMs, 'HTTP/1.1 ')));
  }
  await ask(quietMs);
  const growth = anonymousMbOfTree(server.pid) - before!;
  const p95Of = (reports: LoadReport[]) => median(reports.map(({ p95 }) => p95));
  return [
    toMetric('malicious_backend', p95Of(beside), 'ms', p95Of(quiet)),
    toMetric('malicious_backend_memory', Math.max(growth, 0), 'MB', maxGrowthMb),
  ];
}

async function besideDirectus(
  { port, server, asker, directus }: Processes,
  accounts: Account[],
  ask: () => Promise<LoadReport>,
): Promise<LoadReport> {
  const { organizationId } = accounts[0]!;
  const pathOf = (what: string) =>
    `/api/content/${organizationId}/items/contacts?${new URLSearchParams({ search: what }).toString()}`;
  const used = usedBy({ server, directus, asker });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, anonymousMbOfTree(server.pid));
  }, 50);
  const asking = asker.ask<LoadReport>('ask', {
    port,
    accounts,
    connections: 40,
    once: slow.map(pathOf),
    repeated: heavy.map(pathOf),
    duration: askedMs,
  } satisfies AskOrder);
  // Awaited below, unless the other requests fail.
  asking.catch(() => undefined);
  const report = await ask();
  clearInterval(timer);
  const now = usedBy({ server, directus, asker });
  const shares = Object.entries(now).map(
    ([name, seconds]) => `${name} ${(((seconds - used[name]!) / askedMs) * 100_000).toFixed(0)} %`,
  );
  // Ends hanging requests, so that they do not affect the next round.
  const hangUp = setInterval(() => void directus.ask('hangUp'), 20);
  const asked = await asking.finally(() => clearInterval(hangUp));
  describe('beside a malicious Directus', report);
  const odd = Object.keys(report.statuses).find((status) => status !== '200' && status !== '503');
  if (odd !== undefined) throw new Error(`Others got ${odd}.`);
  describe('  its people', asked);
  say(`  of a CPU: ${shares.join(', ')}; memory of the server: at most ${peak.toFixed(0)} MB`);
  return report;
}

/** @returns CPU seconds, and the seconds for which the server waited for a CPU */
const usedBy = ({ server, directus, asker }: Omit<Processes, 'port'>): Record<string, number> => ({
  server: cpuSeconds(server.pid),
  'which waited for it': runQueueSeconds(server.pid),
  directus: cpuSeconds(directus.pid),
  asker: cpuSeconds(asker.pid),
});

function describe(name: string, { perSecond, p50, p95, p99, statuses }: LoadReport): void {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  const times = [p50, p95, p99].map((ms) => ms.toFixed(1));
  say(
    `${name}: ${perSecond.toFixed(0)}/s, p50 ${times[0]} ms, p95 ${times[1]} ms, p99 ${times[2]} ms, ${counts.join(', ')}`,
  );
}
