import { listCampaigns } from '../apps/server/src/outreach/campaigns/campaign.queries.ts';
import type { Actor } from '../apps/server/src/platform/database/database.ts';
import { openDatabase, median, toMetric, readNumber, say, type Metric } from './support/benchmark.ts';
import type { CampaignServerReply, CampaignServerOrder } from './support/campaign-server.ts';
import { startChild } from './support/child-process.ts';
import { load, type LoadReport } from './support/http-load.ts';
import { buildCrowd, pickInhabitants, type Inhabitant } from './support/many-organizations.ts';
import { showPlans } from './support/query-plans.ts';

// The campaign list of one organization among ten thousand with a hundred campaigns each, requested by random members
// over HTTP, compared with one prepared statement behind Node's own HTTP server. Alternating, in one server process, one
// request at a time, which is the time that a user waits; an additional line shows it with four concurrent requests.

export const metrics = ['campaign_list_p95'];

const crowd = { organizations: 10_000, campaigns: 100 };
const people = 200;
const durationMs = 3_000;

export async function run(): Promise<Metric[]> {
  const database = await openDatabase();
  const { owner, logins } = database;
  const server = await startChild('campaign-server.ts');
  try {
    await buildCrowd(owner, crowd);
    const owners = await pickInhabitants(owner, 'owner', people);
    const guests = await pickInhabitants(owner, 'guest', people);
    await checkPlans(logins.appUrl, owners[0]!, guests[0]!);
    const started = await server.ask<CampaignServerReply>('start', {
      ...database.forServer,
      // All users send requests without pauses from one IP prefix.
      settings: { RATE_LIMIT_NETWORK: '1000000' },
      emails: [...owners, ...guests].map(({ email }) => email),
    } satisfies CampaignServerOrder);
    return await measure(started, owners, guests);
  } finally {
    await server.stop();
    await database.close();
  }
}

async function measure(
  { ports, cookies }: CampaignServerReply,
  owners: Inhabitant[],
  guests: Inhabitant[],
): Promise<Metric[]> {
  const ask = (port: number, who: Inhabitant[], cookiesOf: string[], connections = 1) =>
    load({
      port,
      connections,
      duration: durationMs,
      path: (n) => `/api/campaigns?organization_id=${who[n % who.length]!.organization_id}`,
      headers: (n) => ({ cookie: cookiesOf[n % who.length]! }),
      expected: 'HTTP/1.1 200',
    });
  const sides = {
    bare: () => ask(ports.bare, owners, cookies),
    owners: () => ask(ports.app, owners, cookies),
    guests: () => ask(ports.app, guests, cookies.slice(owners.length)),
    ownersFourAtOnce: () => ask(ports.app, owners, cookies, 4),
  };
  const names = ['bare', 'owners', 'guests', 'ownersFourAtOnce'] as const;
  const reports: Record<(typeof names)[number], LoadReport[]> = {
    bare: [],
    owners: [],
    guests: [],
    ownersFourAtOnce: [],
  };
  for (const name of names) await sides[name]();
  for (let repeat = 0; repeat < readNumber('repeats', 5); repeat += 1) {
    for (const name of names) reports[name].push(await sides[name]());
  }
  const of = (name: (typeof names)[number], key: 'perSecond' | 'p50' | 'p95' | 'p99') =>
    median(reports[name].map((report) => report[key]));
  for (const name of names) {
    const [p50, p95, p99] = (['p50', 'p95', 'p99'] as const).map((key) => of(name, key).toFixed(1));
    say(`${name}: ${of(name, 'perSecond').toFixed(0)}/s, p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`);
  }
  return [toMetric('campaign_list_p95', of('owners', 'p95'), 'ms', of('bare', 'p95'))];
}

/** A table of so few rows is best read as a whole. */
const maxScanned = 1_000;

/**
 * Prints the plans of the list's statements, for a member with full access and for one who is limited to a client.
 * @throws Error when a plan scans a whole table that is not small
 */
async function checkPlans(appUrl: string, member: Inhabitant, guest: Inhabitant): Promise<void> {
  const input = { page: 0, page_size: 10, order: 'updated_at.desc' } as const;
  for (const [name, actor] of [
    ['member', actorOf(member)],
    ['member limited to a client', actorOf(guest, [guest.client_id])],
  ] as const)
    for (const plan of await showPlans(appUrl, name, actor, (trx) => listCampaigns(trx, input))) {
      for (const node of plan.split('->')) {
        const table = /Seq Scan on (\w+)/.exec(node)?.[1];
        const rows = [/actual .*?rows=(\d+)/, /Rows Removed by Filter: (\d+)/].map((counted) =>
          Number(counted.exec(node)?.[1] ?? 0),
        );
        if (table !== undefined && rows[0]! + rows[1]! > maxScanned)
          throw new Error(`The list of campaigns reads all of ${table}.`);
      }
    }
}

const actorOf = ({ user_id, organization_id }: Inhabitant, clientIds?: string[]): Actor => ({
  userId: user_id,
  organizationId: organization_id,
  ...(clientIds === undefined ? {} : { accessScope: { client_ids: clientIds, brand_ids: [] } }),
});
