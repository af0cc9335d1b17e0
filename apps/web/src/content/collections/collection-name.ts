import { useTranslation } from 'react-i18next';

/** The two collections every organization starts with have names in both languages; others go by their own. */
export function useCollectionName(): (collection: string) => string {
  const { t } = useTranslation('collections');
  return (collection) => {
    if (collection === 'contacts' || collection === 'newsletters') return t(collection);
    return collection;
  };
}
