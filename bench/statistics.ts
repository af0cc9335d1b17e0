import { websiteDimensions } from '@reachout/contract/states/website.ts';
import { makeApiKey } from '../apps/server/src/identity/api-keys/find-api-key-caller.ts';
import { newId } from '../apps/server/src/platform/ids.ts';
import { createSecrets } from '../apps/server/src/platform/secrets.ts';
import { apiKeyScopeNames } from '@reachout/contract/abilities.ts';
import { insertRows } from '../apps/server/src/sample/rows.ts';
import { getRow } from '../apps/server/src/testing/rows.ts';
import { withAgency, type AgencyServer } from './support/agency-server.ts';
import { secretKey, toMetric, readNumber, say, type Metric } from './support/benchmark.ts';
import { buildVisits } from './support/website-visits.ts';

// Every request for the statistics of a website with `--rows` events, one at a time, in each period and time zone. The metric
// is the p95 of the slowest of these combinations. The fold of the last tenth of the events is compared with that of the first.

export const metrics = ['statistics_p95', 'statistics_fold'];

/** Maximum time of a request. */
const ceilingMs = 50;
const turns = 20;

export const run = (): Promise<Metric[]> => withAgency({ contacts: false, events: false }, measure);

async function measure({ agency, owner, port, cookie }: AgencyServer): Promise<Metric[]> {
  const { organization_id } = agency;
  const { website, firstRate, lastRate } = await buildVisits(
    owner,
    organization_id,
    readNumber('rows', 10_000_000),
  );
  const authorization = `Bearer ${await makeKey({ agency, owner })}`;
  const slowest = new Map<string, { p95: number; where: string }>();
  for (const timeZone of ['UTC', 'Europe/Berlin', 'Asia/Kathmandu'])
    for (const period of periods())
      for (const [kind, path] of requests(organization_id, website.touchpointId)) {
        const query = new URLSearchParams(kind === 'now' ? {} : { period, time_zone: timeZone });
        const url = `http://localhost:${port}${path}&${query.toString()}`;
        const headers: Record<string, string> = path.startsWith('/api') ? { cookie } : { authorization };
        const times: number[] = [];
        for (let turn = 0; turn <= turns; turn += 1) {
          const startedAt = performance.now();
          const response = await fetch(url, { headers });
          const body = await response.text();
          if (!response.ok) throw new Error(`${url}: ${response.status} ${body}`);
          // The first one warms up.
          if (turn > 0) times.push(performance.now() - startedAt);
        }
        const p95 = quantile(times, 0.95);
        if (p95 > ceilingMs) say(`  slow: ${kind}, ${period}, ${timeZone}: ${p95.toFixed(1)} ms`);
        if (p95 > (slowest.get(kind)?.p95 ?? 0)) slowest.set(kind, { p95, where: `${period}, ${timeZone}` });
      }
  for (const [kind, { p95, where }] of slowest) say(`  ${kind}: p95 ${p95.toFixed(1)} ms in ${where}`);
  return [
    toMetric('statistics_p95', Math.max(...[...slowest.values()].map(({ p95 }) => p95)), 'ms', ceilingMs),
    toMetric('statistics_fold', lastRate, 'events/s', firstRate),
  ];
}

const quantile = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.ceil(share * times.length) - 1]!;

function periods(): string[] {
  const before = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const odd = (days: number) => `${before(days).slice(0, 14)}07:30.000Z`;
  return [
    '1day',
    '-1day',
    '7day',
    '30day',
    '12month',
    `${before(424).slice(0, 10)}::${before(0).slice(0, 10)}`,
    `${odd(60)}::${odd(21)}`,
  ];
}

function requests(organizationId: string, website: string): [kind: string, path: string][] {
  const of = (operation: string) =>
    `/content/${organizationId}/reachout/touchpoint_websites/${operation}?touchpoint=${website}`;
  return [
    ...['stats', 'metrics', 'event_stats_chart', 'stats_chart'].flatMap((name): [string, string][] => [
      [name, of(name)],
      [`${name} of sessions`, `${of(name)}&distinct=true`],
    ]),
    ...['overview', 'now', 'conversions'].map((name): [string, string] => [name, `/api${of(name)}`]),
    ...websiteDimensions.map((dimension): [string, string] => [
      dimension,
      `/api${of('breakdown')}&dimension=${dimension}`,
    ]),
    // As the map asks.
    ['country, all', `/api${of('breakdown')}&dimension=country&limit=1000`],
    ...['chart', 'path', 'goals', 'emails'].map((table): [string, string] => [
      `file ${table}`,
      `/api/touchpoints/${website}/statistics/export?table=${table}`,
    ]),
  ];
}

async function makeKey({ agency, owner }: Pick<AgencyServer, 'agency' | 'owner'>): Promise<string> {
  const { secret, ...key } = makeApiKey(createSecrets(secretKey));
  const { id: user_id } = await getRow(owner, 'users', ['id'], { email: agency.owner });
  await insertRows(owner, 'api_keys', {
    ...key,
    id: newId(),
    organization_id: agency.organization_id,
    user_id,
    name: 'Bench',
    scopes: [...apiKeyScopeNames],
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  return secret;
}
