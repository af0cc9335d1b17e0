import { buildMember, buildUser } from '../apps/server/src/sample/records.ts';
import { buildDueSend, type SendFixture } from '../apps/server/src/testing/send-fixture.ts';
import type { CampaignServerOrder, CampaignServerReply } from './support/campaign-server.ts';
import { withoutLimits, toMetric, readNumber, say, type Metric } from './support/benchmark.ts';
import { startChild, type Child } from './support/child-process.ts';
import { withSendBench, withWorker, type SendBench } from './support/send-bench.ts';
import { hasEnded, holdBack, makeDue, readDuration, tidy } from './support/send-tables.ts';

export const metrics = ['recipient_list', 'recipient_search'];

const email = 'owner@people.example';
const pageSize = 20;
/** Maximum time of a request. */
const ceilingMs = 200;

/**
 * The recipient list of a send to `--contacts` (the target is 100,000) while its results are written: pages, filters and
 * searches over HTTP in turn, one request at a time, from when the send becomes due to its end. The metrics are the p95 of
 * the slowest kind of polled request, and of the slowest kind of search.
 */
export const run = (): Promise<Metric[]> =>
  withSendBench(async (bench) => {
    const contacts = readNumber('contacts', 5_000);
    const fixture = await buildDueSend(bench.owner, { contacts, snapshot: bench.snapshot });
    await holdBack(bench.owner, fixture);
    const { id: user_id } = await buildUser(bench.owner, { email, email_verified: true });
    await buildMember(bench.owner, { organization_id: fixture.organizationId, user_id, role: 'owner' });
    await tidy(bench.owner);
    const server = await startChild('campaign-server.ts');
    try {
      const ask = await startAsking(bench, server);
      return await withWorker(bench, () => measure(bench, fixture, contacts, ask));
    } finally {
      await server.stop();
    }
  });

type Ask = (path: string) => Promise<{ count: number }>;

async function startAsking({ forServer }: SendBench, server: Child): Promise<Ask> {
  const { ports, cookies } = await server.ask<CampaignServerReply>('start', {
    ...forServer,
    settings: withoutLimits,
    emails: [email],
  } satisfies CampaignServerOrder);
  return async (path) => {
    const response = await fetch(`http://127.0.0.1:${ports.app}/api${path}`, {
      headers: { cookie: cookies[0]! },
    });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { count: number };
  };
}

async function measure(
  { owner }: SendBench,
  fixture: SendFixture,
  contacts: number,
  ask: Ask,
): Promise<Metric[]> {
  const list = `/sends/${fixture.sendId}/deliveries?page_size=${pageSize}`;
  const page = (share: number) => Math.floor(((contacts - 1) / pageSize) * share);
  const polls: Record<string, string> = {
    'first page': '',
    'last page': `&page=${page(1)}`,
    queued: '&state=queued',
    'queued, in the middle': `&state=queued&page=${page(0.5)}`,
    sending: '&state=sending',
    sent: '&state=sent',
    'sent, in the middle': `&state=sent&page=${page(0.5)}`,
    bounced: '&state=bounced',
    search: `&search=user${contacts}`,
    'search that finds all': `&search=sink&page=${page(0.5)}`,
    'search among the sent': '&state=sent&search=user1',
  };
  const times = new Map(Object.keys(polls).map((name) => [name, [] as number[]]));
  // Warm-up: the first requests load the server's code.
  for (const query of Object.values(polls)) await ask(`${list}${query}`);
  await makeDue(owner, fixture);
  while (!(await hasEnded(owner, fixture))) {
    for (const [name, query] of Object.entries(polls)) {
      const asked = performance.now();
      await ask(`${list}${query}`);
      times.get(name)!.push(performance.now() - asked);
    }
  }
  const { count } = await ask(`${list}&state=sent`);
  if (count !== contacts) throw new Error(`Of ${contacts} messages ${count} are listed as sent.`);
  const seconds = await readDuration(owner, fixture);
  say(
    `  ${contacts} messages in ${seconds.toFixed(1)} s, ${times.get('first page')!.length} rounds of polls`,
  );
  for (const [name, all] of times)
    say(`  ${name}: median ${at(all, 0.5).toFixed(1)} ms, p95 ${at(all, 0.95).toFixed(1)} ms`);
  const slowest = (isSearch: boolean) =>
    Math.max(
      ...[...times]
        .filter(([name]) => name.startsWith('search') === isSearch)
        .map(([, all]) => at(all, 0.95)),
    );
  return [
    toMetric('recipient_list', slowest(false), 'ms', ceilingMs),
    toMetric('recipient_search', slowest(true), 'ms', ceilingMs),
  ];
}

/** @returns the quantile for this share */
function at(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
