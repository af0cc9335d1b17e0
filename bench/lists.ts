import { figureColumns } from '@reachout/contract/rules/figure-columns.ts';
import type { Agency } from './support/agency.ts';
import { askAll, withAgency, type AgencyServer } from './support/agency-server.ts';
import { toMetric, type Metric } from './support/benchmark.ts';

// Lists and searches of an agency with 200 clients, `--sends` campaigns, `--rows` events and `--contacts` contacts: pages,
// filters and sort orders, including those by metrics, one request at a time. The metric is the p95 of the owner's slowest
// request. Searches of contacts have a separate benchmark (contact-search.ts).

export const metrics = ['list_p95'];

/** Maximum time of a request. */
const ceilingMs = 100;

export const run = (): Promise<Metric[]> => withAgency({ contacts: true, events: true }, measure);

async function measure({ agency, ask }: AgencyServer): Promise<Metric[]> {
  const lists = await askAll(ask, pathsOfLists(agency));
  const byDelivered = pathsOfLists(agency)['campaigns by delivered']!;
  await ask('campaigns of a guest by delivered', byDelivered, 'guest');
  return [toMetric('list_p95', lists, 'ms', ceilingMs)];
}

const contacts = ({ organization_id }: Agency, query: string) =>
  `/api/content/${organization_id}/items/contacts?limit=20&sort=-date_created${query}`;

function pathsOfLists(agency: Agency): Record<string, string> {
  const { organization_id, client_id } = agency;
  const list = (name: string, query = '') => `/api/${name}?organization_id=${organization_id}${query}`;
  const names = ['campaigns', 'touchpoints', 'clients', 'brands', 'clients_brands', 'campaigns_touchpoints'];
  return {
    ...Object.fromEntries(
      names.flatMap((name) => [
        [name, list(name)],
        ...figureColumns.map((column) => [`${name} by ${column}`, list(name, `&order=${column}.desc`)]),
      ]),
    ),
    'campaigns by name': list('campaigns', '&order=name.asc'),
    'campaigns, page 100': list('campaigns', '&page=100'),
    'campaigns of a client': list('campaigns', `&client_id=${client_id}`),
    'campaigns, search': list('campaigns', '&search=campaign%2019'),
    'clients and brands, search': list('clients_brands', '&search=brand'),
    'campaigns and touchpoints, search': list('campaigns_touchpoints', '&search=campaign%2019'),
    'touchpoints of a client': list('touchpoints', `&client_id=${client_id}`),
    contacts: contacts(agency, ''),
    'contacts, page 1,000': contacts(agency, '&page=1000'),
  };
}
