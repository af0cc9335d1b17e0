import { randomBytes } from 'node:crypto';
import { createTokenSigner } from '../apps/server/src/email/links/tokens.ts';
import { onlyValueOf, type Database } from '../apps/server/src/platform/database/database.ts';
import { buildSentEmail } from '../apps/server/src/testing/sent-email.ts';
import { openDatabase, median, toMetric, readNumber, say, type Metric } from './support/benchmark.ts';
import { startChild, cpuSecondsOfTree, type Child } from './support/child-process.ts';
import { load, type LoadReport } from './support/http-load.ts';
import { waitForFold } from './support/wait-for-fold.ts';

// Open pixel and click redirect, which respond after their event is committed, compared with a Fastify server that only
// sends the same response. Interleaved, in one server process, with a different message for every request.
// `tracking_organizations` is the pixel with messages of many organizations in turn, compared with messages of one;
// `_cpu` is the CPU time of all PostgreSQL processes per event in that case, compared with that of one organization.

export const metrics = [
  'open_pixel',
  'click_redirect',
  'tracking_organizations',
  'tracking_organizations_cpu',
];

const durationMs = 1_500;
const connections = 64;
const manyOrganizations = 200;

export async function run(): Promise<Metric[]> {
  const database = await openDatabase();
  const { owner, logins, postgresPid } = database;
  const server = await startChild('tracking-server.ts');
  try {
    return await measure({ owner, server, appUrl: logins.appUrl, postgresPid });
  } finally {
    await server.stop();
    await database.close();
  }
}

interface Setup {
  owner: Database;
  server: Child;
  appUrl: string;
  postgresPid: number;
}

/** The load of one side, and its cost for PostgreSQL. */
interface Report extends LoadReport {
  /** CPU time of all PostgreSQL processes, in microseconds per request. */
  databaseCpu: number;
  commits: number;
}

const sideNames = ['bare', 'open', 'click', 'organizations'] as const;

async function measure({ owner, server, appUrl, postgresPid }: Setup): Promise<Metric[]> {
  const secret = randomBytes(32);
  const signer = createTokenSigner(secret);
  const sent = await buildSentEmail(owner);
  const sendNumbers: number[] = [];
  while (sendNumbers.length < manyOrganizations) sendNumbers.push((await buildSentEmail(owner)).sendNumber);
  const ports = await server.ask<{ bare: number; tracking: number }>('start', {
    appUrl,
    secret: secret.toString('base64'),
  });
  let seq = 0;
  const tokens = (sendNumber = sent.sendNumber) => signer.sign({ sendNumber, seq: ++seq });
  const opens = () => `/t/o/${tokens().open}`;
  const clicks = () => `/t/c/${tokens().click}.0`;
  const opensOfMany = () => `/t/o/${tokens(sendNumbers[seq % manyOrganizations]).open}`;
  const sides = {
    bare: () => ask(ports.bare, opens, 200),
    open: () => ask(ports.tracking, opens, 200),
    click: () => ask(ports.tracking, clicks, 302),
    organizations: () => ask(ports.tracking, opensOfMany, 200),
  };

  const reports: Record<(typeof sideNames)[number], Report[]> = {
    bare: [],
    open: [],
    click: [],
    organizations: [],
  };
  for (const side of sideNames) await sides[side]();
  await waitForFold(owner);
  const before = await countEvents(owner);
  for (let repeat = 0; repeat < readNumber('repeats', 5); repeat++) {
    for (const side of sideNames)
      reports[side].push(await watchDatabase({ owner, postgresPid }, sides[side]));
  }
  const answered = [...reports.open, ...reports.click, ...reports.organizations].reduce(
    (sum, { requests }) => sum + requests,
    0,
  );
  await waitForFold(owner);
  const stored = (await countEvents(owner)) - before;
  if (stored !== answered) throw new Error(`${answered} events were acknowledged, but ${stored} are stored.`);

  const middle = (side: (typeof sideNames)[number], key: 'perSecond' | 'p50' | 'p99' | 'databaseCpu') =>
    median(reports[side].map((report) => report[key]));
  for (const side of sideNames) {
    const events = reports[side].reduce((sum, { requests }) => sum + requests, 0);
    const commits = reports[side].reduce((sum, report) => sum + report.commits, 0);
    say(
      `${side}: ${middle(side, 'perSecond').toFixed(0)}/s, p50 ${middle(side, 'p50').toFixed(1)} ms, ` +
        `p99 ${middle(side, 'p99').toFixed(1)} ms, PostgreSQL ${middle(side, 'databaseCpu').toFixed(1)} us of CPU and ` +
        `${(commits / events).toFixed(3)} commits each`,
    );
  }
  const rate = (side: (typeof sideNames)[number]) => middle(side, 'perSecond');
  return [
    toMetric('open_pixel', rate('open'), 'requests/s', rate('bare')),
    toMetric('click_redirect', rate('click'), 'requests/s', rate('bare')),
    toMetric('tracking_organizations', rate('organizations'), 'requests/s', rate('open')),
    toMetric(
      'tracking_organizations_cpu',
      middle('organizations', 'databaseCpu'),
      'us/event',
      middle('open', 'databaseCpu'),
    ),
  ];
}

async function watchDatabase(
  { owner, postgresPid }: Pick<Setup, 'owner' | 'postgresPid'>,
  work: () => Promise<LoadReport>,
): Promise<Report> {
  await waitForFold(owner);
  const [commits, cpu] = [await countCommits(owner), cpuSecondsOfTree(postgresPid)];
  const report = await work();
  const databaseCpu = ((cpuSecondsOfTree(postgresPid) - cpu) * 1e6) / report.requests;
  return { ...report, databaseCpu, commits: (await countCommits(owner)) - commits };
}

const ask = (port: number, path: () => string, status: number) =>
  load({ port, connections, duration: durationMs, path, expected: `HTTP/1.1 ${status}` });

const countEvents = (owner: Database): Promise<number> =>
  onlyValueOf<number>(owner)`
    select coalesce(sum(running_counts[1]), 0)::bigint as count from counts where value = 'human' and day = '-infinity'
  `;

/** @returns the number of transactions that wrote */
const countCommits = (owner: Database): Promise<number> =>
  onlyValueOf<number>(owner)`
    select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as count
  `;
