import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { recipientFilter } from '@reachout/contract/sends.ts';
import { writeAuditEntry } from '../../identity/access/audit.ts';
import { authorizeRequest } from '../../identity/access/authorize-request.ts';
import { originOf, type Caller } from '../../identity/access/caller.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import type { Access } from '../../identity/access/membership.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { forbidden, invalidInputs } from '../../platform/http/api-error.ts';
import { forbidCaching, sendApiErrors } from '../../platform/http/request-guards.ts';
import { toStartedStream } from '../../platform/http/started-stream.ts';
import { recipientCsv } from './recipient-csv.ts';
import { toSend } from './send.ts';
import { getSend } from './send-list.queries.ts';

export interface RecipientExportDeps {
  expensiveDb: Database;
  access: Access;
  /** The caller, by session or API key. */
  findCaller: (request: FastifyRequest) => Promise<Caller | undefined>;
}

/** The same filters as the list. */
const ExportFilter = z.strictObject(recipientFilter);

/** Serves the recipients of a send as a CSV file. It streams, so it is not an operation of the contract. */
export async function registerRecipientExport(
  app: FastifyInstance,
  deps: RecipientExportDeps,
): Promise<void> {
  await app.register(async (scope) => {
    forbidCaching(scope);
    sendApiErrors(scope);
    // No HEAD route, because the audit log records each request as a download.
    scope.get(
      '/api/sends/:id/deliveries/export',
      { exposeHeadRoute: false },
      (request: ExportRequest, reply) => exportRecipients(deps, request, reply),
    );
  });
}

type ExportRequest = FastifyRequest<{ Params: { id: string } }>;

async function exportRecipients(
  { access, expensiveDb, findCaller }: RecipientExportDeps,
  request: ExportRequest,
  reply: FastifyReply,
) {
  const { id } = request.params;
  const who = await authorizeRequest(access, {
    caller: await findCaller(request),
    record: ['touchpoint_sends', id],
    // The export has all addresses and actions at once: more than a user with access to one list of one client may see.
    requiredPermissions: [
      ['read', 'Statistics'],
      ['read', 'Content'],
    ],
    isUnsafe: false,
  });
  // Recipients may be contacts that all clients share, or people known only from this message.
  const sharedContent = who.accessScope?.content_organization_ids ?? [who.organizationId];
  if (!sharedContent.includes(who.organizationId)) throw forbidden('read', 'Content');
  const { data: filter, error } = ExportFilter.safeParse(request.query);
  if (error !== undefined) throw invalidInputs(error);
  const begin = async (trx: Transaction) => {
    const send = toSend(await getSend(trx, id));
    await writeAuditEntry(trx, { ...who, origin: originOf(request) }, 'sends.exportDeliveries', {
      record_type: 'touchpoints',
      record_id: send.touchpoint.id,
      record_name: send.touchpoint.name,
      details: { filters: Object.keys(filter), brand: send.brand.name, send_id: id },
    });
    return send;
  };
  const send = await limitedTransaction(expensiveDb, who, begin, 'expensive');
  return await reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="recipients.csv"')
    .send(await toStartedStream(recipientCsv(expensiveDb, who, send, filter)));
}
