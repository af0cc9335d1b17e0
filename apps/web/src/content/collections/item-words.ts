import { useTranslation } from 'react-i18next';

export type ItemWords = ReturnType<typeof useItemWords>;

/** The texts for a collection's items: contacts are called people. */
export function useItemWords(hasContacts: boolean) {
  const { t } = useTranslation('collections');
  const kind = hasContacts ? 'person' : 'item';
  return {
    what: t(`${kind}.what`),
    all: t(`${kind}.all`),
    add: t(`${kind}.add`),
    edit: t(`${kind}.edit`),
    search: t(`${kind}.search`),
    saved: t(`${kind}.saved`),
    deleted: t(`${kind}.deleted`),
    deleteTitle: t(`${kind}.deleteTitle`),
    deleteBody: t(`${kind}.deleteBody`),
    deleteManyBody: t(`${kind}.deleteManyBody`),
    matchBy: t(`${kind}.matchBy`),
    matchHint: t(`${kind}.matchHint`),
    noMatch: (search: string | undefined) => t(`${kind}.noMatch`, { search }),
    noFilterMatch: t(`${kind}.noFilterMatch`),
    count: (count: number, hasMore = false) => t(hasMore ? `${kind}.countOver` : `${kind}.count`, { count }),
    viewDeleted: t(`${kind}.viewDeleted`),
    changedElsewhere: t(`${kind}.changedElsewhere`),
    emptyTitle: t(`${kind}.empty.title`),
    emptyBody: t(`${kind}.empty.body`),
    emptyReader: t(`${kind}.empty.reader`),
  };
}
