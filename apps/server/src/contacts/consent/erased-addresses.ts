import type { Transaction } from '../../platform/database/database.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { deleteErased, hasErasedAddresses, insertErased, listErased } from './erased-addresses.queries.ts';
import { enterChoices } from './choices.queries.ts';
import { optOut } from './choices.ts';

// After a person's data was erased on request, a keyed hash of the address is all that is left. It is looked up where
// addresses come in, so that an import does not bring mail back to the person. docs/consent.md

/** Hash addresses with a key of the installation. */
export type AddressHashes = Pick<Secrets, 'hash' | 'hashes'>;

const purpose = 'erased addresses';

/** Remembers that the data of an address was erased. */
export const rememberErasure = (
  trx: Transaction,
  secrets: AddressHashes,
  organizationId: string,
  addressKey: string,
): Promise<void> => insertErased(trx, organizationId, secrets.hash(purpose, addressKey));

/** Whether an erasure is still wanted: its owner has not signed up again since, and no member has resubscribed the contact. */
export async function isErased(
  trx: Transaction,
  secrets: AddressHashes,
  organizationId: string,
  addressKey: string,
): Promise<boolean> {
  const hashed = secrets.hashes(purpose, addressKey).map((hash) => ({ address_key: addressKey, hash }));
  return (await listErased(trx, organizationId, hashed)).length > 0;
}

/** Forgets an erasure, because the owner of the address has confirmed that they want emails again. */
export const forgetErasure = (
  trx: Transaction,
  secrets: AddressHashes,
  organizationId: string,
  addressKey: string,
): Promise<void> => deleteErased(trx, organizationId, secrets.hashes(purpose, addressKey));

/**
 * Suppresses those of the addresses whose data was erased. Costs one look-up for organizations without erased addresses.
 * @param incoming.brandsInScope  used in place of all brands if the transaction is limited to some
 * @param addressKeys  called only if the organization has erased addresses
 * @returns the suppressed ones
 */
export async function suppressErased(
  trx: Transaction,
  secrets: AddressHashes,
  incoming: { organizationId: string; brandsInScope: () => Promise<readonly (string | null)[]> },
  addressKeys: () => readonly string[],
): Promise<string[]> {
  const { organizationId } = incoming;
  if (!(await hasErasedAddresses(trx, organizationId))) return [];
  const addresses = [...new Set(addressKeys())].flatMap((address_key) =>
    secrets.hashes(purpose, address_key).map((hash) => ({ address_key, hash })),
  );
  if (addresses.length === 0) return [];
  const erased = await listErased(trx, organizationId, addresses);
  if (erased.length === 0) return [];
  const brandIds = erased[0]!.is_full_scope ? [null] : await incoming.brandsInScope();
  await enterChoices(
    trx,
    organizationId,
    erased.flatMap(({ address_key }) => brandIds.map((brandId) => optOut(brandId, address_key))),
  );
  return erased.map(({ address_key }) => address_key);
}
