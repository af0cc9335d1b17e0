import { Readable } from 'node:stream';
import { suppressionFilters } from '@reachout/contract/suppressions.ts';
import { id } from '@reachout/contract/values.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { writeAuditEntry } from '../../identity/access/audit.ts';
import { authorizeRequest, type AuthorizedRequest } from '../../identity/access/authorize-request.ts';
import { originOf, type Caller } from '../../identity/access/caller.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import type { Access } from '../../identity/access/membership.ts';
import { toCsvLine } from '../../platform/csv-text.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { invalidInput, invalidInputs } from '../../platform/http/api-error.ts';
import { forbidCaching, sendApiErrors } from '../../platform/http/request-guards.ts';
import { isUuid } from '../../platform/ids.ts';
import { withWaitBudget } from '../../platform/wait-budget.ts';
import { toListed } from './subscription.ts';
import {
  countSuppressions,
  listSuppressionsAfter,
  type StoredSuppression,
  type SuppressionFilter,
} from './suppression-list.queries.ts';

export interface SuppressionExportDeps {
  expensiveDb: Database;
  access: Access;
  /** The caller, by session or API key. */
  findCaller: (request: FastifyRequest) => Promise<Caller | undefined>;
}

/** The same filters as the list. */
const ExportFilter = z.strictObject({ organization_id: id, ...suppressionFilters });

/** Serves suppressions as a CSV file. It streams, so it is not an operation of the contract. */
export async function registerSuppressionExport(
  app: FastifyInstance,
  deps: SuppressionExportDeps,
): Promise<void> {
  await app.register(async (scope) => {
    forbidCaching(scope);
    sendApiErrors(scope);
    // No HEAD route, because the audit log records each request as a download.
    scope.get('/api/suppressions/export', { exposeHeadRoute: false }, (request: ExportRequest, reply) =>
      exportSuppressions(deps, request, reply),
    );
  });
}

type ExportRequest = FastifyRequest<{ Querystring: { organization_id?: unknown } }>;

async function exportSuppressions(deps: SuppressionExportDeps, request: ExportRequest, reply: FastifyReply) {
  const { organization_id } = request.query;
  const caller = await deps.findCaller(request);
  if (caller !== undefined && (typeof organization_id !== 'string' || !isUuid(organization_id)))
    throw invalidInput('organization_id', 'Say which one.');
  const who = await authorizeRequest(deps.access, {
    caller,
    record: ['organizations', String(organization_id)],
    requiredPermissions: [
      ['read', 'Consent'],
      ['read', 'Content'],
    ],
    isUnsafe: false,
  });
  const { data: input, error } = ExportFilter.safeParse(request.query);
  if (error !== undefined) throw invalidInputs(error);
  const { organization_id: _organization, ...filter } = input;
  const begin = async (trx: Transaction) => {
    const { count } = await countSuppressions(trx, filter);
    await writeAuditEntry(trx, { ...who, origin: originOf(request) }, 'suppressions.export', {
      record_type: 'suppressions',
      details: { count, filters: Object.keys(filter) },
    });
  };
  await limitedTransaction(deps.expensiveDb, who, begin, 'expensive');
  return await reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="suppressions.csv"')
    .send(Readable.from(suppressionCsv(deps.expensiveDb, who, filter)));
}

const pageRows = 2_000;

const columns = [
  'address',
  'reason',
  'at',
  'brand',
  'brand_id',
  'source',
  'email',
  'send_id',
  'note',
] as const;

/** Reads each page in a separate transaction once the client has received the previous one. */
async function* suppressionCsv(
  db: Database,
  who: AuthorizedRequest,
  filter: SuppressionFilter,
): AsyncGenerator<string> {
  // The byte order mark tells spreadsheets that this is UTF-8.
  yield `\u{feff}${toCsvLine(columns)}`;
  let last: StoredSuppression | undefined;
  do {
    const position = { afterId: last?.id, limit: pageRows };
    const read = (trx: Transaction) => listSuppressionsAfter(trx, filter, position);
    const rows = await withWaitBudget(() => limitedTransaction(db, who, read, 'expensive'));
    yield rows.map(toLine).join('');
    last = rows.length < pageRows ? undefined : rows.at(-1);
  } while (last !== undefined);
}

function toLine(stored: StoredSuppression): string {
  const { address, reason, at, brand_name, brand_id, source, touchpoint, send_id, note } = toListed(stored);
  return toCsvLine(
    [address, reason, at, brand_name, brand_id, source, touchpoint?.name, send_id, note].map(
      (cell) => cell ?? '',
    ),
  );
}
