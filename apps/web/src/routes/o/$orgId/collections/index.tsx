import type { Collection } from '@reachout/contract/content.ts';
import { IconDatabase, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { collectionsQuery } from '#web/content/collections/item-queries.ts';
import { contactCollection } from '#web/content/contacts/contact-search.ts';
import { OwnerChip } from '#web/content/owners/owner-chip.tsx';
import { useFormat } from '#web/i18n/format.ts';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { checked, readListSearch } from '#web/platform/list-search.ts';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';

export const Route = createFileRoute('/o/$orgId/collections/')({
  beforeLoad: loadContactTexts,
  validateSearch: checked((raw) => {
    const { search } = readListSearch(raw);
    return search === undefined ? {} : { search };
  }),
  loader: ({ context }) => context.preload((scope) => [collectionsQuery(scope)]),
  component: Collections,
});

/** All that people see, lists of contacts among them; these have a place of their own, to which they lead. */
function Collections() {
  const { t } = useTranslation('collections');
  const nameOf = useCollectionName();
  const { search } = Route.useSearch();
  const columns = useColumns();
  const query = useQuery({
    ...collectionsQuery(useOrganization()),
    select: ({ data }) => ({ items: data.filter((each) => isFound(each, nameOf, search)) }),
  });
  return (
    <ListPage
      query={query}
      what={t('what')}
      header={() => <PageHeader title={t('title')} />}
      searchLabel={t('search')}
      noResults={t('noMatch', { search })}
      empty={
        <EmptyState icon={IconDatabase} title={t('noCollections.title')} text={t('noCollections.body')} />
      }
    >
      {({ rows }) => (
        <DataTable label={t('title')} columns={columns} rows={rows} rowKey={(row) => row.collection} />
      )}
    </ListPage>
  );
}

/** By what people call it, or by the name that programs use. */
function isFound(
  { collection }: Collection,
  nameOf: (collection: string) => string,
  search: string | undefined,
): boolean {
  const wanted = search?.toLowerCase() ?? '';
  return nameOf(collection).toLowerCase().includes(wanted) || collection.includes(wanted);
}

function useColumns(): Column<Collection>[] {
  const { t } = useTranslation(['collections', 'common']);
  const format = useFormat();
  const nameOf = useCollectionName();
  return [
    {
      header: t('name'),
      cell: ({ collection, has_contacts }) => {
        const Mark = has_contacts ? IconUsers : IconDatabase;
        return (
          <span className="with-mark">
            <Mark size={18} stroke={1.75} className="quiet-icon" aria-hidden />
            <CollectionLink collection={collection} hasContacts={has_contacts}>
              {nameOf(collection)}
            </CollectionLink>
          </span>
        );
      },
    },
    { header: t('kind.header'), cell: (row) => t(row.has_contacts ? 'kind.contacts' : 'kind.content') },
    { header: t('common:owner.label'), cell: (row) => <OwnerChip owner={row} /> },
    { header: t('count'), align: 'end', cell: (row) => format.number(row.item_count) },
  ];
}

interface LinkProps {
  collection: string;
  hasContacts: boolean;
  children: string;
}

function CollectionLink({ collection, hasContacts, children }: LinkProps) {
  const { orgId } = useOrganization();
  if (!hasContacts)
    return (
      <LinkAnchor to="/o/$orgId/collections/$collection" params={{ orgId, collection }}>
        {children}
      </LinkAnchor>
    );
  return (
    <LinkAnchor
      to="/o/$orgId/contacts"
      params={{ orgId }}
      search={collection === contactCollection ? {} : { collection }}
    >
      {children}
    </LinkAnchor>
  );
}
