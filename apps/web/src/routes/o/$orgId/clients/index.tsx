import type { ClientWithBrands } from '@reachout/contract/clients.ts';
import { IconBuilding } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandDrawer } from '#web/clients/brands/brand-drawer.tsx';
import { ClientDrawer } from '#web/clients/clients/client-drawer.tsx';
import { ClientList } from '#web/clients/clients/client-list.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact, defineList, type ListSearch } from '#web/platform/list-search.ts';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { useDeletedRecords } from '#web/ui/deletion.ts';

const list = defineList({ pageSize: 100, isSearchable: true });

const clientsQuery = ({ api, orgId, clientId }: OrganizationContext, search: ListSearch) =>
  api.clientsBrands.list.queryOptions({
    input: compact({ organization_id: orgId, client_id: clientId, ...list.input(search) }),
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
  const [dialog, setDialog] = useState<'client' | ClientWithBrands>();
  const query = useQuery(clientsQuery(scope, search));
  const deletion = useDeletedRecords(scope.api.clients);
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
        empty={
          <EmptyState
            icon={IconBuilding}
            title={t(mayCreate ? 'empty.title' : 'empty.readerTitle')}
            actions={create}
            text={t(mayCreate ? 'empty.body' : 'empty.reader')}
          />
        }
        list={list}
        deletion={deletion}
      >
        {({ rows, deleted }) => (
          <ClientList
            rows={rows}
            deleted={deleted}
            onAddBrand={setDialog}
            onDeleteClient={({ client_id: id, client_name: name }, index) =>
              deletion.remove({ id, name }, index)
            }
          />
        )}
      </ListPage>
      {dialog === 'client' && scope.can('create', 'Client') && <ClientDrawer onClose={close} />}
      {typeof dialog === 'object' && <BrandDrawer clientId={dialog.client_id} onClose={close} />}
    </>
  );
}
