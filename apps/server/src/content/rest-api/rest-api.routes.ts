import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ItemChanges, ItemCreation, ItemDeletion } from '@reachout/contract/content-batches.ts';
import type { Item } from '@reachout/contract/content.ts';
import { maxBatchKeys } from '@reachout/contract/rules/lengths.ts';
import { itemData } from '@reachout/contract/values.ts';
import { acceptJsonOnly, checkBeforeBody, forbidCaching } from '../../platform/http/request-guards.ts';
import { requirePageLength } from '../backend/page-length.ts';
import {
  parseBody,
  createRestHandler,
  requireRead,
  type RestDeps,
  type RestRequest,
  type RestResponse,
} from './rest-handler.ts';
import { describePermissions } from './permissions.ts';
import { keyOf, picker, readItems } from './read-items.ts';
import { defaultLimit, maxLimit, pathOf, readQuery, searchOf, urlQueryOf } from './read-query.ts';
import { findRestCaller, isContentToken, findShareOf, otherPaths, requireToken } from './rest-caller.ts';
import { forbidden, invalidCredentials, routeNotFound, sendRestErrors } from './rest-error.ts';
import { registerFiles } from './files.routes.ts';
import { registerPresets } from './presets.routes.ts';
import { registerSchema } from './schema.routes.ts';
import { registerShares } from './shares.routes.ts';
import { registerUpload } from './upload.routes.ts';
import { createItems, deleteItems, hasQuery, requireConsentFields, updateItems } from './write-items.ts';

/**
 * Serves the content of an organization through the REST interface of Directus, for clients with an API key:
 * docs/content-api.md. Errors have the Directus format, too.
 */
export async function registerRestApi(app: FastifyInstance, deps: RestDeps): Promise<void> {
  await registerUpload(app, deps);
  await app.register(
    async (scope) => {
      sendRestErrors(scope);
      forbidCaching(scope);
      checkBeforeBody(scope, (request) => requireToken(deps, request));
      acceptJsonOnly(scope, { maxKeys: maxBatchKeys });
      registerServer(scope, deps);
      registerItems(scope, deps);
      registerSchema(scope, deps);
      registerPresets(scope, deps);
      registerShares(scope, deps);
      registerFiles(scope, deps);
      scope.all(otherPaths, (request) => {
        throw routeNotFound(pathOf(request));
      });
    },
    { prefix: '/content/:organization_id' },
  );
}

function registerServer(scope: FastifyInstance, deps: RestDeps): void {
  const callerOf = (request: FastifyRequest) => findRestCaller(deps, request, urlQueryOf(request));

  const getInfo = async (request: FastifyRequest) => {
    const project = { project_name: 'Reachout' };
    const isKnown = (await callerOf(request)) !== undefined;
    const queryLimit = { default: defaultLimit, max: maxLimit };
    return { data: isKnown ? { project, queryLimit } : { project } };
  };
  const getMe = async (request: FastifyRequest) => {
    const share = await findShareOf(deps, request, urlQueryOf(request));
    if (share !== undefined) return { data: { share: share.id } };
    const caller = await callerOf(request);
    if (caller?.apiKey === undefined) throw invalidCredentials('Invalid user');
    return { data: { id: isContentToken(caller) ? caller.userId : caller.apiKey.id } };
  };
  // A token manages content only, no users or permissions.
  const deny = async (request: FastifyRequest) => {
    if ((await findShareOf(deps, request, urlQueryOf(request))) === undefined) await callerOf(request);
    throw forbidden();
  };

  /** What the token may do with each collection; empty without a token. */
  const getPermissions = async (request: FastifyRequest) => {
    const caller = await callerOf(request);
    return { data: caller === undefined ? {} : await describePermissions(deps, caller) };
  };

  const getGlobals = async (request: FastifyRequest) => {
    await callerOf(request);
    return { data: { app_access: false, admin_access: false, enforce_tfa: false } };
  };

  scope.get('/server/ping', (_request, reply) => reply.type('text/html').send('pong'));
  scope.get('/server/health', (_request, reply) =>
    reply.type('application/health+json').send(JSON.stringify({ status: 'ok' })),
  );
  scope.get('/server/info', (request) => getInfo(request));
  scope.get('/users/me', (request) => getMe(request));
  scope.get('/permissions/me', (request) => getPermissions(request));
  scope.get('/policies/me/globals', (request) => getGlobals(request));
  for (const path of ['/users', '/roles', '/policies', '/permissions', '/access']) {
    scope.get(path, (request) => deny(request));
  }
}

function registerItems(scope: FastifyInstance, deps: RestDeps): void {
  const handle = createRestHandler(deps);
  const reading = { permission: ['read', 'Content'], opensToMembers: true } as const;
  const creating = { permission: ['create', 'Content'], action: 'content.createItem' } as const;
  const updating = { permission: ['update', 'Content'], action: 'content.updateItem' } as const;
  const deleting = { permission: ['delete', 'Content'], action: 'content.deleteItem' } as const;

  const items = '/items/:collection';
  scope.get(
    items,
    handle(reading, ({ backend, collection, query }) => readItems(backend, collection, readQuery(query))),
  );
  scope.route({
    method: 'SEARCH',
    url: items,
    handler: handle(reading, ({ backend, collection, body }) =>
      readItems(backend, collection, readQuery(searchOf(body, maxLimit))),
    ),
  });
  scope.post(
    items,
    handle(creating, async (request) => {
      const { backend, collection, body } = request;
      return await written(request, await createItems(backend, collection, parseBody(ItemCreation, body)));
    }),
  );
  scope.patch(
    items,
    handle(updating, async (request) => {
      const { backend, collection, body } = request;
      const changes = parseBody(ItemChanges, body);
      if (hasQuery(changes)) requireRead(request);
      return written(request, await updateItems(backend, collection, changes));
    }),
  );
  scope.delete(
    items,
    handle(deleting, async (request) => {
      const { trx, backend, organizationId, collection, body } = request;
      const deletion = parseBody(ItemDeletion, body);
      if (hasQuery(deletion)) requireRead(request);
      const keys = await deleteItems(backend, collection, deletion);
      for (const key of keys) await deps.contacts.erase(trx, { organizationId, collection, key });
      request.noteItems(keys);
      return undefined;
    }),
  );

  const item = `${items}/:key`;
  scope.get(
    item,
    handle({ ...reading, opensToShares: true }, async ({ backend, collection, key, query }) => {
      const pick = await picker(backend, collection, readQuery(query).fields);
      return { data: pick(await backend.getItem(collection, key)) };
    }),
  );
  scope.patch(
    item,
    handle(updating, async (request) => {
      const { backend, collection, key } = request;
      const data = parseBody(itemData, request.body);
      await requireConsentFields(backend, collection, [data]);
      return written(request, await backend.updateItem(collection, key, data));
    }),
  );
  scope.delete(
    item,
    handle(deleting, async ({ trx, backend, organizationId, collection, key, noteItems }) => {
      await backend.deleteItem(collection, key);
      await deps.contacts.erase(trx, { organizationId, collection, key });
      noteItems([key]);
      return undefined;
    }),
  );
}

/** Responds with the written items, if the token may read them. */
async function written(
  { backend, collection, query, canRead, noteItems }: RestRequest,
  items: Item | Item[],
): Promise<RestResponse> {
  noteItems([items].flat().map(keyOf));
  if (!canRead) return undefined;
  const pick = await picker(backend, collection, readQuery(query).fields);
  return { data: requirePageLength(Array.isArray(items) ? items.map(pick) : pick(items)) };
}
