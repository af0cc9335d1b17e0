import {
  suppressedStates,
  type SubscriptionState,
  type SuppressedState,
  type SuppressionReason,
  type SuppressionSource,
} from '@reachout/contract/statuses.ts';
import type { SubscriptionSummary, Suppression } from '@reachout/contract/consent.ts';
import type { ListedSuppression } from '@reachout/contract/suppressions.ts';
import { maxInputLength, parseAddress } from '../../email/addresses/address.ts';
import type { AddressTally, StoredContact } from './subscription.queries.ts';
import type { StoredSuppression } from './suppression-list.queries.ts';

// Pure functions that decide from stored data whether a contact receives email. Only the SQL function
// `subscription_state` interprets a single suppression; this module combines several and adds the contact's own mark.

/** @returns the address in the form that suppressions compare; undefined for an invalid address */
export function addressKeyOf(email: unknown): string | undefined {
  if (typeof email !== 'string') return undefined;
  const parsed = parseAddress(email);
  return 'error' in parsed ? undefined : parsed.key;
}

/**
 * @returns the key for a contact's opt-outs, also for an invalid address, so that a temporary typo does not lose them;
 *   undefined for an empty or far too long value
 */
export function keptKeyOf(email: unknown): string | undefined {
  if (typeof email !== 'string' || email.length > maxInputLength) return undefined;
  return addressKeyOf(email) ?? (email.trim().toLowerCase() || undefined);
}

/** @returns the state that takes precedence */
export const strongestState = (states: readonly SuppressedState[]): SuppressedState | 'subscribed' =>
  suppressedStates.find((state) => states.includes(state)) ?? 'subscribed';

/** A contact that is marked as unsubscribed receives no email of any brand, regardless of suppressions. */
export const statesOf = (
  { is_unsubscribed }: Pick<StoredContact, 'is_unsubscribed'>,
  states: readonly SuppressedState[],
): SuppressedState[] => (is_unsubscribed ? [...states, 'unsubscribed'] : [...states]);

/** @param tally  undefined if nothing is suppressed */
export function summarize(
  contact: StoredContact,
  tally: AddressTally | undefined,
  brandsCount: number,
): SubscriptionSummary {
  const suppressedCount = tally?.suppressed_count ?? 0;
  const ofAll = strongestState(statesOf(contact, tally?.states ?? []));
  const isLeftByEachBrand = brandsCount > 0 && suppressedCount >= brandsCount;
  // After a pause, at least one brand sends again.
  const ofEachBrand = (tally?.paused_count ?? 0) > 0 ? 'paused' : 'unsubscribed';
  return {
    key: contact.id,
    state: stateOf(contact, ofAll === 'subscribed' && isLeftByEachBrand ? ofEachBrand : ofAll),
    suppressed_count: suppressedCount,
    brands_count: brandsCount,
  };
}

/** @param state  state of the contact's address, if it has a valid one */
export const stateOf = (contact: StoredContact, state: SubscriptionState): SubscriptionState =>
  addressKeyOf(contact.email) === undefined ? 'no_address' : state;

/** Shown for a contact's own mark if no suppression for all brands explains it. */
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

/** @returns the suppressions of a contact for display */
export function describeSuppressions(
  { is_unsubscribed }: Pick<StoredContact, 'is_unsubscribed'>,
  stored: readonly StoredSuppression[],
): Suppression[] {
  const isExplained = stored.some(({ brand_id, state }) => brand_id === null && state === 'unsubscribed');
  return [
    ...(is_unsubscribed && !isExplained ? [marked] : []),
    ...stored.map((suppression): Suppression => {
      const {
        id: _id,
        address: _address,
        reason: _reason,
        created_at: _createdAt,
        send_id: _sendId,
        ...shown
      } = toListed(suppression);
      return shown;
    }),
  ];
}

/** A suppression as lists and exports show it. */
export function toListed(suppression: StoredSuppression): ListedSuppression {
  const { has_send: _hasSend, is_imported: _isImported, ...shown } = suppression;
  return { ...shown, source: sourceOf(suppression) };
}

export function sourceOf({
  reason,
  has_send: hasSend,
  is_imported: isImported,
}: Pick<StoredSuppression, 'has_send' | 'is_imported'> & {
  reason: SuppressionReason | null;
}): SuppressionSource {
  if (reason === 'bounce' || reason === 'complaint') return reason;
  if (hasSend) return 'link';
  return isImported ? 'import' : 'office';
}
