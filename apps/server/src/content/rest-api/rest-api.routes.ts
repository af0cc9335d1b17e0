import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Item } from '@reachout/contract/content.ts';
import { acceptJsonOnly, forbidCaching } from '../../platform/http/request-guards.ts';
import { eraseContact } from '../contacts/erase-notes.ts';
import { describeCollection, describeRestField } from './describe-collections.ts';
import { keyOf, picker, readItems } from './read-items.ts';
import { defaultLimit, maxLimit, parseUrlQuery, readQuery } from './read-query.ts';
import { findRestCaller } from './rest-caller.ts';
import { forbidden, invalidCredentials, invalidPayload, routeNotFound } from './rest-error.ts';
import { createRestHandler, type RestDeps, type RestRequest, type RestResponse } from './rest-handler.ts';
import { speakDirectus } from './speak-directus.ts';
import { createItems, deleteItems, readChanges, updateItems } from './write-items.ts';

/** Keys of a body: a list of items has those of all of them. */
const maxKeys = 20_000;

/**
 * The content of an organization in the REST interface of Directus, for programs with an API key: docs/content-api.md.
 * Errors have the form of Directus, too.
 */
export async function registerRestApi(app: FastifyInstance, deps: RestDeps): Promise<void> {
  // RFC 10008 calls it QUERY; Directus and its clients say SEARCH.
  app.addHttpMethod('SEARCH', { hasBody: true });
  await app.register(
    async (scope) => {
      speakDirectus(scope);
      forbidCaching(scope);
      acceptJsonOnly(scope, { maxKeys });
      registerServer(scope, deps);
      registerItems(scope, deps);
      registerSchema(scope, deps);
      const notThere = (request: FastifyRequest) => {
        throw routeNotFound(request.url.replace(/\?.*$/s, ''));
      };
      scope.all('/*', notThere);
    },
    { prefix: '/content/:organization_id' },
  );
}

function registerServer(scope: FastifyInstance, deps: RestDeps): void {
  const callerOf = (request: FastifyRequest) =>
    findRestCaller(deps, request, parseUrlQuery(request.url.split('?').slice(1).join('?')));

  const getInfo = async (request: FastifyRequest) => {
    const project = { project_name: 'Reachout' };
    const isKnown = (await callerOf(request)) !== undefined;
    const queryLimit = { default: defaultLimit, max: maxLimit };
    return { data: isKnown ? { project, queryLimit } : { project } };
  };
  const getMe = async (request: FastifyRequest) => {
    const caller = await callerOf(request);
    if (caller?.apiKey === undefined) throw invalidCredentials('Invalid user');
    return { data: { id: caller.apiKey.id } };
  };
  // A token manages content, and nobody's rights.
  const refuse = async (request: FastifyRequest) => {
    await callerOf(request);
    throw forbidden();
  };

  scope.get('/server/ping', (_request, reply) => reply.type('text/html').send('pong'));
  scope.get('/server/health', (_request, reply) =>
    reply.type('application/health+json').send(JSON.stringify({ status: 'ok' })),
  );
  scope.get('/server/info', (request) => getInfo(request));
  scope.get('/users/me', (request) => getMe(request));
  for (const path of ['/users', '/roles', '/policies', '/permissions', '/access']) {
    scope.get(path, (request) => refuse(request));
  }
}

function registerItems(scope: FastifyInstance, deps: RestDeps): void {
  const handle = createRestHandler(deps);
  const reading = { permission: ['read', 'Content'] } as const;
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
      readItems(backend, collection, readQuery(searchOf(body))),
    ),
  });
  scope.post(
    items,
    handle(creating, async (request) => {
      const created = await createItems(request.backend, request.collection, request.body);
      return await written(request, created);
    }),
  );
  scope.patch(
    items,
    handle(updating, async (request) =>
      written(request, await updateItems(request.backend, request.collection, request.body)),
    ),
  );
  scope.delete(
    items,
    handle(deleting, async ({ trx, backend, organizationId, collection, body, noteItems }) => {
      noteItems(await deleteItems(trx, backend, { organizationId, collection }, body));
      return undefined;
    }),
  );

  const item = `${items}/:key`;
  scope.get(
    item,
    handle(reading, async ({ backend, collection, key, query }) => {
      const pick = await picker(backend, collection, readQuery(query).fields);
      return { data: pick(await backend.getItem(collection, key)) };
    }),
  );
  scope.patch(
    item,
    handle(updating, async (request) => {
      const { backend, collection, key } = request;
      return written(request, await backend.updateItem(collection, key, readChanges(request.body)));
    }),
  );
  scope.delete(
    item,
    handle(deleting, async ({ trx, backend, organizationId, collection, key, noteItems }) => {
      await backend.deleteItem(collection, key);
      await eraseContact(trx, { organizationId, collection, key });
      noteItems([key]);
      return undefined;
    }),
  );
}

/** The query of SEARCH stands in its body, and that of its URL does not count. */
function searchOf(body: unknown): Record<string, unknown> {
  const given = asRecord(body ?? {});
  if ('keys' in given) return { filter: { id: { _in: given['keys'] } }, limit: -1 };
  return asRecord(given['query'] ?? {});
}

function asRecord(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw invalidPayload('Use { query } or { keys }.');
}

/** Answers with what was written, for those who may read it. */
async function written(
  { backend, collection, query, canRead, noteItems }: RestRequest,
  items: Item | Item[],
): Promise<RestResponse> {
  noteItems([items].flat().map(keyOf));
  if (!canRead) return undefined;
  const pick = await picker(backend, collection, readQuery(query).fields);
  return { data: Array.isArray(items) ? items.map(pick) : pick(items) };
}

function registerSchema(scope: FastifyInstance, deps: RestDeps): void {
  const handle = createRestHandler(deps);
  const reading = { permission: ['read', 'Content'] } as const;

  scope.get(
    '/collections',
    handle(reading, async ({ backend }) => ({
      data: (await backend.listCollections()).map(({ collection }) => describeCollection(collection)),
    })),
  );
  scope.get(
    '/collections/:collection',
    handle(reading, async ({ backend, collection }) => {
      // Fails for a collection that is not there.
      await backend.listFields(collection);
      return { data: describeCollection(collection) };
    }),
  );
  scope.get(
    '/fields',
    handle(reading, async ({ backend }) => {
      const fields = [];
      for (const { collection } of await backend.listCollections()) {
        fields.push(...(await backend.listFields(collection)));
      }
      return { data: fields.map(describeRestField) };
    }),
  );
  scope.get(
    '/fields/:collection',
    handle(reading, async ({ backend, collection }) => ({
      data: (await backend.listFields(collection)).map(describeRestField),
    })),
  );
  scope.get(
    '/fields/:collection/:key',
    handle(reading, async ({ backend, collection, key }) => {
      const field = (await backend.listFields(collection)).find((known) => known.field === key);
      if (field === undefined) throw forbidden();
      return { data: describeRestField(field) };
    }),
  );
}
