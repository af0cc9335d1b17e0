import type { Subscription, SubscriptionSummary } from '@reachout/contract/consent.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { readChoices } from './contact-choices.ts';
import { getContact, type FoundContacts } from './find-contacts.ts';
import {
  countBrands,
  findOwnerOfContacts,
  listBrandStates,
  listResubscriptions,
  listSuppressionsOf,
  tallyAddresses,
  type SubscribedBrands,
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
  const of = await findBrands(trx, found, clientId);
  const tallies = await tallyAddresses(trx, organizationId, addressKeys, of);
  const brandsCount = await countBrands(trx, of);
  return contacts.map((contact) => {
    const addressKey = addressKeyOf(contact.email);
    return summarize(
      contact,
      tallies.find((tally) => tally.address_key === addressKey),
      brandsCount,
    );
  });
}

/** The brands that can use the collection of the contacts. */
const findBrands = async (
  trx: Transaction,
  found: FoundContacts,
  clientId: string | undefined,
): Promise<SubscribedBrands> => ({
  owner: (await findOwnerOfContacts(trx, found)) ?? { client_id: null, brand_id: null },
  clientId,
});

/**
 * Returns for each brand that can use its collection whether a contact may receive its email, with the reasons.
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
  const of = await findBrands(trx, found, clientId);
  const [tally] = await tallyAddresses(trx, organizationId, [addressKey], of);
  const ofAddress = { organizationId, addressKey, limit };
  const brands = await listBrandStates(trx, { ...ofAddress, of });
  const choices = await readChoices(trx, { ...ofAddress, brandIds: brands.map(({ id }) => id) });
  return {
    ...summarize(contact, tally, await countBrands(trx, of)),
    address: contact.email,
    brands: brands.map(({ states, ...brand }) => ({
      ...brand,
      state: stateOf(contact, strongestState(statesOf(contact, states))),
      ...choices.get(brand.id)!,
    })),
    suppressions: describeSuppressions(contact, await listSuppressionsOf(trx, ofAddress)),
    resubscriptions: await listResubscriptions(trx, ofAddress),
  };
}
