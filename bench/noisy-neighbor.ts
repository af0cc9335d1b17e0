import { createStartingCollections } from '../apps/server/src/content/built-in/starting-collections.ts';
import { execute, type Database } from '../apps/server/src/platform/database/database.ts';
import { addContacts } from '../apps/server/src/testing/send-fixture.ts';
import { openDatabase, toMetric, say, type Metric } from './support/benchmark.ts';
import type { CampaignServerReply, CampaignServerOrder } from './support/campaign-server.ts';
import {
  startChild,
  anonymousMbOfTree,
  cpuSeconds,
  runQueueSeconds,
  type Child,
} from './support/child-process.ts';
import type { FloodOrder } from './support/flood.ts';
import { load, type LoadReport } from './support/http-load.ts';
import { buildCrowd, pickInhabitants, type Inhabitant } from './support/many-organizations.ts';

// How long members of other organizations wait for their campaigns while one account sends 1,000 concurrent requests for
// 30 s, half of them counts of 50,000 contacts; while three accounts run fifteen concurrent counts; while one account asks twice a
// second for the times of rules that take long to compute; and while one account reads none of its largest pages, and strangers
// send bodies that do not end. Compared with their waiting time without that load.
// Also measures the growth of the server's memory in the last case.

export const metrics = [
  'noisy_neighbor',
  'noisy_counts',
  'noisy_times',
  'noisy_stalls',
  'noisy_stalls_memory',
];

const crowd = { organizations: 500, campaigns: 50 };
const people = 200;
/** Number of noisy accounts. */
const guests = 3;
const contacts = 50_000;
const quietMs = 15_000;
const floodMs = 30_000;
const countsMs = 15_000;
const timesMs = 30_000;
/** Rules with many days between their occurrences, or many within a second. */
const slowRules = [
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO',
  'FREQ=DAILY;BYMONTHDAY=13;BYDAY=FR;COUNT=200',
  'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;INTERVAL=5',
  'FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2',
];
const stallsMs = 30_000;
/** Maximum growth of the server's memory, however many connections do not come to an end. */
const maxGrowthMb = 300;

export async function run(): Promise<Metric[]> {
  const database = await openDatabase();
  const { owner } = database;
  const server = await startChild('campaign-server.ts');
  const attacker = await startChild('flood.ts');
  try {
    await buildCrowd(owner, crowd);
    const inhabitants = await pickInhabitants(owner, 'owner', people + guests);
    for (const { organization_id } of inhabitants.slice(0, guests)) {
      await owner.transaction().execute((trx) => createStartingCollections(trx, organization_id));
      await addContacts(owner, organization_id, contacts);
      await addLargeItems(owner, organization_id);
    }
    const started = await server.ask<CampaignServerReply>('start', {
      ...database.forServer,
      settings: { TRUSTED_PROXIES: '127.0.0.1' },
      emails: inhabitants.map(({ email }) => email),
    } satisfies CampaignServerOrder);
    const { id } = await owner
      .selectFrom('touchpoints')
      .select('id')
      .where('organization_id', '=', inhabitants[0]!.organization_id)
      .limit(1)
      .executeTakeFirstOrThrow();
    return await measure(started, { attacker, serverPid: server.pid }, { inhabitants, touchpointId: id });
  } finally {
    await attacker.stop();
    await server.stop();
    await database.close();
  }
}

/** Adds items for a page of 3.8 MB, almost the largest one. */
async function addLargeItems(owner: Database, organizationId: string): Promise<void> {
  await execute(owner)`
    insert into content_items (organization_id, collection, id, data)
    select ${organizationId}::uuid, 'newsletters', gen_random_uuid(), jsonb_build_object('title', repeat(md5(n::text), 235))
    from generate_series(1, 500) n`;
}

async function measure(
  { ports, cookies }: CampaignServerReply,
  { attacker, serverPid }: { attacker: Child; serverPid: number },
  { inhabitants, touchpointId }: { inhabitants: Inhabitant[]; touchpointId: string },
): Promise<Metric[]> {
  const accounts = inhabitants.map(({ organization_id: organizationId }, index) => ({
    organizationId,
    cookie: cookies[index]!,
  }));
  const neighborOf = (n: number) => accounts[guests + (n % people)]!;
  const ask = (duration: number) =>
    load({
      port: ports.app,
      connections: 4,
      duration,
      pause: 50,
      path: (n) => `/api/campaigns?organization_id=${neighborOf(n).organizationId}`,
      headers: (n) => ({ cookie: neighborOf(n).cookie, 'x-forwarded-for': `203.0.113.${n % people}` }),
      expected: 'HTTP/1.1 200',
    });
  const askBeside = async (name: string, noise: Omit<FloodOrder, 'port'>) => {
    const used = { cpu: cpuSeconds(serverPid), waited: runQueueSeconds(serverPid) };
    const [report, flood] = await Promise.all([
      ask(noise.duration),
      attacker.ask<LoadReport>('flood', { port: ports.app, ...noise }),
    ]);
    const shareOf = (seconds: number) => `${((seconds / noise.duration) * 100_000).toFixed(0)} %`;
    const cpu = shareOf(cpuSeconds(serverPid) - used.cpu);
    const waited = shareOf(runQueueSeconds(serverPid) - used.waited);
    describe(`beside ${name}`, report);
    describe(name, flood);
    say(`  server: ${cpu} of a CPU, and ready without one for ${waited}`);
    return report;
  };
  await ask(3_000);
  const quiet = await ask(quietMs);
  describe('quiet', quiet);
  const flooded = await askBeside('a flood of one account', {
    accounts: accounts.slice(0, 1),
    connections: 1_000,
    everyCount: 2,
    duration: floodMs,
  });
  const counting = await askBeside('fifteen counts of three accounts', {
    accounts: accounts.slice(0, guests),
    connections: 15,
    everyCount: 1,
    duration: countsMs,
  });
  const start = new Date(Date.now() + 86_400_000).toISOString();
  const [timed, times] = await Promise.all([
    ask(timesMs),
    load({
      port: ports.app,
      connections: 1,
      duration: timesMs,
      pause: 500,
      path: (n) =>
        `/api/touchpoints/${touchpointId}/collection_items/free_times?start_date=${start}&time_zone=Europe/Berlin&rrule=${slowRules[n % slowRules.length]}`,
      headers: () => ({ cookie: accounts[0]!.cookie }),
      expected: 'HTTP/1.1 ',
    }),
  ]);
  describe('beside rules that take long', timed);
  describe('rules that take long', times);
  const memoryBefore = anonymousMbOfTree(serverPid);
  let memory = memoryBefore;
  const sampling = setInterval(() => (memory = Math.max(memory, anonymousMbOfTree(serverPid))), 200);
  const [stalled, opened] = await Promise.all([
    ask(stallsMs),
    attacker.ask<number>('stall', { port: ports.app, account: accounts[0]!, duration: stallsMs }),
  ]);
  clearInterval(sampling);
  describe('beside responses and bodies that do not end', stalled);
  say(`  ${opened} connections: ${memoryBefore.toFixed(0)} MB, at most ${memory.toFixed(0)} MB`);
  return [
    toMetric('noisy_neighbor', flooded.p95, 'ms', quiet.p95),
    toMetric('noisy_counts', counting.p95, 'ms', quiet.p95),
    toMetric('noisy_times', timed.p95, 'ms', quiet.p95),
    toMetric('noisy_stalls', stalled.p95, 'ms', quiet.p95),
    toMetric('noisy_stalls_memory', memory - memoryBefore, 'MB', maxGrowthMb),
  ];
}

function describe(name: string, report: LoadReport): void {
  const [p50, p95, p99] = (['p50', 'p95', 'p99'] as const).map((key) => report[key].toFixed(1));
  const statuses = Object.entries(report.statuses).map(([status, count]) => `${count} × ${status}`);
  say(
    `${name}: ${report.perSecond.toFixed(0)}/s, p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, ${statuses.join(', ')}`,
  );
}
