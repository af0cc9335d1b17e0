import { invalidInput, notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { lockItem } from '../../content/built-in/items.queries.ts';
import { markUnsubscribed } from '../../content/built-in/write-item.queries.ts';
import type { ContactKey } from './contact-subscription.ts';
import { getContact, type FoundContacts } from './find-contacts.ts';
import {
  enterChoices,
  insertResubscription,
  isBlocked,
  liftSuppressions,
  endPause,
} from './choices.queries.ts';
import { optOut, pauseUntil, topicChoice } from './choices.ts';
import { findBrandName } from './subscription.queries.ts';
import { addressKeyOf } from './subscription.ts';
import { endOfPause } from '@reachout/contract/rules/pauses.ts';
import { findTopic } from './contact-choices.queries.ts';

/** The contact to change, and who changes it. */
export interface ContactTarget extends ContactKey {
  contacts: FoundContacts;
  userId: string;
}

export interface SubscriptionTarget extends ContactTarget {
  /** Null for all brands. */
  brandId: string | null;
}

/** The changed subscription; `brand` is the brand's name, or null for all brands. */
export interface ChangedSubscription {
  brand: string | null;
}

/**
 * Unsubscribes a contact from one brand or from all brands. Idempotent.
 * @throws 404; 422 on `brand_id`, and on `key` for a contact without an address
 */
export async function unsubscribeContact(
  trx: Transaction,
  target: SubscriptionTarget,
  note: string,
): Promise<ChangedSubscription> {
  const { addressKey, brand } = await lockContact(trx, target);
  const { organizationId, brandId, userId } = target;
  await enterChoices(trx, organizationId, [
    optOut(brandId, addressKey, { created_by: userId, note: note || null }),
  ]);
  // Does not change a Directus: the opt-out entered here applies to its contacts, too.
  if (brandId === null && !target.contacts.isRemote) await markUnsubscribed(trx, itemKeyOf(target), true);
  return { brand };
}

/**
 * Lifts a contact's suppressions for one brand, or those for all brands; the latter keeps opt-outs from single brands.
 * Records the basis with the lifted suppressions. Idempotent.
 * @throws as `unsubscribeContact`; 422 on `key` for an address that the operator has blocked, and for a contact that its
 *   Directus marks as unsubscribed
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

/**
 * Locks the contact, so that concurrent changes run one after another. Contacts in a Directus are not locked.
 * @throws as `unsubscribeContact`
 */
export async function lockContact(trx: Transaction, target: SubscriptionTarget) {
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

/**
 * Stores that a contact is subscribed to a topic, or is not. Idempotent.
 * @returns the names for the audit log
 * @throws 404; 422 on `topic_id`, on `basis` for subscribing without one, and on `key` for a contact without an address
 */
export async function chooseTopic(
  trx: Transaction,
  target: ContactTarget,
  { topicId, isSubscribed, basis }: { topicId: string; isSubscribed: boolean; basis: string },
): Promise<{ brand: string; topic: string; is_subscribed: boolean }> {
  if (isSubscribed && basis === '')
    throw invalidInput('basis', 'Say what allows you to write to this contact about this topic.');
  const topic = await findTopic(trx, target.organizationId, topicId);
  if (topic === undefined) throw invalidInput('topic_id', 'There is no such topic.');
  const { of, brand } = await lockChoices(trx, { ...target, brandId: topic.brand_id });
  await enterChoices(trx, target.organizationId, [
    topicChoice({ ...of, note: basis || null }, topicId, isSubscribed),
  ]);
  return { brand, topic: topic.name, is_subscribed: isSubscribed };
}

/**
 * Stores a pause from now on, or ends it. Idempotent.
 * @throws as `chooseTopic`, with `brand_id`
 */
export async function pauseContact(
  trx: Transaction,
  target: ContactTarget & { brandId: string },
  isPaused: boolean,
  now: Date,
): Promise<{ brand: string; is_paused: boolean }> {
  const { of, brand } = await lockChoices(trx, target);
  const { organizationId, brandId } = target;
  if (isPaused) await enterChoices(trx, organizationId, [pauseUntil(of, endOfPause(now))]);
  else await endPause(trx, { organizationId, brandId, addressKey: of.address_key });
  return { brand, is_paused: isPaused };
}

async function lockChoices(trx: Transaction, target: ContactTarget & { brandId: string }) {
  const { brandId, userId } = target;
  const { addressKey, brand } = await lockContact(trx, target);
  const of = { address_key: addressKey, brand_id: brandId, source: 'member', created_by: userId } as const;
  // Null is for all brands.
  return { of, brand: brand! };
}
