import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { collectionsQuery } from './item-queries.ts';

/**
 * @returns a function that names a collection: the two that every organization starts with are translated; others have a
 * label or use their technical name
 */
export function useCollectionName(): (collection: string) => string {
  const { t } = useTranslation();
  const scope = useOrganization();
  const { data } = useQuery({ ...collectionsQuery(scope), enabled: scope.can('read', 'Content') });
  return (collection) => {
    const label = data?.items.find((each) => each.collection === collection)?.label;
    if (label !== undefined && label !== null) return label;
    if (collection === 'contacts' || collection === 'newsletters') return t(`collectionNames.${collection}`);
    return collection;
  };
}

/** The way to a page of a collection. */
export function useCollectionCrumbs(collection: string, hasContacts: boolean) {
  const { t } = useTranslation('collections');
  const { orgId } = useOrganization();
  const label = useCollectionName()(collection);
  const params = { orgId };
  return hasContacts
    ? linkOptions([{ to: '/o/$orgId/contacts', params, search: { collection }, label: t('words.contacts') }])
    : linkOptions([
        { to: '/o/$orgId/collections', params, label: t('words.collections') },
        { to: '/o/$orgId/collections/$collection', params: { orgId, collection }, label },
      ]);
}
