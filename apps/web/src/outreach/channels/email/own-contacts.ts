import type { Collection } from '@reachout/contract/content.ts';
import type { Filter } from '@reachout/contract/filters.ts';

// What an email begins with: people of its brand or client. What all clients share is never chosen for the user.

/** @param filters  those of the brand first, then those of its client, then shared ones */
export const chooseAudience = (
  filters: readonly Pick<Filter, 'id' | 'is_active' | 'client_id'>[],
): string | undefined => filters.find(({ is_active, client_id }) => is_active && client_id !== null)?.id;

type List = Pick<Collection, 'has_contacts' | 'item_count' | 'client_id' | 'brand_id'>;

/**
 * @param lists  the collections that the brand can use
 * @returns the one of the brand's contacts, otherwise of its client's; undefined if neither has contacts
 */
export function chooseContacts<L extends List>(lists: readonly L[]): L | undefined {
  const own = lists.filter(
    ({ has_contacts, item_count, client_id }) => has_contacts && item_count > 0 && client_id !== null,
  );
  return own.find(({ brand_id }) => brand_id !== null) ?? own[0];
}
