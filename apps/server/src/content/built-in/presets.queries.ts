import { sql } from 'kysely';
import { maxPresets, type Preset, type PresetInput } from '@reachout/contract/content-presets.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { countRows } from '../../platform/database/list-page.ts';
import type { SystemRows } from './system-rows.queries.ts';

/** A stored saved view; without a user it is shared. */
export interface PresetRow extends Omit<Preset, 'is_shared'> {
  user_id: string | null;
}

const columns = [
  'id',
  'collection',
  'bookmark',
  'user_id',
  'search',
  'filter',
  'layout_query',
  'date_updated',
] as const;

/** Lists the shared views and those of the user, by name: at most `maxPresets` of each. */
export const listPresets = (
  trx: Transaction,
  { organizationId, userId, collection }: { organizationId: string; userId: string; collection: string },
): Promise<PresetRow[]> =>
  trx
    .selectFrom('content_presets')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where((eb) => eb.or([eb('user_id', 'is', null), eb('user_id', '=', userId)]))
    .where('collection', '=', collection)
    .orderBy(sql`lower(bookmark)`)
    .orderBy('id')
    .limit(2 * maxPresets)
    .execute();

/** Locks a view until the transaction ends. @returns undefined if it does not exist or belongs to another user */
export const lockPreset = (
  trx: Transaction,
  { organizationId, userId, id }: { organizationId: string; userId: string; id: string },
): Promise<PresetRow | undefined> =>
  trx
    .selectFrom('content_presets')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('user_id', 'is', null), eb('user_id', '=', userId)]))
    .forUpdate()
    .executeTakeFirst();

/** Counts the views of a collection that are shared, or that belong to one user. */
export const countPresets = (
  trx: Transaction,
  {
    organizationId,
    collection,
    user_id,
  }: { organizationId: string } & Pick<PresetRow, 'collection' | 'user_id'>,
): Promise<number> =>
  countRows(
    trx
      .selectFrom('content_presets')
      .where('organization_id', '=', organizationId)
      .where('collection', '=', collection)
      .where('user_id', 'is not distinct from', user_id),
  );

export type PresetValues = Omit<PresetInput, 'is_shared'> & Pick<PresetRow, 'user_id'>;

export async function insertPreset(
  trx: Transaction,
  organization_id: string,
  { id, ...values }: PresetValues & { id: string },
): Promise<void> {
  await trx
    .insertInto('content_presets')
    .values({ organization_id, id, ...toColumns(values) })
    .execute();
}

export async function updatePreset(
  trx: Transaction,
  organizationId: string,
  { id, ...values }: PresetValues & { id: string },
): Promise<void> {
  await trx
    .updateTable('content_presets')
    .set({ ...toColumns(values), date_updated: sql<string>`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

export async function deletePreset(trx: Transaction, organizationId: string, id: string): Promise<void> {
  await trx
    .deleteFrom('content_presets')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

const toColumns = ({ filter, layout_query, ...plain }: PresetValues) => ({
  ...plain,
  filter: filter === null ? null : JSON.stringify(filter),
  layout_query: JSON.stringify(layout_query),
});

/** Saved views in the form of Directus presets: the shared ones and those of one user. */
export const presetRows = (organizationId: string, userId: string): SystemRows => ({
  fields: [
    { name: 'bookmark', type: 'string' },
    { name: 'user', type: 'uuid' },
    { name: 'role', type: 'uuid' },
    { name: 'collection', type: 'string' },
    { name: 'search', type: 'string' },
    { name: 'filter', type: 'json' },
    { name: 'layout', type: 'string' },
    { name: 'layout_query', type: 'json' },
    { name: 'layout_options', type: 'json' },
    { name: 'refresh_interval', type: 'integer' },
    { name: 'icon', type: 'string' },
    { name: 'color', type: 'string' },
  ],
  rows: sql`
    select p.id::text as id, p.user_id as user_created, p.date_updated as date_created, p.date_updated,
      jsonb_build_object('bookmark', p.bookmark, 'user', p.user_id, 'role', null, 'collection', p.collection,
        'search', p.search, 'filter', p.filter, 'layout', 'tabular',
        'layout_query', jsonb_build_object('tabular', p.layout_query), 'layout_options', null,
        'refresh_interval', null, 'icon', 'bookmark', 'color', null) as data
    from content_presets p
    where p.organization_id = ${organizationId} and (p.user_id is null or p.user_id = ${userId})`,
});
