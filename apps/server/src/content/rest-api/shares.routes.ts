import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { maxSharePassword, maxShareUses } from '@reachout/contract/rules/shares.ts';
import { itemKey, name, timestampInput } from '@reachout/contract/values.ts';
import { visitorTransaction } from '../../identity/access/limited-transaction.ts';
import { maxPublicBytes } from '../../platform/http/request-guards.ts';
import { networkOf } from '../../platform/ip-prefix.ts';
import { isUuid } from '../../platform/ids.ts';
import { isPlatformCollection } from '../backend/content-backend.ts';
import { createSystemReader } from '../built-in/system-rows.queries.ts';
import { createShare, findUsableShare, openShare } from '../shares/shares.ts';
import { deleteShare, shareRows } from '../shares/shares.queries.ts';
import {
  parseBody,
  createRestHandler,
  requireRead,
  type RestDeps,
  type RestRequest,
} from './rest-handler.ts';
import { picker, readItems } from './read-items.ts';
import { readQuery } from './read-query.ts';
import { forbidden, invalidCredentials } from './rest-error.ts';
import { organizationOf } from './rest-caller.ts';

const collection = 'directus_shares';

const NewShare = z.looseObject({
  name: name.nullish(),
  collection: z.string(),
  item: z.union([itemKey, z.int()]).transform(String),
  role: z.string().max(120).nullish(),
  password: z.string().min(1).max(maxSharePassword).nullish(),
  date_start: timestampInput.nullish(),
  date_end: timestampInput.nullish(),
  max_uses: z.int().min(1).max(maxShareUses).nullish(),
});
const Opening = z.looseObject({ share: z.string(), password: z.string().max(maxSharePassword).nullish() });

/** Registers shares, which give people without an account access to a single item. */
export function registerShares(scope: FastifyInstance, deps: RestDeps): void {
  registerOwnShares(scope, deps);

  const open = async (request: FastifyRequest) => {
    const { share: id, password } = parseBody(Opening, request.body);
    const organizationId = organizationOf(request);
    const opened = isUuid(id)
      ? await openShare(deps, organizationId, {
          id: id.toLowerCase(),
          password: password ?? undefined,
          ipPrefix: networkOf(request.ip),
          now: new Date(),
        })
      : undefined;
    if (opened === undefined) throw invalidCredentials();
    return { data: { access_token: opened.token, refresh_token: null, expires: opened.expiresMs } };
  };
  const getInfo = async (request: FastifyRequest) => {
    const { key } = request.params as { key: string };
    const organizationId = organizationOf(request);
    const found = isUuid(key)
      ? await visitorTransaction(deps.db, organizationId, (trx) =>
          findUsableShare(trx, organizationId, { id: key, now: new Date() }),
        )
      : undefined;
    if (found === undefined) throw forbidden();
    const { id, collection: shared, item_id, date_start, date_end, times_used, max_uses } = found.share;
    const password = found.share.password_hash === null ? null : '**********';
    return {
      data: { id, collection: shared, item: item_id, password, date_start, date_end, times_used, max_uses },
    };
  };
  const isPublic = { bodyLimit: maxPublicBytes, config: { isPublic: true } };
  scope.post('/shares/auth', isPublic, (request) => open(request));
  scope.get('/shares/info/:key', (request) => getInfo(request));
}

/** Shares of the organization, for tokens that may change content: a share makes an item visible to more people. */
function registerOwnShares(scope: FastifyInstance, deps: RestDeps): void {
  const handle = createRestHandler(deps);
  const reading = { permission: ['update', 'Content'] } as const;
  const readerOf = (request: RestRequest) => {
    requireRead(request);
    return createSystemReader(request.trx, shareRows(request.organizationId));
  };
  const one = async (request: RestRequest, key: string) => {
    const reader = readerOf(request);
    const pick = await picker(reader, collection, readQuery(request.query).fields);
    if (!isUuid(key)) throw forbidden();
    return { data: pick(await reader.getItem(collection, key)) };
  };

  scope.get(
    '/shares',
    handle(reading, (request) => readItems(readerOf(request), collection, readQuery(request.query))),
  );
  scope.get(
    '/shares/:key',
    handle(reading, (request) => one(request, request.key)),
  );
  scope.post(
    '/shares',
    handle({ permission: ['update', 'Content'], action: 'content.createShare' }, async (request) => {
      denyLimited(request);
      // The creator of a share can read the item through it.
      requireRead(request);
      const { trx, organizationId, who, body, note } = request;
      const given = parseBody(NewShare, body);
      if (isPlatformCollection(given.collection)) throw forbidden();
      const hash =
        typeof given.password === 'string' ? await deps.passwords.hash(organizationId, given.password) : null;
      const id = await createShare(
        trx,
        { organizationId, userId: who.userId },
        {
          name: given.name ?? null,
          collection: given.collection,
          item: given.item,
          role: given.role ?? null,
          date_start: given.date_start ?? null,
          date_end: given.date_end ?? null,
          max_uses: given.max_uses ?? null,
        },
        { passwordHash: hash, mustRead: false },
      );
      note({
        record_id: id,
        ...(given.name == null ? {} : { record_name: given.name }),
        details: { collection: given.collection, item: given.item },
      });
      return await one(request, id);
    }),
  );
  scope.delete(
    '/shares/:key',
    handle({ permission: ['update', 'Content'], action: 'content.deleteShare' }, async (request) => {
      denyLimited(request);
      const { trx, organizationId, key, note } = request;
      if (!isUuid(key)) throw forbidden();
      const removed = await deleteShare(trx, organizationId, key);
      if (removed === undefined) throw forbidden();
      note({ record_id: removed.id, ...(removed.name === null ? {} : { record_name: removed.name }) });
      return undefined;
    }),
  );
}

/** A share has the permissions of its role for all clients: only members with access to all clients may manage shares. */
function denyLimited({ who }: RestRequest): void {
  if (who.accessScope !== undefined) throw forbidden();
}
