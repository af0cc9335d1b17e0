import type { Period } from '@reachout/contract/period.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pathOf, urlQueryOf } from '../../content/rest-api/read-query.ts';
import { authorizeRest, findRestCaller, type RestCallers } from '../../content/rest-api/rest-caller.ts';
import { routeNotFound } from '../../content/rest-api/rest-error.ts';
import { sendRestErrors } from '../../content/rest-api/send-rest-errors.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { forbidCaching } from '../../platform/http/request-guards.ts';
import {
  getEmailFailureChart,
  getEmailFigures,
  getEmailFiguresChart,
  getEmailMetrics,
} from './email-metrics.ts';
import { countRecords } from './record-counts.queries.ts';
import {
  chartPeriodOf,
  periodOf,
  readStatisticsRequest,
  requireTouchpoint,
  type StatisticsRequest,
} from './statistics-request.ts';
import {
  getWebsiteChart,
  getWebsiteEventChart,
  getWebsiteFigures,
  getWebsiteMetrics,
  type WebsiteRequest,
} from './website-metrics.ts';

type Read = (trx: Transaction, request: StatisticsRequest) => Promise<unknown>;

const ofWebsite =
  <P extends Period | undefined>(
    readPeriod: (request: StatisticsRequest) => P,
    read: (trx: Transaction, request: WebsiteRequest & { period: P }) => Promise<unknown>,
  ): Read =>
  async (trx, request) => {
    const query = await requireTouchpoint(trx, request, 'website');
    const { timeZone, isDistinct } = request;
    return await read(trx, { query, period: readPeriod(request), timeZone, isDistinct });
  };

const endpoints: Readonly<Record<string, Read>> = {
  '/db/metrics': countRecords,
  '/touchpoint_emails/stats': getEmailFigures,
  '/touchpoint_emails/metrics': getEmailMetrics,
  '/touchpoint_emails/failure_stats_chart': getEmailFailureChart,
  '/touchpoint_emails/stats_chart': getEmailFiguresChart,
  '/touchpoint_websites/stats': ofWebsite(periodOf, getWebsiteFigures),
  '/touchpoint_websites/metrics': ofWebsite(periodOf, getWebsiteMetrics),
  '/touchpoint_websites/event_stats_chart': ofWebsite(chartPeriodOf, getWebsiteEventChart),
  '/touchpoint_websites/stats_chart': ofWebsite(chartPeriodOf, getWebsiteChart),
};

/**
 * Registers the statistics API for programs, in the format of Directus (docs/content-api.md): next to an organization's
 * content API, and at `/reachout` for the extension in its own Directus, where the API key identifies the organization.
 */
export async function registerStatisticsApi(
  app: FastifyInstance,
  deps: RestCallers & { expensiveDb: Database },
): Promise<void> {
  for (const prefix of ['/reachout', '/content/:organization_id/reachout']) {
    await app.register(
      (scope, _options, done) => {
        sendRestErrors(scope);
        forbidCaching(scope);
        for (const [path, read] of Object.entries(endpoints)) {
          scope.get(path, (request) => respond(deps, request, read));
        }
        scope.all('/*', (request: FastifyRequest) => {
          throw routeNotFound(pathOf(request));
        });
        done();
      },
      { prefix },
    );
  }
}

async function respond(
  deps: RestCallers & { expensiveDb: Database },
  request: FastifyRequest,
  read: Read,
): Promise<{ data: unknown }> {
  const query = urlQueryOf(request);
  const caller = await findRestCaller(deps, request, query);
  const who = await authorizeRest(deps, caller, [['read', 'Statistics']]);
  const run = (trx: Transaction) => read(trx, readStatisticsRequest(query, who.organizationId, new Date()));
  return { data: await limitedTransaction(deps.expensiveDb, who, run, 'expensive') };
}
