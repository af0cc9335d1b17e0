import { withAgency } from './support/agency-server.ts';
import { toMetric, type Metric } from './support/metric.ts';

// What the command palette requests for a text, all at once (shell/use-palette-records.ts in the web app), among `--contacts`
// contacts and `--sends` campaigns. The metric is the p95 of the slowest text, until the last response.

export const metrics = ['palette_p95'];

/** Maximum time until all results are there. */
const ceilingMs = 150;

const texts = ['berta', 'anna77', 'campaign 19', 'brand', 'person777@mail.example', 'zzyzx', 'be'];

export const run = (): Promise<Metric[]> =>
  withAgency({ contacts: true, events: false }, async ({ agency: { organization_id: id }, askTogether }) => {
    const times: number[] = [];
    for (const text of texts) {
      const search = `search=${encodeURIComponent(text)}`;
      const names = `organization_id=${id}&${search}&page=0&page_size=5`;
      times.push(
        await askTogether(text, [
          `/api/clients_brands?${names}`,
          `/api/campaigns_touchpoints?${names}`,
          `/api/content/${id}/templates?${search}&page=0&page_size=5`,
          `/api/filters?${names}`,
          // Contacts are searched by three characters or more.
          ...(text.length >= 3 ? [`/api/content/${id}/items/contacts?${search}&limit=5&max_count=5`] : []),
        ]),
      );
    }
    return [toMetric('palette_p95', Math.max(...times), 'ms', ceilingMs)];
  });
