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
  const find = (meaning: MappedMeaning) =>
    fields.some((each) => each.field === meaning && isFor[meaning](each)) ? meaning : null;
  const {
    time_zone = find('time_zone'),
    language = find('language'),
    tracking_consent = find('tracking_consent'),
  } = stored;
  const mapping = { ...stored, time_zone, language, tracking_consent };
  return { lists, collection, choose, query, fields, mapping };
}

type OfType = Pick<Field, 'type'>;
const isText = ({ type }: OfType): boolean => type === 'string' || type === 'text';

/** The meanings that an audience can find in a field of its contacts, and the fields that can have them. */
export const isFor = {
  time_zone: isText,
  language: isText,
  tracking_consent: ({ type }: OfType) => type === 'boolean',
};
export type MappedMeaning = keyof typeof isFor;

export type AudienceContacts = ReturnType<typeof useAudienceContacts>;
