import {
  maxPresets,
  type Preset,
  type PresetChanges,
  type PresetInput,
} from '@reachout/contract/content-presets.ts';
import { forbidden, notFound, tooManyRecords, orNotFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { findFields } from '../built-in/collections.queries.ts';
import { lockFields } from '../built-in/fields.queries.ts';
import {
  countPresets,
  deletePreset,
  insertPreset,
  lockPreset,
  updatePreset,
  type PresetRow,
  type PresetValues,
} from '../built-in/presets.queries.ts';

/** The user who reads or changes views. */
export interface PresetCaller {
  organizationId: string;
  userId: string;
  /** Whether the user may share views, and change shared ones. */
  canShare: boolean;
}

export const toPreset = ({ user_id, ...row }: PresetRow): Preset => ({ ...row, is_shared: user_id === null });

/** @throws 403 if the caller may not share it; 404; 409 `too_many_records` */
export async function savePreset(
  trx: Transaction,
  caller: PresetCaller,
  { is_shared, ...values }: PresetInput,
): Promise<Preset> {
  const { organizationId } = caller;
  if ((await findFields(trx, organizationId, values.collection)) === undefined) throw notFound();
  const row = { ...values, user_id: ownerOf(caller, is_shared) };
  await denyTooMany(trx, organizationId, row);
  const id = newId();
  await insertPreset(trx, organizationId, { id, ...row });
  return toPreset(await getPreset(trx, caller, id));
}

/** @throws 403; 404; 409 `too_many_records` */
export async function changePreset(
  trx: Transaction,
  caller: PresetCaller,
  id: string,
  { is_shared, ...changes }: PresetChanges,
): Promise<Preset> {
  const before = await openPreset(trx, caller, id);
  const isShared = is_shared ?? before.user_id === null;
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const row: PresetValues & { id: string } = {
    id,
    collection: before.collection,
    bookmark: before.bookmark,
    search: before.search,
    filter: before.filter,
    layout_query: before.layout_query,
    ...given,
    user_id: ownerOf(caller, isShared),
  };
  if (row.user_id !== before.user_id) await denyTooMany(trx, caller.organizationId, row);
  await updatePreset(trx, caller.organizationId, row);
  return toPreset(await getPreset(trx, caller, id));
}

/** @returns the deleted view @throws 403; 404 */
export async function removePreset(trx: Transaction, caller: PresetCaller, id: string): Promise<Preset> {
  const before = await openPreset(trx, caller, id);
  await deletePreset(trx, caller.organizationId, id);
  return toPreset(before);
}

async function openPreset(trx: Transaction, caller: PresetCaller, id: string): Promise<PresetRow> {
  const before = await getPreset(trx, caller, id);
  if (before.user_id === null) ownerOf(caller, true);
  return before;
}

const getPreset = async (trx: Transaction, caller: PresetCaller, id: string): Promise<PresetRow> =>
  orNotFound(await lockPreset(trx, { ...caller, id }));

/** @returns null for a shared view @throws 403 if the caller may not share */
function ownerOf({ userId, canShare }: PresetCaller, isShared: boolean): string | null {
  if (isShared && !canShare) throw forbidden('update', 'Content');
  return isShared ? null : userId;
}

async function denyTooMany(
  trx: Transaction,
  organizationId: string,
  row: Pick<PresetRow, 'collection' | 'user_id'>,
): Promise<void> {
  // Serializes concurrent changes, so that they count each other.
  await lockFields(trx, { organizationId, collection: row.collection }, 'change fields');
  if ((await countPresets(trx, { organizationId, ...row })) >= maxPresets) throw tooManyRecords(maxPresets);
}
