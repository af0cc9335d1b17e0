import { randomBytes, randomUUID } from 'node:crypto';
import { onlyValueOf, type Database } from '../apps/server/src/platform/database/database.ts';
import {
  buildWebsite,
  pageView,
  websiteHeaders,
  type TestWebsite,
} from '../apps/server/src/testing/tracked-website.ts';
import { openDatabase, median, toMetric, readNumber, say, type Metric } from './support/benchmark.ts';
import { startChild, cpuSeconds, cpuSecondsOfTree, type Child } from './support/child-process.ts';
import { load, type LoadReport } from './support/http-load.ts';
import { waitForFold } from './support/wait-for-fold.ts';

// Events of a website, which are acknowledged after their commit, compared with a Fastify server that only parses the same
// body. Interleaved, in one server process. `ingest_64` and `ingest_256` have one event in each request, over so many
// connections; `ingest_batch` has 20 over 64, and counts events.

export const metrics = ['ingest_64', 'ingest_256', 'ingest_batch'];

const durationMs = 1_500;
const eventsOfBatch = 20;

const sides = {
  ingest_64: { connections: 64, events: 1 },
  ingest_256: { connections: 256, events: 1 },
  ingest_batch: { connections: 64, events: eventsOfBatch },
} as const;
type Side = keyof typeof sides;

export async function run(): Promise<Metric[]> {
  const database = await openDatabase();
  const { owner, logins, postgresPid } = database;
  const server = await startChild('tracking-server.ts');
  try {
    const ports = await server.ask<{ bare: number; tracking: number }>('start', {
      appUrl: logins.appUrl,
      secret: randomBytes(32).toString('base64'),
    });
    return await measure({ owner, ports, server, postgresPid });
  } finally {
    await server.stop();
    await database.close();
  }
}

interface Setup {
  owner: Database;
  ports: { bare: number; tracking: number };
  server: Child;
  postgresPid: number;
}

/** The load of one side, and the CPU time of the server and of all PostgreSQL processes, in microseconds per request. */
interface Report extends LoadReport {
  serverCpu: number;
  databaseCpu: number;
}

async function measure({ owner, ports, server, postgresPid }: Setup): Promise<Metric[]> {
  const website = await buildWebsite(owner);
  const names = Object.keys(sides) as Side[];
  const reports = { bare: toReports(names), tracking: toReports(names) };
  let acknowledged = 0;
  const send = async (to: keyof typeof ports, side: Side) => {
    await waitForFold(owner);
    const [serverBefore, databaseBefore] = [cpuSeconds(server.pid), cpuSecondsOfTree(postgresPid)];
    const report = await sendEvents(website, ports[to], sides[side]);
    if (to === 'tracking') acknowledged += report.requests * sides[side].events;
    const perRequest = (seconds: number) => (seconds * 1e6) / report.requests;
    return {
      ...report,
      serverCpu: perRequest(cpuSeconds(server.pid) - serverBefore),
      databaseCpu: perRequest(cpuSecondsOfTree(postgresPid) - databaseBefore),
    };
  };
  for (const side of names) for (const to of ['bare', 'tracking'] as const) await send(to, side);
  for (let repeat = 0; repeat < readNumber('repeats', 5); repeat++) {
    for (const side of names)
      for (const to of ['bare', 'tracking'] as const) reports[to][side].push(await send(to, side));
  }
  const stored = await countEvents(owner);
  if (stored !== acknowledged)
    throw new Error(`${acknowledged} events were acknowledged, but ${stored} are stored.`);

  return names.map((side) => {
    const middle = (to: keyof typeof ports, key: 'perSecond' | 'p50' | 'p99' | 'serverCpu' | 'databaseCpu') =>
      median(reports[to][side].map((report) => report[key]));
    for (const to of ['bare', 'tracking'] as const)
      say(
        `${side}, ${to}: ${middle(to, 'perSecond').toFixed(0)} requests/s, p50 ${middle(to, 'p50').toFixed(1)} ms, ` +
          `p99 ${middle(to, 'p99').toFixed(1)} ms, CPU of each: server ${middle(to, 'serverCpu').toFixed(0)} us, ` +
          `PostgreSQL ${middle(to, 'databaseCpu').toFixed(0)} us`,
      );
    const { events } = sides[side];
    const rate = (to: keyof typeof ports) => middle(to, 'perSecond') * events;
    return toMetric(side, rate('tracking'), 'events/s', rate('bare'));
  });
}

const toReports = (names: readonly Side[]) =>
  Object.fromEntries(names.map((name) => [name, [] as Report[]])) as Record<Side, Report[]>;

/** Of how many visitors the events are. */
const visitors = Array.from({ length: 1_000 }, () => randomUUID());

async function sendEvents(
  website: TestWebsite,
  port: number,
  { connections, events }: (typeof sides)[Side],
): Promise<LoadReport> {
  const { 'user-agent': _, ...headers } = websiteHeaders(website);
  // Only the id, the visitor and the page differ: making a whole event takes the client longer than the server.
  const [start, end] = JSON.stringify(
    pageView({
      title: 'Running shoes for men | Shop',
      event_id: '#',
      anonymous_id: '#',
      path: '/en/shoes/#',
    }),
  ).split(/"#"(?=,"anonymous_id)/) as [string, string];
  const [middle, afterVisitor] = end.split('"#"') as [string, string];
  const event = () =>
    `${start}"${randomUUID()}"${middle}"${visitors[Math.floor(Math.random() * 1_000)]}"${afterVisitor}`;
  return await load({
    port,
    connections,
    duration: durationMs,
    path: () => '/api/track',
    headers: () => ({ ...headers, Origin: 'https://shop.example' }),
    body: () => (events === 1 ? event() : `[${Array.from({ length: events }, event).join()}]`),
    expected: 'HTTP/1.1 204',
  });
}

const countEvents = (owner: Database): Promise<number> =>
  onlyValueOf<number>(owner)`
    select (select count(*) from unfolded_visitor_events) + (select count(*) from visitor_events) as count
  `;
