import { IconDatabase } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { FirstUse } from '#web/ui/states.tsx';

export const Route = createFileRoute('/o/$orgId/collections/')({ component: Collections });

interface Row {
  collection: string;
  item_count: number;
}

function Collections() {
  const { t } = useTranslation('collections');
  const format = useFormat();
  const nameOf = useCollectionName();
  const { api, orgId } = useOrganization();
  const query = useQuery(api.content.collections.queryOptions({ input: { organization_id: orgId } }));
  const columns: Column<Row>[] = [
    {
      key: 'collection',
      header: t('name'),
      cell: (row) => (
        <span className="with-mark">
          <IconDatabase size={18} stroke={1.75} className="quiet-icon" aria-hidden />
          <LinkAnchor to="/o/$orgId/collections/$collection" params={{ orgId, collection: row.collection }}>
            {nameOf(row.collection)}
          </LinkAnchor>
        </span>
      ),
    },
    { key: 'count', header: t('count'), align: 'end', cell: (row) => format.number(row.item_count) },
  ];
  return (
    <>
      <PageHeader title={t('title')} />
      <AsyncRegion query={query} what={t('what')}>
        {({ data }) =>
          data.length === 0 ? (
            <FirstUse icon={<IconDatabase size={28} stroke={1.75} />} title={t('noCollections.title')}>
              {t('noCollections.body')}
            </FirstUse>
          ) : (
            <DataTable label={t('title')} columns={columns} rows={data} rowKey={(row) => row.collection} />
          )
        }
      </AsyncRegion>
    </>
  );
}
