import type { Owner } from '@reachout/contract/rules/owners.ts';
import { apiError, invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import {
  clientExists,
  countOtherUsers,
  findClientOfBrand,
  listOtherUsers,
  listOwnerNames,
  type OwnedRecord,
} from './owner.queries.ts';

/** Owner as operations accept it: a brand alone implies its client. */
interface OwnerInput {
  client_id?: string | null | undefined;
  brand_id?: string | null | undefined;
}

/**
 * Resolves the owner given in an input.
 * @throws 422 on `client_id` or `brand_id` if it does not exist here or is deleted, or if the brand
 *   belongs to another client
 */
export async function resolveOwner(
  trx: Transaction,
  { client_id = null, brand_id = null }: OwnerInput,
): Promise<Owner> {
  if (brand_id === null) {
    if (client_id !== null && !(await clientExists(trx, client_id)))
      throw invalidInput('client_id', 'There is no such client.');
    return { client_id, brand_id };
  }
  const clientId = await findClientOfBrand(trx, brand_id);
  if (clientId === undefined) throw invalidInput('brand_id', 'There is no such brand.');
  if (client_id !== null && client_id !== clientId)
    throw invalidInput('brand_id', 'This brand belongs to another client.');
  return { client_id: clientId, brand_id };
}

/** Resolves a changed owner. @returns undefined if neither id is given or the owner stays the same. @throws 422 */
export async function resolveOwnerChange(
  trx: Transaction,
  current: Owner,
  change: OwnerInput,
): Promise<Owner | undefined> {
  if (change.client_id === undefined && change.brand_id === undefined) return undefined;
  const next = await resolveOwner(trx, change);
  return next.client_id === current.client_id && next.brand_id === current.brand_id ? undefined : next;
}

/**
 * Resolves the client or brand whose usable records a list is limited to.
 * @returns undefined for an unlimited list; `unknown` for a brand that does not exist or belongs to another client
 */
export async function findUsableBy(
  trx: Transaction,
  { client_id, brand_id }: { client_id?: string | undefined; brand_id?: string | undefined },
): Promise<Owner | 'unknown' | undefined> {
  if (brand_id === undefined) return client_id === undefined ? undefined : { client_id, brand_id: null };
  const clientId = await findClientOfBrand(trx, brand_id);
  return clientId === undefined || (client_id !== undefined && client_id !== clientId)
    ? 'unknown'
    : { client_id: clientId, brand_id };
}

/** Whether neither client nor brand is deleted. */
export const isOwnerCurrent = async (trx: Transaction, { client_id, brand_id }: Owner): Promise<boolean> =>
  brand_id === null
    ? client_id === null || (await clientExists(trx, client_id))
    : (await findClientOfBrand(trx, brand_id)) !== undefined;

/** Maximum number of listed users that prevent an owner change. */
const maxNamed = 10;

/**
 * Prevents content of one client from being used for another.
 * @throws 409 `owner_in_use` if a user of the record could no longer use it under the next owner
 */
export async function denyOwnerInUse(trx: Transaction, record: OwnedRecord, next: Owner): Promise<void> {
  // Counts users outside the member's access scope, too.
  const count = await countOtherUsers(trx, record, next);
  if (count === 0) return;
  throw apiError('owner_in_use', { used_by: await listOtherUsers(trx, record, next, maxNamed), count });
}

/** Adds the names of the owners for display. */
export async function withOwners<T extends Owner>(trx: Transaction, records: readonly T[]) {
  const names = await listOwnerNames(trx, records);
  return records.map((record) => ({
    ...record,
    client: names.clients.find(({ id }) => id === record.client_id) ?? null,
    brand: names.brands.find(({ id }) => id === record.brand_id) ?? null,
  }));
}
