import { createBuiltInBackend } from '../apps/server/src/content/built-in/built-in-backend.ts';
import type { ContentBackend } from '../apps/server/src/content/backend/content-backend.ts';
import { connect, inOrganization } from '../apps/server/src/platform/database/database.ts';
import { askAll, withAgency } from './support/agency-server.ts';
import { median, toMetric, readNumber, say, type Metric } from './support/benchmark.ts';
import { showPlans } from './support/query-plans.ts';

// `--contacts` contacts in the built-in content backend: the time of an exact count with a filter of three clauses, as for
// an audience or an API client, in one transaction with the product's role; and the time of a page of items over HTTP, the
// p95 of the slowest of some pages. A page of the filtered items, which includes a count, has its own metric. Prints the
// plans of their statements; built-in-backend.test.ts has those of a small collection.

export const metrics = ['content_count', 'content_page', 'content_filtered_page'];

/** Maximum times. */
const countCeilingMs = 300;
const pageCeilingMs = 50;
const filteredPageCeilingMs = 250;

/** Selects 12 of 300 cities and one of seven first names: one contact in 175. */
const filter = {
  _and: [
    { language: { _eq: 'en' } },
    { city: { _in: Array.from({ length: 12 }, (_, index) => `City ${index * 7}`) } },
    { first_name: { _starts_with: 'Berta' } },
  ],
};

export const run = (): Promise<Metric[]> =>
  withAgency({ contacts: true, events: false }, async ({ agency, appUrl, ask }) => {
    const organizationId = agency.organization_id;
    const db = connect(appUrl, {
      name: 'bench',
      connections: 1,
      statementTimeoutMs: 60_000,
      onError: () => undefined,
    });
    const questions: Record<string, (backend: ContentBackend) => Promise<unknown>> = {
      count: (backend) => backend.countItems('contacts', { filter }),
      page: (backend) => backend.findItems('contacts', { sort: ['-date_created'], limit: 20, offset: 0 }),
      'filtered page': (backend) =>
        backend.findItems('contacts', { filter, sort: ['-date_created'], limit: 20, offset: 0 }),
    };
    try {
      for (const [name, question] of Object.entries(questions))
        await showPlans(appUrl, name, { organizationId }, (trx) =>
          question(createBuiltInBackend(trx, { organizationId, userId: null })),
        );
      const times: number[] = [];
      for (let repeat = 0; repeat < 3 * readNumber('repeats', 5); repeat += 1) {
        const start = performance.now();
        const count = await inOrganization(db, organizationId, (trx) =>
          createBuiltInBackend(trx, { organizationId, userId: null }).countItems('contacts', { filter }),
        );
        times.push(performance.now() - start);
        if (count === 0) throw new Error('The filter finds nothing.');
      }
      say(`  count: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms`);
      const page = (query: string) => `/api/content/${organizationId}/items/contacts?${query}`;
      const inFilter = `filter=${encodeURIComponent(JSON.stringify(filter))}`;
      const slowest = await askAll(ask, {
        first: page('limit=20&sort=-date_created'),
        'page 1,000': page('limit=20&sort=-date_created&page=1000'),
        'a hundred': page('sort=-date_created&limit=100'),
      });
      const filtered = await ask('filtered', page(`limit=20&sort=-date_created&${inFilter}`));
      return [
        toMetric('content_count', median(times), 'ms', countCeilingMs),
        toMetric('content_page', slowest, 'ms', pageCeilingMs),
        toMetric('content_filtered_page', filtered, 'ms', filteredPageCeilingMs),
      ];
    } finally {
      await db.destroy();
    }
  });
