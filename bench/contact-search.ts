import { askAll, withAgency } from './support/agency-server.ts';
import { toMetric, type Metric } from './support/benchmark.ts';

// Searches of `--contacts` contacts: for an address, a name that every seventh contact has, rarer names, a text that all
// contacts contain, and without result; sorted by creation date, and by address. The metric is the p95 of the slowest.
// Texts without three letters or digits in a row cannot use the index, and are measured separately.

export const metrics = ['contact_search_p95'];

/** Maximum time of a request. */
const ceilingMs = 100;

export const run = (): Promise<Metric[]> =>
  withAgency({ contacts: true, events: false }, async ({ agency, ask }) => {
    const search = (text: string, sort = '-date_created') =>
      `/api/content/${agency.organization_id}/items/contacts?limit=20&sort=${sort}&search=${text}`;
    const slowest = await askAll(ask, {
      'an address': search('person777@mail.example'),
      'a name': search('berta'),
      'a name, page 20': `${search('berta')}&page=20`,
      'one in 60': search('anna7'),
      'one in 600': search('anna77'),
      'one in 600, by address': search('anna77', 'email'),
      'one in 7,000': search('carl123'),
      all: search('mail.example'),
      'a number': search('98765'),
      'without result': search('zzyzx'),
    });
    await askAll(ask, { 'two letters': search('be'), 'two letters without result': search('qx') });
    return [toMetric('contact_search_p95', slowest, 'ms', ceilingMs)];
  });
