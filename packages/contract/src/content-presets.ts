import { z } from 'zod';
import { backendFailed } from './content-backend.ts';
import { memberOperations, tooManyRecords } from './operation.ts';
import { collectionName, fieldName, id, name, singleLine, storableJson, timestamp } from './values.ts';

/** Saved views of collections. Directus calls them presets; on screen they are views. */

/** How a table of items looks: as Directus stores it in `layout_query.tabular`. */
const LayoutQuery = z.strictObject({
  /** Columns, in their order. */
  fields: z.array(fieldName).max(200).optional(),
  /** `-` in front for descending. */
  sort: z
    .array(
      z
        .string()
        .max(64)
        .regex(/^-?[a-z][a-z0-9_]{0,62}$/, 'Use names of fields.'),
    )
    .max(10)
    .optional(),
  limit: z.int().min(1).max(500).optional(),
});

const presetSettings = {
  /** How people call it. */
  bookmark: name,
  search: singleLine(200).nullable(),
  /** A filter rule. */
  filter: storableJson(12_000).nullable(),
  layout_query: LayoutQuery,
};

export const Preset = z.object({
  /** A UUID; of a view of a Directus, what that has. */
  id: z.string(),
  collection: z.string(),
  bookmark: z.string(),
  /** Whether everybody who reads the collection has it; otherwise it is for the person who made it alone. */
  is_shared: z.boolean(),
  search: z.string().nullable(),
  filter: z.json(),
  layout_query: LayoutQuery,
  /** Null for one of a Directus. */
  date_updated: timestamp.nullable(),
});
export type Preset = z.infer<typeof Preset>;

export const PresetInput = z.strictObject({
  collection: collectionName,
  bookmark: presetSettings.bookmark,
  is_shared: z.boolean().default(false),
  search: presetSettings.search.default(null),
  filter: presetSettings.filter.default(null),
  layout_query: presetSettings.layout_query.default({}),
});
export type PresetInput = z.infer<typeof PresetInput>;

export const PresetChanges = z.strictObject({ ...presetSettings, is_shared: z.boolean() }).partial();
export type PresetChanges = z.infer<typeof PresetChanges>;

/** Shared ones of a collection, and those of one person there. */
export const maxPresets = 100;

const inOrganization = memberOperations('Content', 'organization_id');

/** Everybody has views of their own. To share one, or to change one that is shared, takes `update Content`. */
export const presetOperations = {
  presets: inOrganization(
    'GET /content/{organization_id}/presets',
    'Saved views of a collection: shared ones and those of the caller, by name; of a Directus its shared bookmarks',
    'read Content',
  )
    .input(z.strictObject({ organization_id: id, collection: collectionName }))
    .errors(backendFailed)
    .output(z.object({ data: z.array(Preset) })),
  createPreset: inOrganization(
    'POST /content/{organization_id}/presets',
    'Save a view of a collection',
    'read Content',
  )
    .input(PresetInput.extend({ organization_id: id }))
    .errors({ ...tooManyRecords, ...backendFailed })
    .output(Preset),
  updatePreset: inOrganization(
    'PATCH /content/{organization_id}/presets/{id}',
    'Change a saved view',
    'read Content',
  )
    .input(PresetChanges.extend({ organization_id: id, id }))
    .errors(tooManyRecords)
    .output(Preset),
  deletePreset: inOrganization(
    'DELETE /content/{organization_id}/presets/{id}',
    'Delete a saved view',
    'read Content',
  )
    .input(z.strictObject({ organization_id: id, id }))
    .output(z.object({ id })),
};
