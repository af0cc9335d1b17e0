import { endOfPause } from '@reachout/contract/rules/pauses.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { lockContact, type ContactTarget } from './change-subscription.ts';
import { endPause, enterChoices } from './choices.queries.ts';
import { pauseUntil, topicChoice } from './choices.ts';
import { findTopic } from './contact-choices.queries.ts';

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
