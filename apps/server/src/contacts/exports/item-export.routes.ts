import type { Item } from '@reachout/contract/content.ts';
import { search } from '@reachout/contract/values.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { writeAuditEntry } from '../../identity/access/audit.ts';
import { authorizeRequest, type AuthorizedRequest } from '../../identity/access/authorize-request.ts';
import { originOf, type Caller, type RequestOrigin } from '../../identity/access/caller.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import type { Access } from '../../identity/access/membership.ts';
import { createPageReader } from '../../identity/access/page-reader.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { invalidInputs } from '../../platform/http/api-error.ts';
import { forbidCaching, sendApiErrors } from '../../platform/http/request-guards.ts';
import { toStartedStream } from '../../platform/http/started-stream.ts';
import { invalidQuery } from '../../content/backend/content-errors.ts';
import type { ContentBackend } from '../../content/backend/content-backend.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { openSubscriptionColumns } from '../consent/subscription-columns.ts';
import { openTopicColumns } from '../consent/topic-columns.ts';
import { openBackend } from '../../content/gateway/with-content.ts';
import {
  exportFormats,
  exportItems,
  maxExportItems,
  readBuiltInPages,
  type ExportedField,
  type ItemSource,
} from './item-export.ts';
import { parseFilter, rejectPlatformCollections } from '../../content/collections/item-input.ts';

export interface ItemExportDeps extends DirectusDeps {
  expensiveDb: Database;
  access: Access;
  /** The caller, by session or API key. */
  findCaller: (request: FastifyRequest) => Promise<Caller | undefined>;
}

/** The format, and the filters of the list. */
const ItemExport = z.strictObject({
  format: z.enum(exportFormats).default('csv'),
  filter: z.string().max(12_000).optional(),
  search,
});

/** Exports the items of a collection as a file. It streams, and is therefore not an operation of the contract. */
export async function registerItemExport(app: FastifyInstance, deps: ItemExportDeps): Promise<void> {
  await app.register(async (scope) => {
    forbidCaching(scope);
    sendApiErrors(scope);
    // No HEAD, because each request is recorded in the audit log as a download.
    scope.get(
      '/api/content/:organization_id/exports/:collection',
      { exposeHeadRoute: false },
      (request: ExportRequest, reply) => sendItems(deps, request, reply),
    );
  });
}

type ExportRequest = FastifyRequest<{ Params: { organization_id: string; collection: string } }>;

async function sendItems(deps: ItemExportDeps, request: ExportRequest, reply: FastifyReply) {
  const { organization_id, collection } = request.params;
  const who = await authorizeRequest(deps.access, {
    caller: await deps.findCaller(request),
    record: ['organizations', organization_id],
    requiredPermissions: [['read', 'Content']],
    isUnsafe: false,
  });
  const { data: input, error } = ItemExport.safeParse(request.query);
  if (error !== undefined) throw invalidInputs(error);
  const { format, filter, search: text } = input;
  const source: ItemSource = {
    collection: rejectPlatformCollections(collection),
    filter: parseFilter(filter),
    search: text,
  };
  const run: Run = (work) => limitedTransaction(deps.expensiveDb, who, work, 'expensive');
  const open = await openBackend(deps, who, run);
  const { fields, count } =
    open.kind === 'directus'
      ? await describeExport(open.backend, source)
      : await run((trx) => describeExport(open.within(trx), source));
  const subscriptions = await openSubscriptions(deps, request, who, fields);
  await run((trx) => noteExport(trx, { ...who, origin: originOf(request) }, source, { format, count }));
  const pages =
    open.kind === 'directus'
      ? open.backend.readItems(source.collection, { ...source, limit: maxExportItems, offset: 0 })
      : readBuiltInPages(deps.expensiveDb, who, source);
  return await reply
    .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
    .header('content-disposition', `attachment; filename="${collection}.${format}"`)
    .send(
      await toStartedStream(
        exportItems(
          subscriptions?.fill(pages) ?? pages,
          [...fields, ...(subscriptions?.fields ?? [])],
          format,
        ),
      ),
    );
}

/** The subscriptions of contacts, for readers of consent: they may see it of fewer clients than the contacts. */
async function openSubscriptions(
  deps: ItemExportDeps,
  request: ExportRequest,
  who: AuthorizedRequest,
  fields: readonly ExportedField[],
) {
  if (!fields.some(({ field }) => field === 'email') || !who.can('read', 'Consent')) return undefined;
  const { organization_id, collection } = request.params;
  const reader = await authorizeRequest(deps.access, {
    caller: await deps.findCaller(request),
    record: ['organizations', organization_id],
    requiredPermissions: [
      ['read', 'Content'],
      ['read', 'Consent'],
    ],
    isUnsafe: false,
  });
  const readPage = createPageReader(deps.expensiveDb, reader);
  const { organizationId } = reader;
  const columns = await readPage((trx) => openSubscriptionColumns(trx, { organizationId, collection }));
  const topics = await readPage((trx) => openTopicColumns(trx, { organizationId, collection }));
  return {
    fields: [...columns.names, ...topics.names].map((field) => ({ field, type: 'string' as const })),
    fill: async function* (pages: AsyncIterable<Item[]>): AsyncGenerator<Item[]> {
      for await (const items of pages)
        yield await readPage(async (trx) => topics.fill(trx, await columns.fill(trx, items)));
    },
  };
}

type Run = <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;

/**
 * Checks the query.
 * @returns the fields of the file: the key, the visible fields, and the dates of creation and last change
 */
async function describeExport(backend: ContentBackend, { collection, ...query }: ItemSource) {
  const fields = await backend.listFields(collection);
  const count = await backend.countItems(collection, query);
  if (count > maxExportItems)
    throw invalidQuery(`filter: ${count} items match, and a file has at most ${maxExportItems}.`);
  const rank = (name: string) => (name === 'id' ? 0 : name.startsWith('date_') ? 2 : 1);
  const shown = fields
    .filter(({ field, hidden }) => field === 'id' || !hidden)
    .toSorted((one, other) => rank(one.field) - rank(other.field));
  return { fields: shown, count };
}

/** Records in the audit log who exports how many items, because contacts are personal data. */
const noteExport = (
  trx: Transaction,
  who: AuthorizedRequest & { origin: RequestOrigin },
  { collection, filter, search: text }: ItemSource,
  { format, count }: { format: string; count: number },
) =>
  writeAuditEntry(trx, who, 'content.exportItems', {
    record_type: 'collections',
    record_id: collection,
    record_name: collection,
    details: {
      format,
      count,
      filters: [
        ...(JSON.stringify(filter) === '{}' ? [] : ['filter']),
        ...(text === undefined ? [] : ['search']),
      ],
    },
  });
