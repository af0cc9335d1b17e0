import type { Subscription, SubscriptionSummary } from '@reachout/contract/consent.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { getContact, type FoundContacts } from './find-contacts.ts';
import {
  countBrands,
  listBrandStates,
  listResubscriptions,
  listSuppressionsOf,
  tallyAddresses,
} from './subscription.queries.ts';
import {
  addressKeyOf,
  describeSuppressions,
  stateOf,
  statesOf,
  strongestState,
  summarize,
} from './subscription.ts';

/** A contact of a collection whose items have an `email`. */
export interface ContactKey {
  organizationId: string;
  collection: string;
  key: string;
}

/** Maximum brands, suppressions and resubscriptions in one response. */
const limit = 100;

/**
 * Summarizes the subscriptions of the existing contacts. Ignores records outside the transaction's access scope.
 * @param clientId  counts only this client's brands; undefined for all clients
 */
export async function summarizeContacts(
  trx: Transaction,
  organizationId: string,
  found: FoundContacts,
  clientId?: string,
): Promise<SubscriptionSummary[]> {
  const contacts = await found.read(trx);
  const addressKeys = contacts.flatMap(({ email }) => addressKeyOf(email) ?? []);
  const tallies = await tallyAddresses(trx, organizationId, addressKeys, clientId);
  const brandsCount = await countBrands(trx, clientId);
  return contacts.map((contact) => {
    const addressKey = addressKeyOf(contact.email);
    return summarize(
      contact,
      tallies.find((tally) => tally.address_key === addressKey),
      brandsCount,
    );
  });
}

/**
 * Returns for each brand whether a contact may receive its email, with the reasons.
 * @param clientId  lists and counts only this client's brands; undefined for all clients
 * @throws 404
 */
export async function getSubscription(
  trx: Transaction,
  organizationId: string,
  found: FoundContacts,
  clientId?: string,
): Promise<Subscription> {
  const contact = await getContact(trx, found);
  // The empty address matches no suppression.
  const addressKey = addressKeyOf(contact.email) ?? '';
  const [tally] = await tallyAddresses(trx, organizationId, [addressKey], clientId);
  const ofAddress = { organizationId, addressKey, limit };
  const brands = await listBrandStates(trx, { ...ofAddress, clientId });
  return {
    ...summarize(contact, tally, await countBrands(trx, clientId)),
    address: contact.email,
    brands: brands.map(({ states, ...brand }) => ({
      ...brand,
      state: stateOf(contact, strongestState(statesOf(contact, states))),
    })),
    suppressions: describeSuppressions(contact, await listSuppressionsOf(trx, ofAddress)),
    resubscriptions: await listResubscriptions(trx, ofAddress),
  };
}
