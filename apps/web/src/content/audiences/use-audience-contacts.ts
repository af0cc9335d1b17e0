import type { Filter } from '@reachout/contract/filters.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useContactLists } from '#web/content/owners/use-contact-lists.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';

/**
 * The contacts that an audience selects from, and their fields.
 * @param filter  the audience, which keeps its own; undefined for a new one, which chooses
 * @param owner  whose contacts can be chosen
 */
export function useAudienceContacts(filter: Filter | undefined, owner: string) {
  const { api, orgId } = useOrganization();
  const lists = useContactLists(owner);
  const [chosen, choose] = useState<string>();
  // What was chosen for one owner may belong to another one.
  const usable = lists.find((each) => each.collection === chosen) ?? lists[0];
  const collection = filter?.collection ?? usable?.collection ?? 'contacts';
  const query = useQuery(
    api.content.fields.queryOptions({
      input: { organization_id: orgId, collection },
      placeholderData: keepPreviousData,
    }),
  );
  const fields = query.data?.data ?? [];
  const mapping = filter?.field_mapping ?? {
    email: 'email',
    unsubscribed: fields.some(({ field }) => field === 'unsubscribed') ? 'unsubscribed' : null,
  };
  return { lists, collection, choose, query, fields, mapping };
}

export type AudienceContacts = ReturnType<typeof useAudienceContacts>;
