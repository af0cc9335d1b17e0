import type { Field } from '@reachout/contract/content-fields.ts';
import type { Filter } from '@reachout/contract/filters.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useContactLists } from '#web/content/owners/use-contact-lists.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';

/**
 * The contact collection that an audience selects from, and its fields.
 * @param filter  the audience, whose collection is fixed; undefined for a new one, where it can be chosen
 * @param owner  the owner whose collections can be chosen
 */
export function useAudienceContacts(filter: Filter | undefined, owner: string) {
  const { api, orgId } = useOrganization();
  const lists = useContactLists(owner);
  const [chosen, choose] = useState<string>();
  // The collection chosen for one owner may not be available to another.
  const usable = lists.find((each) => each.collection === chosen) ?? lists[0];
  const collection = filter?.collection ?? usable?.collection ?? 'contacts';
  const query = useQuery(
    api.content.fields.queryOptions({
      input: { organization_id: orgId, collection },
      placeholderData: keepPreviousData,
    }),
  );
  const fields = query.data?.data ?? [];
  const isField = (name: string) => fields.some(({ field }) => field === name);
  const stored = filter?.field_mapping ?? {
    email: 'email',
    unsubscribed: isField('unsubscribed') ? 'unsubscribed' : null,
  };
  // As the server finds them where none is named.
  const findText = (name: string) =>
    fields.some((each) => each.field === name && isText(each)) ? name : null;
  const { time_zone = findText('time_zone'), language = findText('language') } = stored;
  const mapping = { ...stored, time_zone, language };
  return { lists, collection, choose, query, fields, mapping };
}

/** Whether a field can have a time zone or language. */
export const isText = ({ type }: Pick<Field, 'type'>): boolean => type === 'string' || type === 'text';

export type AudienceContacts = ReturnType<typeof useAudienceContacts>;
