import type { ClientWithBrands } from '@reachout/contract/clients.ts';
import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandDrawer } from '#web/clients/brands/brand-drawer.tsx';
import { ClientDrawer } from '#web/clients/clients/client-drawer.tsx';
import { ClientList } from '#web/clients/clients/client-list.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import {
  useOrganization,
  type OrganizationContextValue,
} from '#web/identity/organizations/organization-context.ts';
import { compact, readSearchAndPage, type ListSearch } from '#web/platform/list-search.ts';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { useDeletedRows } from '#web/ui/use-deleted-rows.ts';

const pageSize = 100;

const clientsQuery = ({ api, orgId }: OrganizationContextValue, { search, page = 1 }: ListSearch) =>
  api.clientsBrands.list.queryOptions({
    input: compact({ organization_id: orgId, search, page: page - 1, page_size: pageSize }),
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/clients/')({
  validateSearch: readSearchAndPage,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.preload((scope) => [clientsQuery(scope, deps)]),
  component: Clients,
});

function Clients() {
  const { t } = useTranslation('clients');
  const scope = useOrganization();
  const { clients } = scope.api;
  const search = Route.useSearch();
  const [dialog, setDialog] = useState<'client' | ClientWithBrands>();
  const query = useQuery(clientsQuery(scope, search));
  const deletion = useDeletedRows({
    remove: clients.delete.mutationOptions(),
    restore: clients.restore.mutationOptions(),
  });
  const close = () => setDialog(undefined);
  const mayCreate = scope.canEver('create', 'Client');
  const create = (
    <PermittedButton
      permission={['create', 'Client']}
      leftSection={<IconPlus size={16} stroke={1.75} />}
      onClick={() => setDialog('client')}
    >
      {t('new')}
    </PermittedButton>
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
        empty={
          <EmptyState
            icon={<IconBuilding size={28} stroke={1.75} />}
            title={t(mayCreate ? 'empty.title' : 'empty.readerTitle')}
            actions={create}
          >
            {t(mayCreate ? 'empty.body' : 'empty.reader')}
          </EmptyState>
        }
        pageSize={pageSize}
        deletion={deletion}
      >
        {(rows, { deleted }) => (
          <ClientList
            rows={rows}
            deleted={deleted}
            onAddBrand={setDialog}
            onDeleteClient={({ client_id: id, client_name: name }, index) =>
              deletion.remove({ id, name, index, input: { id } })
            }
          />
        )}
      </ListPage>
      {dialog === 'client' && scope.can('create', 'Client') && <ClientDrawer onClose={close} />}
      {typeof dialog === 'object' && <BrandDrawer clientId={dialog.client_id} onClose={close} />}
    </>
  );
}
