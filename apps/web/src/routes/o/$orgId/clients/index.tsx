import { figureColumns } from '@reachout/contract/rules/figure-columns.ts';
import { IconBuilding } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandDrawer } from '#web/clients/brands/brand-drawer.tsx';
import { ClientDrawer } from '#web/clients/clients/client-drawer.tsx';
import { useClientColumns } from '#web/clients/clients/client-columns.tsx';
import { toClientRows, type ClientRow } from '#web/clients/clients/client-rows.ts';
import { ClientTable } from '#web/clients/clients/client-table.tsx';
import { withReadableOrder } from '#web/clients/figures/readable-order.ts';
import { useListColumns } from '#web/identity/account/list-columns.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { FigurePicture } from '#web/outreach/channels/email/email-picture.tsx';
import { compact, defineList, type SearchOf } from '#web/platform/list-search.ts';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { useDeletedRecords } from '#web/ui/deletion.ts';

const list = defineList({
  pageSize: 100,
  isSearchable: true,
  sortBy: ['client_name', ...figureColumns],
  defaultOrder: 'client_name.asc',
});
type Search = SearchOf<typeof list>;

const clientsQuery = (scope: OrganizationContext, search: Search) =>
  scope.api.clientsBrands.list.queryOptions({
    input: compact({
      organization_id: scope.orgId,
      client_id: scope.clientId,
      ...list.input(withReadableOrder(scope, search)),
    }),
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/clients/')({
  ...list.route,
  loader: ({ context, deps }) => context.preload((scope) => [clientsQuery(scope, deps)]),
  component: Clients,
});

function Clients() {
  const { t } = useTranslation('clients');
  const scope = useOrganization();
  const search = Route.useSearch();
  const [dialog, setDialog] = useState<'client' | ClientRow>();
  const query = useQuery(clientsQuery(scope, search));
  const deletions = {
    client: useDeletedRecords(scope.api.clients),
    brand: useDeletedRecords(scope.api.brands),
  };
  const { columns, choice } = useListColumns(
    'clients',
    useClientColumns((figures) => <FigurePicture figures={figures} />),
  );
  const close = () => setDialog(undefined);
  const mayCreate = scope.canEver('create', 'Client');
  const create = (
    <CreateButton permission={['create', 'Client']} onClick={() => setDialog('client')}>
      {t('new')}
    </CreateButton>
  );
  return (
    <>
      <ListPage
        query={query}
        what={t('what')}
        header={(action) => <PageHeader title={t('title')} primary={action} />}
        create={create}
        searchLabel={t('search')}
        noResults={t('noMatch', { search: search.search })}
        empty={(action) => (
          <EmptyState
            icon={IconBuilding}
            title={t(mayCreate ? 'empty.title' : 'empty.readerTitle')}
            actions={action}
            text={t(mayCreate ? 'empty.body' : 'empty.reader')}
          />
        )}
        actions={choice}
        list={list}
        counted={t('counted', { count: query.data?.count ?? 0 })}
        deletion={{
          deleted: [...deletions.client.deleted, ...deletions.brand.deleted],
          error: deletions.client.error ?? deletions.brand.error,
        }}
      >
        {({ rows, ...table }) => (
          <ClientTable
            {...table}
            rows={toClientRows(rows)}
            columns={columns}
            deletions={deletions}
            onAddBrand={setDialog}
          />
        )}
      </ListPage>
      {dialog === 'client' && scope.can('create', 'Client') && <ClientDrawer onClose={close} />}
      {typeof dialog === 'object' && <BrandDrawer clientId={dialog.id} onClose={close} />}
    </>
  );
}
