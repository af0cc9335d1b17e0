import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
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
import { invalidInput, invalidInputs } from '../../platform/http/api-error.ts';
import { forbidCaching, sendApiErrors } from '../../platform/http/request-guards.ts';
import { findTable, tableNames } from './export-tables.ts';

export interface StatisticsExportDeps {
  expensiveDb: Database;
  access: Access;
  /** The caller, by session or API key. */
  findCaller: (request: FastifyRequest) => Promise<Caller | undefined>;
}

export const StatisticsExport = z.strictObject({
  table: z.enum(tableNames).default('chart'),
  period: period.optional(),
  time_zone: timeZone.default('UTC'),
});

/**
 * Serves the tables of a touchpoint's statistics as CSV files, with the numbers of the screens. The chart of an email has its
 * numbers since the start of the period. A file has at most 1,000 rows, or one for each bucket of a chart.
 */
export async function registerStatisticsExport(
  app: FastifyInstance,
  deps: StatisticsExportDeps,
): Promise<void> {
  await app.register(async (scope) => {
    forbidCaching(scope);
    sendApiErrors(scope);
    // No HEAD route, because the audit log records each request as a download.
    scope.get(
      '/api/touchpoints/:id/statistics/export',
      { exposeHeadRoute: false },
      (request: ExportRequest, reply) => exportTable(deps, request, reply),
    );
  });
}

type ExportRequest = FastifyRequest<{ Params: { id: string } }>;

async function exportTable(
  { access, expensiveDb, findCaller }: StatisticsExportDeps,
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
  const { data: input, error } = StatisticsExport.safeParse(request.query);
  if (error !== undefined) throw invalidInputs(error);
  const read = async (trx: Transaction) => {
    const { name, type } = await requireTouchpoint(trx, id);
    const table = findTable(type, input.table);
    if (table === undefined) throw invalidInput('table', 'This touchpoint has no such table.');
    if (!table.hasPeriod && input.period !== undefined)
      throw invalidInput('period', 'This table is over all time.');
    const query = { organizationId: who.organizationId, touchpointId: id };
    const viewer = { text: input.period, timeZone: input.time_zone, now: new Date() };
    const rows = await table.read(trx, query, viewer);
    await writeAuditEntry(trx, { ...who, origin: originOf(request) }, 'statistics.exportTable', {
      record_type: 'touchpoints',
      record_id: id,
      record_name: name,
      details: { filters: ['table', ...(input.period === undefined ? [] : ['period'])] },
    });
    return [table.columns, ...rows.map((row) => table.columns.map((column) => String(row[column] ?? '')))];
  };
  const lines = await limitedTransaction(expensiveDb, who, read, 'expensive');
  return await reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="statistics-${input.table}.csv"`)
    .send(`\u{feff}${lines.map((cells) => toCsvLine(cells)).join('')}`);
}
