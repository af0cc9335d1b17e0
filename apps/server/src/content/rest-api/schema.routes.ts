import type { FastifyInstance } from 'fastify';
import { isPlatformCollection } from '../backend/content-backend.ts';
import { createField } from '../built-in/change-field.ts';
import { listVisibleCollections } from '../built-in/collections.queries.ts';
import { changeCollection, createCollection, deleteCollection } from '../collections/collections.ts';
import { describeCollection, describeRestField } from './describe-collections.ts';
import { listPlatformCollections } from './platform-items.ts';
import { forbidden } from './rest-error.ts';
import { createRestHandler, type RestDeps, type RestRequest } from './rest-handler.ts';
import {
  readCollectionChanges,
  readCollectionInput,
  readFieldChanges,
  readFieldInput,
} from './schema-input.ts';

/** Registers the routes that read and change collections and fields. */
export function registerSchema(scope: FastifyInstance, deps: RestDeps): void {
  registerCollections(scope, deps);
  registerFields(scope, deps);
}

function registerCollections(scope: FastifyInstance, deps: RestDeps): void {
  const handle = createRestHandler(deps);
  const reading = { permission: ['read', 'Content'], opensToMembers: true } as const;

  scope.get(
    '/collections',
    handle(reading, async (request) => ({ data: await describeAll(request) })),
  );
  scope.get(
    '/collections/:collection',
    handle(reading, async (request) => {
      const { collection } = request;
      const found = (await describeAll(request)).find((each) => each.collection === collection);
      if (found === undefined) throw forbidden();
      return { data: found };
    }),
  );
  scope.post(
    '/collections',
    handle(
      { permission: ['create', 'Content'], action: 'content.createCollection' },
      async ({ trx, organizationId, body, note }) => {
        const { hidden, sort, ...input } = readCollectionInput(body);
        await createCollection(trx, organizationId, input);
        const { collection } = input;
        const created = await changeCollection(trx, organizationId, { collection, hidden, sort });
        note({ record_name: created.label ?? collection });
        return { data: describeCollection(created) };
      },
    ),
  );
  scope.patch(
    '/collections/:collection',
    handle(
      { permission: ['update', 'Content'], action: 'content.updateCollection' },
      async ({ trx, organizationId, collection, body, note }) => {
        denyPlatform(collection);
        const changes = readCollectionChanges(body);
        const changed = await changeCollection(trx, organizationId, { collection, ...changes });
        note({ record_name: changed.label ?? collection });
        return { data: describeCollection(changed) };
      },
    ),
  );
  scope.delete(
    '/collections/:collection',
    handle(
      { permission: ['delete', 'Content'], action: 'content.deleteCollection' },
      async ({ trx, organizationId, collection, note }) => {
        denyPlatform(collection);
        const { name } = await deleteCollection(trx, organizationId, collection);
        note({ record_name: name });
        return undefined;
      },
    ),
  );
}

function registerFields(scope: FastifyInstance, deps: RestDeps): void {
  const handle = createRestHandler(deps);
  const reading = { permission: ['read', 'Content'], opensToMembers: true } as const;

  scope.get(
    '/fields',
    handle(reading, async (request) => {
      const fields = [];
      for (const { collection } of await describeAll(request))
        fields.push(...(await request.backend.listFields(collection)));
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
  scope.post(
    '/fields/:collection',
    handle(
      { permission: ['create', 'Content'], action: 'content.createField', isExpensive: true },
      async ({ trx, organizationId, collection, body, note }) => {
        denyPlatform(collection);
        const input = readFieldInput(body);
        note({ record_name: input.field, details: { collection } });
        return { data: describeRestField(await createField(trx, { organizationId, collection }, input)) };
      },
    ),
  );
  scope.patch(
    '/fields/:collection/:key',
    handle(
      { permission: ['update', 'Content'], action: 'content.updateField', isExpensive: true },
      async ({ trx, organizationId, collection, key: field, body, note }) => {
        denyPlatform(collection);
        note({ record_name: field, details: { collection } });
        const changes = readFieldChanges(body);
        const changed = await deps.contacts.updateField(trx, { organizationId, collection, field }, changes);
        return { data: describeRestField(changed) };
      },
    ),
  );
  scope.delete(
    '/fields/:collection/:key',
    handle(
      { permission: ['delete', 'Content'], action: 'content.deleteField' },
      async ({ trx, organizationId, collection, key: field, note }) => {
        denyPlatform(collection);
        note({ record_name: field, details: { collection } });
        await deps.contacts.deleteField(trx, { organizationId, collection, field });
        return undefined;
      },
    ),
  );
}

/** All collections that the token may read, by name, including hidden ones. */
async function describeAll({ trx, organizationId, who }: RestRequest) {
  const own = await listVisibleCollections(trx, organizationId, {}, { withHidden: true });
  const platform = listPlatformCollections(who).map((collection) => ({ collection, hidden: true }));
  return [...own, ...platform]
    .map(describeCollection)
    .toSorted((a, b) => (a.collection < b.collection ? -1 : 1));
}

/** Collections of the platform, and their fields, cannot be changed. @throws RestError 403 */
function denyPlatform(collection: string): void {
  if (isPlatformCollection(collection)) throw forbidden();
}
