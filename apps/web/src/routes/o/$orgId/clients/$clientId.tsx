import { Menu } from '@mantine/core';
import type { Brand } from '@reachout/contract/clients.ts';
import { IconPlus, IconTag } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../../../api.ts';
import { useFormat } from '../../../../i18n/format.ts';
import { Mark } from '../../../../organizations/organization-mark.tsx';
import { PermittedButton } from '../../../../organizations/permitted-button.tsx';
import { useOrganization } from '../../../../organizations/scope.ts';
import { LinkAnchor, LinkButton } from '../../../../platform/links.tsx';
import {
  checked,
  compact,
  readListSearch,
  type Change,
  type ListSearch,
} from '../../../../platform/list-search.ts';
import { refreshOrganization } from '../../../../platform/refresh.ts';
import { PageHeader } from '../../../../shell/page-header.tsx';
import { AsyncRegion } from '../../../../ui/async-region.tsx';
import { DataTable, type Column } from '../../../../ui/data-table.tsx';
import { DeletedState } from '../../../../ui/deleted-state.tsx';
import { NameDrawer } from '../../../../ui/name-drawer.tsx';
import { notify } from '../../../../ui/notify.tsx';
import { Pager } from '../../../../ui/pager.tsx';
import { RowMenu } from '../../../../ui/row-menu.tsx';
import { ActionError, FirstUse } from '../../../../ui/states.tsx';
import { useAction } from '../../../../ui/use-action.ts';
import { useGoneRows } from '../../../../ui/use-gone-rows.ts';

export const Route = createFileRoute('/o/$orgId/clients/$clientId')({
  validateSearch: checked((raw) => readListSearch(raw, ['name', 'updated_at'])),
  component: ClientPage,
});

const pageSize = 10;

function ClientPage() {
  const { t } = useTranslation(['clients', 'common']);
  const { clientId } = Route.useParams();
  const { api, orgId, can } = useOrganization();
  const query = useQuery(api.clients.get.queryOptions({ input: { id: clientId } }));
  const [dialog, setDialog] = useState<'rename' | 'brand'>();
  const [deleted, setDeleted] = useState<string>();
  const action = useAction();

  if (deleted !== undefined) {
    return (
      <DeletedState
        text={t('deletedHere.client', { name: deleted })}
        back={
          <LinkButton size="xs" variant="subtle" to="/o/$orgId/clients" params={{ orgId }}>
            {t('title')}
          </LinkButton>
        }
        onUndo={async () => {
          await client.clients.restore({ id: clientId });
          await refreshOrganization(orgId);
          setDeleted(undefined);
        }}
      />
    );
  }
  return (
    <AsyncRegion page query={query} what={t('whatOne')}>
      {(record) => (
        <>
          <PageHeader
            title={record.name}
            section={t('title')}
            crumbs={[
              <LinkAnchor key="clients" to="/o/$orgId/clients" params={{ orgId }}>
                {t('title')}
              </LinkAnchor>,
            ]}
            primary={
              <PermittedButton
                needs={['create', 'Brand']}
                leftSection={<IconPlus size={16} stroke={1.75} />}
                onClick={() => setDialog('brand')}
              >
                {t('newBrand')}
              </PermittedButton>
            }
            more={
              (can('update', 'Client') || can('delete', 'Client')) && (
                <>
                  {can('update', 'Client') && (
                    <Menu.Item onClick={() => setDialog('rename')}>{t('rename')}</Menu.Item>
                  )}
                  {can('delete', 'Client') && (
                    <Menu.Item
                      c="var(--app-danger)"
                      onClick={() =>
                        void action.run(async () => {
                          await client.clients.delete({ id: clientId });
                          setDeleted(record.name);
                        })
                      }
                    >
                      {t('common:actions.delete')}
                    </Menu.Item>
                  )}
                </>
              )
            }
          />
          <ActionError error={action.error} />
          <Brands clientId={clientId} onCreate={() => setDialog('brand')} />
          {dialog === 'rename' && (
            <NameDrawer
              title={t('rename')}
              label={t('nameClient')}
              initial={record.name}
              submitLabel={t('common:actions.save')}
              onClose={() => setDialog(undefined)}
              submit={async (name) => {
                await client.clients.update({ id: clientId, name });
                await refreshOrganization(orgId);
                setDialog(undefined);
                notify(t('renamed'));
              }}
            />
          )}
          {dialog === 'brand' && (
            <NameDrawer
              title={t('newBrand')}
              label={t('nameBrand')}
              description={t('nameBrandHint')}
              submitLabel={t('newBrand')}
              onClose={() => setDialog(undefined)}
              submit={async (name) => {
                await client.brands.create({ organization_id: orgId, client_id: clientId, name });
                await refreshOrganization(orgId);
                setDialog(undefined);
                notify(t('brandCreated'));
              }}
            />
          )}
        </>
      )}
    </AsyncRegion>
  );
}

function Brands({ clientId, onCreate }: { clientId: string; onCreate: () => void }) {
  const { t } = useTranslation(['clients', 'common']);
  const format = useFormat();
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
          <FirstUse
            icon={<IconTag size={28} stroke={1.75} />}
            title={t('emptyBrands.title')}
            actions={
              <PermittedButton needs={['create', 'Brand']} variant="default" onClick={onCreate}>
                {t('newBrand')}
              </PermittedButton>
            }
          >
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
