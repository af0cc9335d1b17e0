import { Group } from '@mantine/core';
import type { ClientWithBrands } from '@reachout/contract/clients.ts';
import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { ClientList } from '#web/clients/clients/client-list.tsx';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { checked, compact, readListSearch, type Change, type ListSearch } from '#web/platform/list-search.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { NameDrawer } from '#web/ui/name-drawer.tsx';
import { notify } from '#web/ui/notify.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { ActionError, FirstUse, NoMatch } from '#web/ui/states.tsx';
import { ResultCount } from '#web/ui/result-count.tsx';
import { useGoneRows } from '#web/ui/use-gone-rows.ts';

export const Route = createFileRoute('/o/$orgId/clients/')({
  validateSearch: checked((raw) => readListSearch(raw, [])),
  component: Clients,
});

const pageSize = 100;

function Clients() {
  const { t } = useTranslation('clients');
  const { api, orgId, can, mayEver } = useOrganization();
  const { search, page = 1 } = Route.useSearch();
  const navigate = useNavigate();
  const routeNavigate = Route.useNavigate();
  const [dialog, setDialog] = useState<'client' | ClientWithBrands>();
  const query = useQuery(
    api.clientsBrands.list.queryOptions({
      input: compact({ organization_id: orgId, search, page: page - 1, page_size: pageSize }),
      placeholderData: keepPreviousData,
    }),
  );
  const refresh = () => refreshOrganization(orgId);
  const deletion = useGoneRows(refresh);
  const go = (change: Change<ListSearch>) =>
    routeNavigate({ search: (old) => compact({ ...old, ...change }) });

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
      <PageHeader title={t('title')} primary={query.data?.count === 0 && !search ? undefined : create} />
      <ActionError error={deletion.error} />
      <AsyncRegion query={query} what={t('what')}>
        {({ items, count }) =>
          count === 0 && !search && deletion.gone.length === 0 ? (
            <FirstUse
              icon={<IconBuilding size={28} stroke={1.75} />}
              title={t(mayEver('create', 'Client') ? 'empty.title' : 'empty.readerTitle')}
              actions={create}
            >
              {t(mayEver('create', 'Client') ? 'empty.body' : 'empty.reader')}
            </FirstUse>
          ) : (
            <>
              <Group mb="md">
                <SearchField
                  label={t('search')}
                  value={search ?? ''}
                  onSearch={(text) => void go({ search: text || undefined, page: undefined })}
                />
                <ResultCount count={count} active={search !== undefined} />
              </Group>
              {count === 0 && search ? (
                <NoMatch text={t('noMatch', { search })} onClear={() => void routeNavigate({ search: {} })} />
              ) : (
                <ClientList
                  rows={items}
                  gone={deletion.gone}
                  onAddBrand={setDialog}
                  onDeleteClient={(row, index) =>
                    void deletion.remove({
                      id: row.client_id,
                      name: row.client_name,
                      index,
                      remove: () => client.clients.delete({ id: row.client_id }),
                      restore: () => client.clients.restore({ id: row.client_id }),
                    })
                  }
                />
              )}
              <Pager
                page={page}
                pageSize={pageSize}
                total={count}
                onPage={(next) => void go({ page: next })}
              />
            </>
          )
        }
      </AsyncRegion>
      {dialog === 'client' && can('create', 'Client') && (
        <NameDrawer
          title={t('new')}
          label={t('nameClient')}
          submitLabel={t('new')}
          onClose={() => setDialog(undefined)}
          submit={async (name) => {
            const created = await client.clients.create({ organization_id: orgId, name });
            await refresh();
            notify(t('created'));
            await navigate({ to: '/o/$orgId/clients/$clientId', params: { orgId, clientId: created.id } });
          }}
        />
      )}
      {typeof dialog === 'object' && (
        <NameDrawer
          title={t('newBrand')}
          label={t('nameBrand')}
          description={t('nameBrandHint')}
          submitLabel={t('newBrand')}
          onClose={() => setDialog(undefined)}
          submit={async (name) => {
            await client.brands.create({ organization_id: orgId, client_id: dialog.client_id, name });
            await refresh();
            setDialog(undefined);
            notify(t('brandCreated'));
          }}
        />
      )}
    </>
  );
}
