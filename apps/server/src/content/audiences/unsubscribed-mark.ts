import { domainToUnicode } from 'node:url';
import { ORPCError } from '@orpc/contract';
import { addressKeyOf, keptKeyOf } from '../consent/subscription.ts';
import { DirectusError } from '../directus/directus-error.ts';
import { backendFailed } from '../directus/to-problem.ts';
import type { BackendAccess } from './count-remote.ts';
import { openContacts } from './open-contacts.ts';
import { findMarks } from './unsubscribed-mark.queries.ts';

/** Per list: contacts whose address contains this one, as `ada@…` contains `a@…`. */
const maxContacts = 100_000;

/**
 * Whether a contact with this address is marked as unsubscribed, in a list that the brand can use. An audience excludes such
 * contacts; who gets a single message is in no audience. Must run outside transactions, because the contacts may be remote.
 * @param access  with the access scope of the whole organization, like a send
 * @returns false also for an invalid address
 * @throws 424 `backend_failed`
 */
export async function isMarkedUnsubscribed(
  { deps, organizationId, run }: BackendAccess,
  brandId: string,
  address: string,
): Promise<boolean> {
  const addressKey = addressKeyOf(address);
  if (addressKey === undefined) return false;
  const at = addressKey.lastIndexOf('@') + 1;
  // Contacts have the domain as it was entered.
  const spellings = [
    ...new Set([addressKey, addressKey.slice(0, at) + domainToUnicode(addressKey.slice(at))]),
  ];
  const { isMarked, elsewhere } = await run((trx) => findMarks(trx, organizationId, brandId, spellings));
  if (elsewhere === undefined || elsewhere.collections.length === 0) return isMarked;
  const { endpoint, collections } = elsewhere;
  const backend = await openContacts(deps, organizationId, endpoint, run, { isAwaited: true });
  const filter = {
    unsubscribed: { _eq: true },
    _or: spellings.map((text) => ({ email: { _icontains: text } })),
  };
  try {
    for (const collection of collections) {
      const query = { filter, fields: ['email'], limit: maxContacts, offset: 0 };
      for await (const items of backend.readItems(collection, query))
        if (items.some(({ email }) => keptKeyOf(email) === addressKey)) return true;
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
