import type { Period } from '@reachout/contract/period.ts';
import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pathOf, urlQueryOf } from '../../content/rest-api/read-query.ts';
import { authorizeRest, findRestCaller, type RestCallers } from '../../content/rest-api/rest-caller.ts';
import { routeNotFound, sendRestErrors } from '../../content/rest-api/rest-error.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { forbidCaching } from '../../platform/http/request-guards.ts';
import {
  getEmailFailureChart,
  getEmailFigures,
  getEmailFiguresChart,
  getEmailMetrics,
  type EmailRequest,
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

/** @param readPeriod  of the figures: none without a period, or of a chart */
const of =
  <P extends Period | undefined>(
    type: TouchpointType,
    readPeriod: (request: StatisticsRequest) => P,
    read: (trx: Transaction, request: EmailRequest & WebsiteRequest & { period: P }) => Promise<unknown>,
  ): Read =>
  async (trx, request) =>
    await read(trx, {
      ...request,
      query: await requireTouchpoint(trx, request, type),
      period: readPeriod(request),
    });

const endpoints: Readonly<Record<string, Read>> = {
  '/db/metrics': countRecords,
  '/touchpoint_emails/stats': of('email', periodOf, getEmailFigures),
  '/touchpoint_emails/metrics': of('email', periodOf, getEmailMetrics),
  '/touchpoint_emails/failure_stats_chart': of('email', chartPeriodOf, getEmailFailureChart),
  '/touchpoint_emails/stats_chart': of('email', chartPeriodOf, getEmailFiguresChart),
  '/touchpoint_websites/stats': of('website', periodOf, getWebsiteFigures),
  '/touchpoint_websites/metrics': of('website', periodOf, getWebsiteMetrics),
  '/touchpoint_websites/event_stats_chart': of('website', chartPeriodOf, getWebsiteEventChart),
  '/touchpoint_websites/stats_chart': of('website', chartPeriodOf, getWebsiteChart),
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
