import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { cumulate, cumulatedReactions } from '@reachout/contract/rules/cumulated-chart.ts';
import { period } from '@reachout/contract/statistics.ts';
import { timeZone } from '@reachout/contract/values.ts';
import { writeAuditEntry } from '../../identity/access/audit.ts';
import { authorizeRequest } from '../../identity/access/authorize-request.ts';
import { originOf, type Caller } from '../../identity/access/caller.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import type { Access } from '../../identity/access/membership.ts';
import { requireTouchpoint } from '../../outreach/touchpoints/find-touchpoint.ts';
import { toCsvLine } from '../../platform/csv-text.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { invalidInputs } from '../../platform/http/api-error.ts';
import { forbidCaching, sendApiErrors } from '../../platform/http/request-guards.ts';
import { getEmailChart } from './email-statistics.ts';

export interface ChartExportDeps {
  expensiveDb: Database;
  access: Access;
  /** The caller, by session or API key. */
  findCaller: (request: FastifyRequest) => Promise<Caller | undefined>;
}

const ChartExport = z.strictObject({ period, time_zone: timeZone.default('UTC') });

/** Serves the table of an email's chart as a CSV file: the numbers since the start of the period. It has few rows. */
export async function registerChartExport(app: FastifyInstance, deps: ChartExportDeps): Promise<void> {
  await app.register(async (scope) => {
    forbidCaching(scope);
    sendApiErrors(scope);
    // No HEAD route, because the audit log records each request as a download.
    scope.get(
      '/api/touchpoints/:id/statistics/export',
      { exposeHeadRoute: false },
      (request: ExportRequest, reply) => exportChart(deps, request, reply),
    );
  });
}

type ExportRequest = FastifyRequest<{ Params: { id: string } }>;

async function exportChart(
  { access, expensiveDb, findCaller }: ChartExportDeps,
  request: ExportRequest,
  reply: FastifyReply,
) {
  const { id } = request.params;
  const who = await authorizeRequest(access, {
    caller: await findCaller(request),
    record: ['touchpoints', id],
    requiredPermissions: [['read', 'Statistics']],
    isUnsafe: false,
  });
  const { data: input, error } = ChartExport.safeParse(request.query);
  if (error !== undefined) throw invalidInputs(error);
  const read = async (trx: Transaction) => {
    const query = { organizationId: who.organizationId, touchpointId: id };
    const chart = await getEmailChart(trx, query, {
      text: input.period,
      timeZone: input.time_zone,
      now: new Date(),
    });
    await writeAuditEntry(trx, { ...who, origin: originOf(request) }, 'statistics.exportChart', {
      record_type: 'touchpoints',
      record_id: id,
      record_name: (await requireTouchpoint(trx, id)).name,
      details: { filters: ['period'] },
    });
    return chart;
  };
  const { rows } = await limitedTransaction(expensiveDb, who, read, 'expensive');
  const lines = cumulate(rows).map((row) =>
    toCsvLine([row.at, ...cumulatedReactions.map((key) => String(row[key]))]),
  );
  return await reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="statistics.csv"')
    .send(`\u{feff}${toCsvLine(['at', ...cumulatedReactions])}${lines.join('')}`);
}
