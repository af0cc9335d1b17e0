import { unsubscribedScopes, type UnsubscribedScope } from '@reachout/contract/statuses.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { markUnsubscribed } from '../../content/built-in/write-item.queries.ts';
import { optOut, pauseUntil, topicChoice, trackingChoice as chooseTracking } from './choices.ts';
import {
  endPause,
  enterChoices,
  liftByPerson,
  liftSuppressions,
  listChoices,
  listOptedOutOfAll,
  takeBack,
  type AppliedChoice,
  type NewChoice,
} from './choices.queries.ts';
import { listTopicsOfBrands } from './contact-choices.queries.ts';
import { addressKeyOf } from './subscription.ts';
import {
  findRecipientContact,
  type RecipientContact,
  type UnsubscribedDelivery,
} from './recipient-contact.queries.ts';

export interface TopicPreference {
  id: string;
  name: string;
  description: string;
  isSubscribed: boolean;
  /** What the address chose; null: nothing, so that the default of the topic counts. */
  choice: boolean | null;
}

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
  const choices = await listChoices(trx, delivery);
  const { unsubscribedFrom, canResubscribe } = scopeOf(choices, contact);
  const { organizationId, brandId } = delivery;
  const tracking = choices.find(({ kind }) => kind === 'tracking');
  return {
    topics: (await listTopicsOfBrands(trx, { organizationId, brandIds: [brandId] })).map(
      ({ id, name, description, is_default }) => {
        const chosen = choices.find(({ topic_id }) => topic_id === id);
        const choice = chosen === undefined ? null : chosen.value === 'subscribed';
        return { id, name, description, choice, isSubscribed: choice ?? is_default };
      },
    ),
    unsubscribedFrom,
    canResubscribe,
    pausedUntil: choices.find(({ state }) => state === 'paused')?.until ?? null,
    trackingChoice: tracking === undefined ? null : tracking.value === 'allowed',
  };
}

function scopeOf(
  choices: readonly AppliedChoice[],
  contact: RecipientContact | undefined,
): Pick<Preferences, 'unsubscribedFrom' | 'canResubscribe'> & { isMarkedByOthers: boolean } {
  const entries = choices
    .filter(({ kind }) => kind === 'suppression')
    .map(({ value, brand_id, send_id }) => ({
      scope: brand_id === null ? ('organization' as const) : ('brand' as const),
      isOptOut: value !== 'bounce',
      isByLink: value === 'unsubscribe' && send_id !== null,
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
  { topics = [], unsubscribedFrom, isUndo = false, pausedUntil, trackingChoice }: PreferenceChange,
): Promise<void> {
  const { organizationId, brandId, sendId, seq } = delivery;
  const contact = await findRecipientContact(trx, delivery, 'lock');
  const addressKeys = addressesOf(delivery, contact);
  if (unsubscribedFrom !== undefined)
    await changeScope(trx, delivery, { contact, addressKeys }, unsubscribedFrom, isUndo);
  const undone = topics.flatMap(({ id, isSubscribed }) => (isSubscribed === null ? [id] : []));
  if (undone.length > 0) await takeBack(trx, delivery, addressKeys, { kind: 'topic', topicIds: undone });
  const ofEach = (choose: (of: Parameters<typeof topicChoice>[0]) => NewChoice[]) =>
    addressKeys.flatMap((address_key) =>
      choose({ address_key, brand_id: brandId, source: 'preferences', send_id: sendId, seq }),
    );
  await enterChoices(
    trx,
    organizationId,
    ofEach((of) => [
      ...topics.flatMap(({ id, isSubscribed }) =>
        isSubscribed === null ? [] : [topicChoice(of, id, isSubscribed)],
      ),
      ...(pausedUntil ? [pauseUntil(of, pausedUntil)] : []),
    ]),
  );
  if (pausedUntil === null)
    for (const addressKey of addressKeys) await endPause(trx, { organizationId, brandId, addressKey });
  if (trackingChoice === null) await takeBack(trx, delivery, addressKeys, { kind: 'tracking' });
  else if (trackingChoice !== undefined)
    await enterChoices(
      trx,
      organizationId,
      ofEach((of) => [chooseTracking(of, trackingChoice)]),
    );
}

async function changeScope(
  trx: Transaction,
  delivery: UnsubscribedDelivery,
  { contact, addressKeys }: { contact: RecipientContact | undefined; addressKeys: readonly string[] },
  scope: UnsubscribedScope,
  isUndo: boolean,
): Promise<void> {
  const { organizationId, brandId, sendId, seq } = delivery;
  const byLink = { send_id: sendId, seq };
  const mark = async (isUnsubscribed: boolean) => {
    if (contact === undefined) return;
    const { collection } = contact;
    await markUnsubscribed(trx, { organizationId, collection, id: delivery.contactId }, isUnsubscribed);
  };
  const { isMarkedByOthers, unsubscribedFrom } = scopeOf(await listChoices(trx, delivery), contact);
  if (scope === 'brand' && unsubscribedFrom === 'organization' && !isUndo) return;
  if (scope === 'organization') {
    // An opt-out by link would be lifted together with the mark.
    const link = isMarkedByOthers ? {} : byLink;
    await enterChoices(
      trx,
      organizationId,
      addressKeys.map((key) => optOut(null, key, link)),
    );
    await mark(true);
    return;
  }
  const isFromAll = async () => (await listOptedOutOfAll(trx, organizationId, addressKeys)).length > 0;
  const wasFromAll = await isFromAll();
  for (const addressKey of addressKeys) {
    const lifting = { organizationId, brandId, addressKey, basis };
    // To undo lifts what this message has stored; to resubscribe, what the links in all messages have.
    const message = isUndo ? delivery : undefined;
    if (isUndo) await liftSuppressions(trx, { ...lifting, brandId: null, createdBy: null, message });
    if (scope === 'nothing') await liftByPerson(trx, lifting, { isByLinkOnly: true, message });
  }
  if (wasFromAll && !(await isFromAll())) await mark(false);
  if (scope === 'brand')
    await enterChoices(
      trx,
      organizationId,
      addressKeys.map((key) => optOut(brandId, key, byLink)),
    );
}

/** Suppresses further email of the brand, at the address of the message and at the current address of the contact. Idempotent. */
export async function unsubscribeFromBrand(trx: Transaction, delivery: UnsubscribedDelivery): Promise<void> {
  const { organizationId, brandId, sendId, seq } = delivery;
  const addressKeys = addressesOf(delivery, await findRecipientContact(trx, delivery, 'lock'));
  const optOuts = addressKeys.map((key) => optOut(brandId, key, { send_id: sendId, seq }));
  await enterChoices(trx, organizationId, optOuts);
}

/** The address of the message and the current one of the contact, in the order in which all transactions change them. */
const addressesOf = (delivery: UnsubscribedDelivery, contact: RecipientContact | undefined): string[] =>
  [...new Set([delivery.addressKey, addressKeyOf(contact?.email) ?? delivery.addressKey])].toSorted();

/** @returns the language of a delivery's contact as entered, unvalidated; null if unknown */
export const readContactLanguage = async (
  trx: Transaction,
  delivery: UnsubscribedDelivery,
): Promise<string | null> => (await findRecipientContact(trx, delivery))?.language ?? null;
