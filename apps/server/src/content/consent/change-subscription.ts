import { invalidInput, notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { lockItem } from '../built-in/items.queries.ts';
import { markUnsubscribed } from '../built-in/write-item.queries.ts';
import type { ContactKey } from './contact-subscription.ts';
import { getContact, type FoundContacts } from './find-contacts.ts';
import { insertOptOut, insertResubscription, isBlocked, liftSuppressions } from './opt-outs.queries.ts';
import { findBrandName } from './subscription.queries.ts';
import { addressKeyOf } from './subscription.ts';

export interface SubscriptionTarget extends ContactKey {
  contacts: FoundContacts;
  /** Null: all brands. */
  brandId: string | null;
  userId: string;
}

/** What was changed; the name of the brand is null for all brands. */
export interface ChangedSubscription {
  brand: string | null;
}

/**
 * Enters that a contact wants no mail of a brand, or of any. A repeat changes nothing.
 * @throws 404; 422 on `brand_id`, and on `key` for a contact without an address
 */
export async function unsubscribeContact(
  trx: Transaction,
  target: SubscriptionTarget,
  note: string,
): Promise<ChangedSubscription> {
  const { addressKey, brand } = await lockContact(trx, target);
  const { organizationId, brandId, userId } = target;
  await insertOptOut(trx, { organizationId, brandId, addressKey, createdBy: userId, note: note || null });
  // A Directus is left as it is: what is entered here holds for its contacts, too.
  if (brandId === null && !target.contacts.isRemote) await markUnsubscribed(trx, itemKeyOf(target), true);
  return { brand };
}

/**
 * Lifts what keeps mail of a brand from a contact, or what all brands share; opt-outs of single brands stay then. The basis
 * is kept with what was lifted. A repeat changes nothing.
 * @throws as `unsubscribeContact`; 422 on `key` for an address that the operator has blocked, and for a contact that its Directus marks
 */
export async function resubscribeContact(
  trx: Transaction,
  target: SubscriptionTarget,
  basis: string,
): Promise<ChangedSubscription> {
  const { addressKey, isUnsubscribed, brand } = await lockContact(trx, target);
  const { organizationId, brandId, userId } = target;
  const lifting = { organizationId, brandId, addressKey, basis, createdBy: userId };
  if (await isBlocked(trx, lifting))
    throw invalidInput('key', 'The operator of this installation has blocked this address.');
  if (brandId === null && isUnsubscribed && target.contacts.isRemote)
    throw invalidInput('key', 'Your Directus marks this contact as unsubscribed. Change that first.');
  const lifted = await liftSuppressions(trx, lifting);
  if (brandId === null && isUnsubscribed) {
    if (lifted === 0) await insertResubscription(trx, lifting);
    await markUnsubscribed(trx, itemKeyOf(target), false);
  }
  return { brand };
}

/** Two who change the same contact do so one after the other; of a Directus nothing is locked. */
async function lockContact(trx: Transaction, target: SubscriptionTarget) {
  const brand = target.brandId === null ? null : await findBrandName(trx, target.brandId);
  if (brand === undefined) throw invalidInput('brand_id', 'There is no such brand.');
  const isLocked = target.contacts.isRemote || (await lockItem(trx, itemKeyOf(target))) !== undefined;
  if (!isLocked) throw notFound();
  const { email, is_unsubscribed: isUnsubscribed } = await getContact(trx, target.contacts);
  const addressKey = addressKeyOf(email);
  if (addressKey === undefined) throw invalidInput('key', 'This contact has no valid email address.');
  return { addressKey, brand, isUnsubscribed };
}

const itemKeyOf = ({ organizationId, collection, key }: ContactKey) => ({
  organizationId,
  collection,
  id: key,
});
