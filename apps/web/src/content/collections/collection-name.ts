import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { collectionsQuery } from './item-queries.ts';

/** The two collections every organization starts with have names in both languages; others have a label, or go by their own name. */
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
