import { Menu } from '@mantine/core';
import type { Brand } from '@reachout/contract/clients.ts';
import { IconTag } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { useFormat } from '#web/i18n/format.ts';
import { Mark } from '#web/identity/organizations/organization-logo.tsx';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { checked, compact, readListSearch, type Change, type ListSearch } from '#web/platform/list-search.ts';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { ActionError, FirstUse } from '#web/ui/states.tsx';
import { useGoneRows } from '#web/ui/use-gone-rows.ts';

export const Route = createFileRoute('/o/$orgId/clients/$clientId/overview')({
  validateSearch: checked((raw) => readListSearch(raw, ['name', 'updated_at'])),
  component: Overview,
});

const pageSize = 10;

/** The brands of the client; the layout above has the action that makes one. */
function Overview() {
  const { t } = useTranslation(['clients', 'common']);
  const format = useFormat();
  const { clientId } = Route.useParams();
  const { api, orgId, can } = useOrganization();
  const { page = 1, order = 'name.asc' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const go = (change: Change<ListSearch>) => navigate({ search: (old) => compact({ ...old, ...change }) });
  const deletion = useGoneRows(() => refreshOrganization(orgId));
  const query = useQuery(
    api.brands.list.queryOptions({
      input: {
        organization_id: orgId,
        client_id: clientId,
        order: order as 'name.asc',
        page: page - 1,
        page_size: pageSize,
      },
      placeholderData: keepPreviousData,
    }),
  );
  const columns: Column<Brand>[] = [
    {
      key: 'name',
      header: t('brand'),
      sort: 'name',
      cell: (brand) => (
        <span className="with-mark">
          <Mark name={brand.name} logo={brand.logo_url} size={24} />
          <LinkAnchor to="/o/$orgId/brands/$brandId" params={{ orgId, brandId: brand.id }}>
            {brand.name}
          </LinkAnchor>
        </span>
      ),
    },
    {
      key: 'updated_at',
      header: t('updated'),
      sort: 'updated_at',
      width: 220,
      cell: (brand) => format.relative(brand.updated_at),
    },
  ];
  return (
    <AsyncRegion query={query} what={t('brands')}>
      {({ items, count }) =>
        count === 0 && deletion.gone.length === 0 ? (
          <FirstUse icon={<IconTag size={28} stroke={1.75} />} title={t('emptyBrands.title')}>
            {t('emptyBrands.body')}
          </FirstUse>
        ) : (
          <>
            <ActionError error={deletion.error} />
            <DataTable
              label={t('brands')}
              columns={columns}
              rows={items}
              rowKey={(brand) => brand.id}
              order={order}
              onOrder={(next) => void go({ order: next, page: undefined })}
              gone={deletion.gone}
              {...(can('delete', 'Brand')
                ? {
                    rowActions: (brand: Brand, index: number) => (
                      <RowMenu name={brand.name}>
                        <Menu.Item
                          c="var(--app-danger)"
                          onClick={() =>
                            void deletion.remove({
                              id: brand.id,
                              name: brand.name,
                              index,
                              remove: () => client.brands.delete({ id: brand.id }),
                              restore: () => client.brands.restore({ id: brand.id }),
                            })
                          }
                        >
                          {t('common:actions.delete')}
                        </Menu.Item>
                      </RowMenu>
                    ),
                  }
                : {})}
            />
            <Pager page={page} pageSize={pageSize} total={count} onPage={(next) => void go({ page: next })} />
          </>
        )
      }
    </AsyncRegion>
  );
}
