import { z } from 'zod';
import { backendFailed } from './content-backend.ts';
import { memberOperations, tooManyRecords } from './operation.ts';
import { collectionName, fieldName, id, name, singleLine, storableJson, timestamp } from './values.ts';

/** Saved views of collections. Directus calls them presets; the screens call them views. */

/** The table layout, in the format that Directus stores in `layout_query.tabular`. */
const LayoutQuery = z.strictObject({
  /** Columns, in display order. */
  fields: z.array(fieldName).max(200).optional(),
  /** A leading `-` means descending. */
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
  /** Display name. */
  bookmark: name,
  search: singleLine(200).nullable(),
  /** A filter rule. */
  filter: storableJson(12_000).nullable(),
  layout_query: LayoutQuery,
};

export const Preset = z.object({
  /** A UUID; for a view in a Directus, the id that it uses there. */
  id: z.string(),
  collection: z.string(),
  bookmark: z.string(),
  /** Whether everyone who can read the collection sees the view; otherwise only its creator does. */
  is_shared: z.boolean(),
  search: z.string().nullable(),
  filter: z.json(),
  layout_query: LayoutQuery,
  /** Null for a view in a Directus. */
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

/** Limit per collection: the shared views, and separately the views of each user. */
export const maxPresets = 100;

const inOrganization = memberOperations('Content', 'organization_id');

/** Every user has private views. Sharing a view, or changing a shared one, requires `update Content`. */
export const presetOperations = {
  presets: inOrganization(
    'GET /content/{organization_id}/presets',
    'Saved views of a collection: shared ones and those of the caller, by name; of a Directus its shared bookmarks',
    'read Content',
  )
    .input({ collection: collectionName })
    .errors(backendFailed)
    .output({ data: z.array(Preset) }),
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
    .input({ id })
    .output({ id }),
};
