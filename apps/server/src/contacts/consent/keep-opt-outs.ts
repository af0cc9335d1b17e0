import type { Item } from '@reachout/contract/content.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { validationFailed } from '../../content/backend/content-backend.ts';
import type { ItemWriter } from '../../content/backend/contact-rules.ts';
import type { JsonValue } from '../../content/backend/field-values.ts';
import { markUnsubscribedByKeys } from '../../content/built-in/write-item.queries.ts';
import { copyRefusals, enterChoices, listOptedOutOfAll, listRefusing } from './choices.queries.ts';
import { optOut } from './choices.ts';
import { enterImportedOptOuts, listBrandsOfCollection, type ImportedContacts } from './opt-outs.queries.ts';
import type { MovedContact } from '../../content/built-in/upsert-items.queries.ts';
import { suppressErased, type AddressHashes } from './erased-addresses.ts';
import { addressKeyOf, keptKeyOf } from './subscription.ts';

// Writing a contact can add an opt-out but never lift one: that is a separate operation with a reason
// (change-subscription.ts). Opt-outs belong to addresses, so that they outlive the contact.

type Data = Record<string, JsonValue>;

interface Writer extends ItemWriter {
  secrets: AddressHashes | undefined;
}

/**
 * Preserves the opt-outs of a contact that is created or changed.
 * @param before  undefined for a new contact
 * @returns the data to store
 * @throws 422 `validation_failed` if the change would clear `unsubscribed`
 */
export async function keepOptOuts(
  trx: Transaction,
  { organizationId, userId, collection, secrets }: Writer,
  before: Item | undefined,
  after: Data,
): Promise<Data> {
  const wasUnsubscribed = before?.['unsubscribed'] === true;
  const isUnsubscribed = after['unsubscribed'] === true;
  if (wasUnsubscribed && !isUnsubscribed) {
    const message = 'This contact has unsubscribed. Only “Resubscribe”, with a reason, takes that back.';
    throw validationFailed([{ path: 'unsubscribed', message }]);
  }
  const brandsInScope = () => listBrandsOfCollection(trx, organizationId, collection);
  const isNew = (value: JsonValue, field: string) => before?.[field] !== value;
  const erased =
    secrets === undefined
      ? []
      : await suppressErased(trx, secrets, { organizationId, brandsInScope }, () =>
          Object.entries(after).flatMap(([field, value]) =>
            isNew(value, field) ? (addressKeyOf(value) ?? []) : [],
          ),
        );
  const addressKey = keptKeyOf(after['email']);
  const formerKey = keptKeyOf(before?.['email']);
  const isSameAddress = addressKey === formerKey;
  if (addressKey === undefined || (isSameAddress && wasUnsubscribed === isUnsubscribed)) return after;
  if (formerKey !== undefined && !isSameAddress)
    await copyRefusals(trx, organizationId, { from: formerKey, to: addressKey });
  if (isUnsubscribed) {
    const optOuts = (await brandsInScope()).map((brandId) =>
      optOut(brandId, addressKey, { created_by: userId }),
    );
    await enterChoices(trx, organizationId, optOuts);
    return after;
  }
  if (!Object.hasOwn(after, 'unsubscribed')) return after;
  const isOptedOut =
    erased.includes(addressKey) || (await listOptedOutOfAll(trx, organizationId, [addressKey])).length > 0;
  return isOptedOut ? { ...after, unsubscribed: true } : after;
}

/** Suppresses the erased addresses in rows that an import has just stored, in whichever field: each audience maps one. */
export async function keepErased(
  trx: Transaction,
  secrets: AddressHashes,
  { organizationId, collection }: Pick<ImportedContacts, 'organizationId' | 'collection'>,
  rows: readonly { patch: Record<string, unknown> }[],
): Promise<void> {
  const brandsInScope = () => listBrandsOfCollection(trx, organizationId, collection);
  await suppressErased(trx, secrets, { organizationId, brandsInScope }, () =>
    rows.flatMap(({ patch }) => Object.values(patch).flatMap((value) => addressKeyOf(value) ?? [])),
  );
}

/**
 * Inserts the opt-outs of rows that an import has just stored, and copies those of contacts with a new address. Marks contacts whose address has already opted out of all
 * brands as unsubscribed, even if the row says otherwise.
 */
export async function keepImportedOptOuts(
  trx: Transaction,
  contacts: ImportedContacts,
  rows: readonly { key: string; patch: Record<string, unknown> }[],
  moved: readonly MovedContact[],
): Promise<void> {
  const { organizationId, collection } = contacts;
  await copyMoved(trx, organizationId, moved);
  const keys = new Set(rows.filter(({ patch }) => patch['unsubscribed'] === true).map(({ key }) => key));
  if (keys.size > 0) {
    const brandIds = await listBrandsOfCollection(trx, organizationId, collection);
    await enterImportedOptOuts(trx, contacts, brandIds, [...keys]);
  }
  const keyOfAddress = new Map(
    rows.flatMap(({ key, patch }) => {
      const addressKey = keys.has(key) ? undefined : addressKeyOf(patch['email']);
      return addressKey === undefined ? [] : [[addressKey, key]];
    }),
  );
  const known = await listOptedOutOfAll(trx, organizationId, [...keyOfAddress.keys()]);
  if (known.length > 0)
    await markUnsubscribedByKeys(
      trx,
      contacts,
      known.map((addressKey) => keyOfAddress.get(addressKey)!),
    );
}

/** Few contacts have refused anything, so that one query finds those of a batch. */
async function copyMoved(
  trx: Transaction,
  organizationId: string,
  moved: readonly MovedContact[],
): Promise<void> {
  const pairs = moved.flatMap(({ from, to }) => {
    const [formerKey, addressKey] = [keptKeyOf(from), keptKeyOf(to)];
    return formerKey === undefined || addressKey === undefined || formerKey === addressKey
      ? []
      : [{ from: formerKey, to: addressKey }];
  });
  if (pairs.length === 0) return;
  const refusing = new Set(
    await listRefusing(
      trx,
      organizationId,
      pairs.map(({ from }) => from),
    ),
  );
  for (const pair of pairs
    .filter(({ from }) => refusing.has(from))
    .toSorted((a, b) => (a.to < b.to ? -1 : 1)))
    await copyRefusals(trx, organizationId, pair);
}
