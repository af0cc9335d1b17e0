import { IconDatabase } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { collectionsQuery } from '#web/content/collections/item-queries.ts';
import { useFormat } from '#web/i18n/format.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';

export const Route = createFileRoute('/o/$orgId/collections/')({
  beforeLoad: loadContactTexts,
  loader: ({ context }) => context.preload((scope) => [collectionsQuery(scope)]),
  component: Collections,
});

interface Row {
  collection: string;
  item_count: number;
}

function Collections() {
  const { t } = useTranslation('collections');
  const format = useFormat();
  const nameOf = useCollectionName();
  const scope = useOrganization();
  const columns: Column<Row>[] = [
    {
      header: t('name'),
      cell: ({ collection }) => (
        <span className="with-mark">
          <IconDatabase size={18} stroke={1.75} className="quiet-icon" aria-hidden />
          <LinkAnchor to="/o/$orgId/collections/$collection" params={{ orgId: scope.orgId, collection }}>
            {nameOf(collection)}
          </LinkAnchor>
        </span>
      ),
    },
    { header: t('count'), align: 'end', cell: (row) => format.number(row.item_count) },
  ];
  const query = useQuery({
    ...collectionsQuery(scope),
    // People have a place of their own.
    select: ({ data }) => ({ items: data.filter((list) => !list.has_contacts) }),
  });
  return (
    <ListPage
      query={query}
      what={t('what')}
      header={() => <PageHeader title={t('title')} />}
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
