import { dashboardPeriods } from '@reachout/contract/rules/dashboard.ts';
import { withAgency, type AgencyServer } from './support/agency-server.ts';
import { toMetric, type Metric } from './support/benchmark.ts';

// The requests of the dashboard, for an agency with 200 clients, `--sends` campaigns and `--rows` events, one at a time.
// The metric is the p95 of the owner's slowest request, over all periods.

export const metrics = ['dashboard_p95'];

/** Maximum time of a request. */
const ceilingMs = 100;

export const run = (): Promise<Metric[]> => withAgency({ contacts: false, events: true }, measure);

async function measure({ agency, ask }: AgencyServer): Promise<Metric[]> {
  const path = (what: string) => `/api/dashboard${what}organization_id=${agency.organization_id}`;
  const during = (period: string) => `?period=${period}&time_zone=Europe/Berlin&`;
  const results = (period: string) => `/results${during(period)}`;
  const times: number[] = [];
  for (const period of dashboardPeriods) {
    times.push(await ask(`all parts, ${period}`, path(during(period))));
    times.push(await ask(`results of ${period}`, path(results(period))));
  }
  times.push(await ask('work', path('/work?')));
  times.push(await ask('recent', path('/recent?')));
  await ask('results of one client, 90day', path(`${results('90day')}client_id=${agency.client_id}&`));
  await ask('results of a guest, 90day', path(results('90day')), 'guest');
  await ask('work of a guest', path('/work?'), 'guest');
  return [toMetric('dashboard_p95', Math.max(...times), 'ms', ceilingMs)];
}
