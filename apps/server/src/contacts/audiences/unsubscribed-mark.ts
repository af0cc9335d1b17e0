import { domainToUnicode } from 'node:url';
import { ORPCError } from '@orpc/contract';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { addressKeyOf, keptKeyOf } from '../consent/subscription.ts';
import { isMarkedContact } from '../../content/built-in/marked-contacts.queries.ts';
import { findEndpoint } from '../../content/directus/connection.queries.ts';
import { DirectusError, backendFailed } from '../../content/directus/directus-error.ts';
import { listMarkingCollections } from '../../content/directus/seen-collections.queries.ts';
import { openContacts, type BackendAccess } from '../../content/gateway/contact-collection.ts';

export interface PossibleMarks {
  /** Whether a built-in contact is marked. */
  isMarked: boolean;
  /** Where else the contact can be marked: the lists of the connected Directus. */
  elsewhere: RemoteLists | undefined;
}

export interface RemoteLists {
  endpoint: string;
  collections: string[];
}

/** Per list: contacts whose address contains this one, as `ada@…` contains `a@…`. */
const maxContacts = 100_000;

/** Looking up many addresses at once delays the requests of the organization's own members to their Directus. */
const limitOfDirectus = createConcurrencyLimiter({
  bound: 'look-ups of opt-outs in one Directus',
  maxConcurrent: 3,
  maxQueued: 200,
  maxWaitMs: 20_000,
});

/**
 * Whether a contact with this address is marked as unsubscribed, in a list that the brand can use; or where to ask for that
 * (`isMarkedElsewhere`). An audience excludes such contacts; who gets a single message is in no audience.
 * @param trx  with the access scope of the whole organization, like a send
 * @returns no mark for an invalid address
 */
export async function findMark(
  trx: Transaction,
  organizationId: string,
  brandId: string,
  address: string,
): Promise<PossibleMarks> {
  const spellings = spellingsOf(addressKeyOf(address));
  if (spellings.length === 0) return { isMarked: false, elsewhere: undefined };
  const endpoint = await findEndpoint(trx, organizationId);
  if (endpoint === null)
    return {
      isMarked: await isMarkedContact(trx, { organizationId, brandId, spellings }),
      elsewhere: undefined,
    };
  const collections = await listMarkingCollections(trx, organizationId, brandId);
  return { isMarked: false, elsewhere: collections.length === 0 ? undefined : { endpoint, collections } };
}

/**
 * Asks the Directus for a mark. Must run outside transactions.
 * @param access  as the transaction of `findMark`
 * @throws 424 `backend_failed`; 503
 */
export const isMarkedElsewhere = (
  access: BackendAccess,
  elsewhere: RemoteLists,
  address: string,
): Promise<boolean> => limitOfDirectus(access.organizationId, () => askDirectus(access, elsewhere, address));

async function askDirectus(
  { deps, organizationId, run }: BackendAccess,
  { endpoint, collections }: RemoteLists,
  address: string,
): Promise<boolean> {
  const addressKey = addressKeyOf(address);
  const backend = await openContacts(deps, organizationId, endpoint, run, { isAwaited: true });
  // An underscore stands for any character in a Directus: not all of its databases can escape it.
  const filter = {
    unsubscribed: { _eq: true },
    _or: spellingsOf(addressKey).map((text) => ({ email: { _icontains: text } })),
  };
  try {
    for (const collection of collections) {
      const query = { filter, fields: ['email'], limit: maxContacts, offset: 0 };
      let count = 0;
      for await (const items of backend.readItems(collection, query)) {
        if (items.some(({ email }) => keptKeyOf(email) === addressKey)) return true;
        count += items.length;
      }
      if (count >= maxContacts)
        throw backendFailed(
          new DirectusError('too_large', 'Too many unsubscribed contacts have addresses like this one.'),
        );
    }
  } catch (error) {
    // A list that was there when it was last listed: without it, nobody knows whether the contact may get the message.
    if (error instanceof ORPCError && (error.code === 'not_found' || error.code === 'invalid_query'))
      throw backendFailed(
        new DirectusError('not_allowed', 'The token cannot read whether contacts are unsubscribed.'),
      );
    throw error;
  }
  return false;
}

/** Contacts have the domain as it was entered. */
export function spellingsOf(addressKey: string | undefined): string[] {
  if (addressKey === undefined) return [];
  const at = addressKey.lastIndexOf('@') + 1;
  return [...new Set([addressKey, addressKey.slice(0, at) + domainToUnicode(addressKey.slice(at))])];
}
