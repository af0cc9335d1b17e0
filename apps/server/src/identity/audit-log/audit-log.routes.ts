import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { auditFilters, type AuditEntry } from '@reachout/contract/audit-log.ts';
import { writeAuditEntry } from '../access/audit.ts';
import { authorizeRequest, type AuthorizedRequest } from '../access/authorize-request.ts';
import { originOf, type Caller } from '../access/caller.ts';
import { inTransaction, operations } from '../access/operations.ts';
import { limitedTransaction } from '../access/limited-transaction.ts';
import { createPageReader } from '../access/page-reader.ts';
import type { Access } from '../access/membership.ts';
import { invalidInputs } from '../../platform/http/api-error.ts';
import { toCsvLine } from '../../platform/csv-text.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { forbidCaching, sendApiErrors } from '../../platform/http/request-guards.ts';
import { toStartedStream } from '../../platform/http/started-stream.ts';
import { listAuditEntries, listAuditEntriesBefore, type AuditFilter } from './audit-log.queries.ts';

export const auditLogRoutes = {
  list: inTransaction(operations.auditLog.list, (trx, input) => listAuditEntries(trx, input)),
};

export interface AuditExportDeps {
  expensiveDb: Database;
  access: Access;
  /** The caller, by session or API key. */
  findCaller: (request: FastifyRequest) => Promise<Caller | undefined>;
}

const ExportFilter = z.strictObject(auditFilters);

/**
 * Exports the audit log as a CSV file, with the filters of the list. It streams, and is therefore not an operation of
 * the contract.
 */
export async function registerAuditExport(app: FastifyInstance, deps: AuditExportDeps): Promise<void> {
  await app.register(async (scope) => {
    forbidCaching(scope);
    sendApiErrors(scope);

    scope.get<{ Params: { id: string } }>(
      '/api/organizations/:id/audit_log/export',
      { exposeHeadRoute: false },
      async (request, reply) => {
        const who = await authorizeRequest(deps.access, {
          caller: await deps.findCaller(request),
          record: ['organizations', request.params.id],
          requiredPermissions: [['read', 'AuditLog']],
          isUnsafe: false,
        });
        const { data: filter, error } = ExportFilter.safeParse(request.query);
        if (error !== undefined) throw invalidInputs(error);
        // If the first page fails, the response is an error and the audit log records no export.
        const writeFirst = async (trx: Transaction) => {
          const entries = await listAuditEntriesBefore(trx, filter, { before: undefined, limit: pageRows });
          await writeAuditEntry(trx, { ...who, origin: originOf(request) }, 'auditLog.export', {
            record_type: 'auditLog',
            details: { filters: Object.keys(filter) },
          });
          return entries;
        };
        const first = await limitedTransaction(deps.expensiveDb, who, writeFirst, 'expensive');
        return await reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', 'attachment; filename="audit-log.csv"')
          .send(await toStartedStream(auditCsv(deps.expensiveDb, who, filter, first)));
      },
    );
  });
}

const columns = [
  'at',
  'user',
  'email',
  'api_key',
  'action',
  'record_type',
  'record_id',
  'record_name',
  'details',
  'ip_address',
  'user_agent',
] as const;

const pageRows = 500;

type Page = Awaited<ReturnType<typeof listAuditEntriesBefore>>;

/** @param entries  the first page */
async function* auditCsv(
  db: Database,
  who: AuthorizedRequest,
  filter: AuditFilter,
  entries: Page,
): AsyncGenerator<string> {
  // The byte order mark tells spreadsheets that this is UTF-8.
  yield `\u{feff}${toCsvLine(columns)}`;
  const readPage = createPageReader(db, who);
  for (let page = entries; page.length > 0;) {
    yield page.map((entry) => toCsvLine(toCells(entry))).join('');
    if (page.length < pageRows) return;
    const before = page.at(-1);
    const read = (trx: Transaction) => listAuditEntriesBefore(trx, filter, { before, limit: pageRows });
    page = await readPage(read);
  }
}

const toCells = (entry: AuditEntry): string[] =>
  [
    entry.at,
    entry.user?.full_name,
    entry.user?.email,
    entry.api_key?.name,
    entry.action,
    entry.record_type,
    entry.record_id,
    entry.record_name,
    JSON.stringify(entry.details),
    entry.ip_address,
    entry.user_agent,
  ].map((cell) => cell ?? '');
