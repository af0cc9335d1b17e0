import { askAll, withAgency } from './support/agency-server.ts';
import { toMetric, type Metric } from './support/metric.ts';

// Searches among `--contacts` contacts: of an address, of a name that every seventh has, and without result. Each looks at all of
// them, twice: for the page and for the number. The metric is the slowest, p95.

export const metrics = ['contact_search_p95'];

/** What a request may take. */
const ceilingMs = 100;

export const run = (): Promise<Metric[]> =>
  withAgency({ hasContacts: true }, async ({ agency, ask }) => {
    const search = (text: string) =>
      `/api/content/${agency.organization_id}/items/contacts?sort=-date_created&search=${text}`;
    const slowest = await askAll(ask, {
      'an address': search('person777@mail.example'),
      'a name': search('berta'),
      'without result': search('zzyzx'),
    });
    return [toMetric('contact_search_p95', slowest, 'ms', ceilingMs)];
  });
