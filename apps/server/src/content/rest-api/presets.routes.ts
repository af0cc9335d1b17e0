import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { PresetChanges, PresetInput } from '@reachout/contract/content-presets.ts';
import { presetRows } from '../built-in/presets.queries.ts';
import { createSystemReader, type ItemReader } from '../built-in/system-rows.queries.ts';
import { changePreset, removePreset, savePreset, type PresetCaller } from '../collections/presets.ts';
import { isPlatformCollection } from '../backend/content-backend.ts';
import { parseBody, createRestHandler, type RestDeps, type RestRequest } from './rest-handler.ts';
import { picker, readItems } from './read-items.ts';
import { readQuery } from './read-query.ts';
import { forbidden, invalidPayload } from './rest-error.ts';

const name = 'directus_presets';

/** Saved views in the form of Directus presets: shared ones, and those of the member who created the token. */
export function registerPresets(scope: FastifyInstance, deps: RestDeps): void {
  const handle = createRestHandler(deps);
  const reading = { permission: ['read', 'Content'] } as const;
  const writing = (action: string) => ({ permission: ['update', 'Content'] as const, action });

  scope.get(
    '/presets',
    handle(reading, (request) => readItems(readerOf(request), name, readQuery(request.query))),
  );
  scope.get(
    '/presets/:key',
    handle(reading, async (request) => await one(request, request.key)),
  );
  scope.post(
    '/presets',
    handle(writing('content.createPreset'), async (request) => {
      const input = readPreset(request, request.body);
      if (isPlatformCollection(input.collection)) throw forbidden();
      const saved = await savePreset(request.trx, callerOf(request), input);
      request.note({ record_id: saved.id, record_name: saved.bookmark });
      return await one(request, saved.id);
    }),
  );
  scope.patch(
    '/presets/:key',
    handle(writing('content.updatePreset'), async (request) => {
      const changes = readPresetChanges(request, request.body);
      const changed = await changePreset(request.trx, callerOf(request), keyOf(request), changes);
      request.note({ record_id: changed.id, record_name: changed.bookmark });
      return await one(request, changed.id);
    }),
  );
  scope.delete(
    '/presets/:key',
    handle(writing('content.deletePreset'), async (request) => {
      const removed = await removePreset(request.trx, callerOf(request), keyOf(request));
      request.note({ record_id: removed.id, record_name: removed.bookmark });
      return undefined;
    }),
  );
}

const readerOf = ({ trx, organizationId, who }: RestRequest): ItemReader =>
  createSystemReader(trx, presetRows(organizationId, who.userId));

const callerOf = ({ organizationId, who }: RestRequest): PresetCaller => ({
  organizationId,
  userId: who.userId,
  canShare: true,
});

async function one(request: RestRequest, key: string) {
  const reader = readerOf(request);
  const pick = await picker(reader, name, readQuery(request.query).fields);
  return { data: pick(await reader.getItem(name, parseKey(key))) };
}

const keyOf = ({ key }: RestRequest): string => parseKey(key);

/** All keys are UUIDs. @throws RestError 403 for any other */
function parseKey(key: string): string {
  const parsed = z.uuid().safeParse(key);
  if (!parsed.success) throw forbidden();
  return parsed.data.toLowerCase();
}

const Layout = z.looseObject({ tabular: PresetInput.shape.layout_query.optional() }).nullish();
const presetFields = {
  collection: z.string(),
  bookmark: z.string().nullable(),
  user: z.string().nullish(),
  search: z.string().nullish(),
  filter: z.json().nullish(),
  layout_query: Layout,
};
const Preset = z.looseObject(presetFields);
const { collection: _collection, ...changeable } = presetFields;
const PresetPatch = z.looseObject(changeable).partial();

/** Unsupported properties, such as an icon, are silently ignored. @throws 400 */
function readPreset(request: RestRequest, body: unknown): PresetInput {
  const { collection, ...given } = parseBody(Preset, body);
  return parseBody(PresetInput, {
    collection,
    is_shared: false,
    ...toSettings(request, { user: null, ...given }),
  });
}

const readPresetChanges = (request: RestRequest, body: unknown): PresetChanges =>
  parseBody(PresetChanges, toSettings(request, parseBody(PresetPatch, body)));

function toSettings({ who }: RestRequest, given: z.infer<typeof PresetPatch>): PresetChanges {
  const { bookmark, user, search, filter, layout_query: layout } = given;
  if (user !== undefined && user !== null && user !== who.userId)
    throw invalidPayload('user: A view belongs to all, or to the member who made the token.');
  return {
    ...(bookmark === undefined || bookmark === null ? {} : { bookmark }),
    ...(user === undefined ? {} : { is_shared: user === null }),
    ...(search === undefined ? {} : { search }),
    ...(filter === undefined ? {} : { filter }),
    ...(layout === undefined ? {} : { layout_query: layout?.tabular ?? {} }),
  };
}
