import {
  suppressedStates,
  type SubscriptionState,
  type SuppressedState,
  type SuppressionSource,
} from '@reachout/contract/statuses.ts';
import type { SubscriptionSummary, Suppression } from '@reachout/contract/consent.ts';
import { maxInputLength, parseAddress } from '../../email/addresses/address.ts';
import type { AddressTally, StoredContact, StoredSuppression } from './subscription.queries.ts';

// Whether a contact gets mail, from what is stored. What one suppression says is decided by the SQL function
// `subscription_state` alone; this puts several together, and adds what the contact says itself. Pure.

/** As suppressions compare addresses; undefined for what no mail could be sent to. */
export function addressKeyOf(email: unknown): string | undefined {
  if (typeof email !== 'string') return undefined;
  const parsed = parseAddress(email);
  return 'error' in parsed ? undefined : parsed.key;
}

/**
 * Under which the opt-outs of a contact are kept: also of what is no address, so that one that was mistyped for a while
 * does not come out of it without them. Undefined for nothing, and for what is far too long.
 */
export function keptKeyOf(email: unknown): string | undefined {
  if (typeof email !== 'string' || email.length > maxInputLength) return undefined;
  return addressKeyOf(email) ?? (email.trim().toLowerCase() || undefined);
}

/** The one that counts of several. */
export const strongestState = (states: readonly SuppressedState[]): SuppressedState | 'subscribed' =>
  suppressedStates.find((state) => states.includes(state)) ?? 'subscribed';

/** A contact that is marked as unsubscribed gets no mail of any brand, whatever else is known. */
export const statesOf = (
  { is_unsubscribed }: Pick<StoredContact, 'is_unsubscribed'>,
  states: readonly SuppressedState[],
): SuppressedState[] => (is_unsubscribed ? [...states, 'unsubscribed'] : [...states]);

/** @param tally  undefined where nothing is suppressed */
export function summarize(
  contact: StoredContact,
  tally: AddressTally | undefined,
  brandsCount: number,
): SubscriptionSummary {
  const suppressedCount = tally?.suppressed_count ?? 0;
  const ofAll = strongestState(statesOf(contact, tally?.states ?? []));
  const isLeftByEachBrand = brandsCount > 0 && suppressedCount >= brandsCount;
  return {
    key: contact.id,
    state: stateOf(contact, ofAll === 'subscribed' && isLeftByEachBrand ? 'unsubscribed' : ofAll),
    suppressed_count: suppressedCount,
    brands_count: brandsCount,
  };
}

/** @param state  of the address, if there is one */
export const stateOf = (contact: StoredContact, state: SubscriptionState): SubscriptionState =>
  addressKeyOf(contact.email) === undefined ? 'no_address' : state;

/** What a contact's own mark says when no suppression of all brands tells more about it. */
const marked: Suppression = {
  brand_id: null,
  brand_name: null,
  state: 'unsubscribed',
  source: 'contact',
  at: null,
  touchpoint: null,
  by: null,
  import: null,
  note: null,
};

/** The suppressions of a contact as they are shown. */
export function describeSuppressions(
  { is_unsubscribed }: Pick<StoredContact, 'is_unsubscribed'>,
  stored: readonly StoredSuppression[],
): Suppression[] {
  const isExplained = stored.some(({ brand_id, state }) => brand_id === null && state === 'unsubscribed');
  return [
    ...(is_unsubscribed && !isExplained ? [marked] : []),
    ...stored.map((suppression): Suppression => {
      const { reason: _reason, has_send: _hasSend, ...shown } = suppression;
      return { ...shown, source: sourceOf(suppression) };
    }),
  ];
}

function sourceOf(suppression: StoredSuppression): SuppressionSource {
  const { reason, has_send } = suppression;
  if (reason === 'bounce' || reason === 'complaint') return reason;
  if (has_send) return 'link';
  return suppression.import === null ? 'office' : 'import';
}
