import { useTranslation } from 'react-i18next';

export type ItemWords = ReturnType<typeof useItemWords>;

/** The texts for a collection's items: contacts are called people. */
export function useItemWords(hasContacts: boolean) {
  const { t } = useTranslation('collections');
  const kind = hasContacts ? 'person' : 'item';
  return {
    all: t(`${kind}.all`),
    add: t(`${kind}.add`),
    edit: t(`${kind}.edit`),
    saved: t(`${kind}.saved`),
    deleted: t(`${kind}.deleted`),
    deleteTitle: t(`${kind}.deleteTitle`),
    deleteBody: t(`${kind}.deleteBody`),
    deleteManyBody: t(`${kind}.deleteManyBody`),
    matchBy: t(`${kind}.matchBy`),
    matchHint: t(`${kind}.matchHint`),
    count: (count: number, hasMore = false) => t(hasMore ? `${kind}.countOver` : `${kind}.count`, { count }),
    viewDeleted: t(`${kind}.viewDeleted`),
    changedElsewhere: t(`${kind}.changedElsewhere`),
  };
}
