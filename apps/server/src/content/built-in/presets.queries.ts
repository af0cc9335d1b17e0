import { sql } from 'kysely';
import { maxPresets, type Preset, type PresetInput } from '@reachout/contract/content-presets.ts';
import type { Transaction } from '../../platform/database/database.ts';

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
export async function countPresets(
  trx: Transaction,
  {
    organizationId,
    collection,
    user_id,
  }: { organizationId: string } & Pick<PresetRow, 'collection' | 'user_id'>,
): Promise<number> {
  const { count } = await trx
    .selectFrom('content_presets')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('collection', '=', collection)
    .where('user_id', 'is not distinct from', user_id)
    .executeTakeFirstOrThrow();
  return count;
}

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
