import type { BrandChoices, Subscription, SubscriptionSummary } from '@reachout/contract/consent.ts';
import type { Transaction } from '../../platform/database/database.ts';
import {
  listChoicesOf,
  listTopicsOfBrands,
  listTrackingPolicies,
  type StoredChoice,
} from './contact-choices.queries.ts';
import { type FoundContacts, getContact } from './find-contacts.ts';
import {
  countBrands,
  findOwnerOfContacts,
  listBrandStates,
  listResubscriptions,
  listSuppressionsOf,
  type SubscribedBrands,
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

/** @returns what an address has chosen, by the brands */
export async function readChoices(
  trx: Transaction,
  of: { organizationId: string; addressKey: string; brandIds: readonly string[] },
): Promise<Map<string, BrandChoices>> {
  if (of.brandIds.length === 0) return new Map();
  const choices = Map.groupBy(await listChoicesOf(trx, of), ({ brand_id }) => brand_id);
  const topics = Map.groupBy(await listTopicsOfBrands(trx, of), ({ brand_id }) => brand_id);
  const policies = await listTrackingPolicies(trx, of);
  return new Map(
    of.brandIds.map((brandId) => {
      const chosen = choices.get(brandId) ?? [];
      const pause = chosen.find(({ kind }) => kind === 'pause');
      const tracking = chosen.find(({ kind }) => kind === 'tracking');
      return [
        brandId,
        {
          topics: (topics.get(brandId) ?? []).map(({ id, name, is_default }) => {
            const choice = chosen.find(({ topic_id }) => topic_id === id);
            return {
              id,
              name,
              is_default,
              is_subscribed: choice === undefined ? is_default : choice.value === 'subscribed',
              choice: choice === undefined ? null : choiceOf(choice),
            };
          }),
          pause: pause === undefined ? null : { ...choiceOf(pause), until: pause.until! },
          tracking_policy: policies.get(brandId)!,
          tracking:
            tracking === undefined
              ? null
              : { ...choiceOf(tracking), is_allowed: tracking.value === 'allowed' },
        },
      ];
    }),
  );
}

const choiceOf = ({ source, at, touchpoint, by, basis }: StoredChoice) => ({
  source,
  at,
  touchpoint,
  by,
  basis,
});
