import { unsubscribedScopes, type UnsubscribedScope } from '@reachout/contract/statuses.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { markUnsubscribed } from '../../content/built-in/write-item.queries.ts';
import {
  deleteTopicChoices,
  deleteTrackingChoice,
  storePause,
  storeTopicChoices,
  storeTrackingChoice,
  type ChoiceKey,
} from './choices.queries.ts';
import {
  insertOptOutsByLink,
  liftByPerson,
  liftSuppressions,
  listOptedOutOfAll,
} from './opt-outs.queries.ts';
import {
  findPause,
  findTrackingChoice,
  listTopicPreferences,
  type TopicPreference,
} from './preferences.queries.ts';
import { addressKeyOf } from './subscription.ts';
import {
  findRecipientContact,
  listSuppressions,
  type RecipientContact,
  type UnsubscribedDelivery,
} from './suppressions.queries.ts';

/** What the recipient of a message gets from its brand. */
export interface Preferences {
  topics: TopicPreference[];
  unsubscribedFrom: UnsubscribedScope;
  /** False while something suppresses the address that `changePreferences` does not lift. */
  canResubscribe: boolean;
  /** ISO 8601. */
  pausedUntil: string | null;
  /** Null: nothing chosen. */
  trackingChoice: boolean | null;
}

/** What to change; null undoes what the link of the same message stored. */
export interface PreferenceChange {
  topics?: readonly { id: string; isSubscribed: boolean | null }[];
  /** From everything, a brand is never unsubscribed alone: only `isUndo` leads back to that. */
  unsubscribedFrom?: UnsubscribedScope;
  /** `unsubscribedFrom` is what was before the last change: what was entered for all brands is lifted for all. */
  isUndo?: boolean;
  pausedUntil?: Date | null;
  trackingChoice?: boolean | null;
}

/** Stored with each opt-out that the holder of an address lifts. */
const basis = 'On the preference page, with the link in an email to this address';

const levelOf = (scope: UnsubscribedScope): number => unsubscribedScopes.indexOf(scope);

/** @returns whether a change leads from one scope to a larger one */
export const isLarger = (scope: UnsubscribedScope, than: UnsubscribedScope): boolean =>
  levelOf(scope) > levelOf(than);

/** Reads what applies to the address of the message. */
export async function readPreferences(
  trx: Transaction,
  delivery: UnsubscribedDelivery,
): Promise<Preferences> {
  const contact = await findRecipientContact(trx, delivery);
  const { unsubscribedFrom, canResubscribe } = await readScope(trx, delivery, contact);
  return {
    topics: await listTopicPreferences(trx, delivery),
    unsubscribedFrom,
    canResubscribe,
    pausedUntil: await findPause(trx, delivery),
    trackingChoice: await findTrackingChoice(trx, delivery),
  };
}

async function readScope(
  trx: Transaction,
  delivery: UnsubscribedDelivery,
  contact: RecipientContact | undefined,
): Promise<Pick<Preferences, 'unsubscribedFrom' | 'canResubscribe'> & { isMarkedByOthers: boolean }> {
  const entries = (await listSuppressions(trx, delivery)).map(({ reason, brand_id, send_id, state }) => ({
    scope: brand_id === null ? ('organization' as const) : ('brand' as const),
    isOptOut: state !== 'bounced',
    isByLink: reason === 'unsubscribe' && send_id !== null,
  }));
  const isMarked = contact?.is_unsubscribed === true;
  const scopes = entries.flatMap(({ scope, isOptOut }) => (isOptOut ? [scope] : []));
  if (isMarked) scopes.push('organization');
  const isMarkedByOthers =
    isMarked && !entries.some(({ scope, isByLink }) => scope === 'organization' && isByLink);
  return {
    unsubscribedFrom:
      (['organization', 'brand'] as const).find((scope) => scopes.includes(scope)) ?? 'nothing',
    canResubscribe: entries.every(({ isByLink }) => isByLink) && !isMarkedByOthers,
    isMarkedByOthers,
  };
}

/**
 * Changes what the recipient of a message gets from its brand, at the address of the message and at the current address of
 * the contact. Idempotent. Of suppressions it lifts only those that came from links in messages.
 */
export async function changePreferences(
  trx: Transaction,
  delivery: UnsubscribedDelivery,
  { topics, unsubscribedFrom, isUndo = false, pausedUntil, trackingChoice }: PreferenceChange,
): Promise<void> {
  const { organizationId, brandId, sendId, seq } = delivery;
  const contact = await findRecipientContact(trx, delivery, 'lock');
  const current = addressKeyOf(contact?.email) ?? delivery.addressKey;
  const addressKeys = [...new Set([delivery.addressKey, current])].toSorted();
  if (unsubscribedFrom !== undefined)
    await changeScope(trx, delivery, { contact, addressKeys }, unsubscribedFrom, isUndo);
  for (const addressKey of addressKeys) {
    const key: ChoiceKey = { organizationId, brandId, addressKey, source: 'preferences', sendId, seq };
    if (topics !== undefined) {
      const chosen = topics.flatMap(({ id, isSubscribed }) =>
        isSubscribed === null ? [] : [{ topicId: id, isSubscribed }],
      );
      const undone = topics.flatMap(({ id, isSubscribed }) => (isSubscribed === null ? [id] : []));
      await storeTopicChoices(trx, key, chosen);
      await deleteTopicChoices(trx, key, undone);
    }
    if (pausedUntil !== undefined) await storePause(trx, key, pausedUntil);
    if (trackingChoice === null) await deleteTrackingChoice(trx, key);
    else if (trackingChoice !== undefined) await storeTrackingChoice(trx, key, trackingChoice);
  }
}

async function changeScope(
  trx: Transaction,
  delivery: UnsubscribedDelivery,
  { contact, addressKeys }: { contact: RecipientContact | undefined; addressKeys: readonly string[] },
  scope: UnsubscribedScope,
  isUndo: boolean,
): Promise<void> {
  const { organizationId, brandId } = delivery;
  const mark = async (isUnsubscribed: boolean) => {
    if (contact === undefined) return;
    const { collection } = contact;
    await markUnsubscribed(trx, { organizationId, collection, id: delivery.contactId }, isUnsubscribed);
  };
  const { isMarkedByOthers, unsubscribedFrom } = await readScope(trx, delivery, contact);
  if (scope === 'brand' && unsubscribedFrom === 'organization' && !isUndo) return;
  if (scope === 'organization') {
    // An opt-out by link would be lifted together with the mark.
    const link = isMarkedByOthers ? { sendId: null, seq: null } : delivery;
    await insertOptOutsByLink(trx, { ...link, organizationId, brandId: null }, addressKeys);
    await mark(true);
    return;
  }
  const isFromAll = async () => (await listOptedOutOfAll(trx, organizationId, addressKeys)).length > 0;
  const wasFromAll = await isFromAll();
  for (const addressKey of addressKeys) {
    const lifting = { organizationId, brandId, addressKey, basis };
    if (isUndo) await liftSuppressions(trx, { ...lifting, brandId: null, createdBy: null });
    if (scope === 'nothing') await liftByPerson(trx, lifting, { isByLinkOnly: true });
  }
  if (wasFromAll && !(await isFromAll())) await mark(false);
  if (scope === 'brand') await insertOptOutsByLink(trx, delivery, addressKeys);
}
