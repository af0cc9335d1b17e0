import { Menu } from '@mantine/core';
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../../../api.ts';
import { CampaignForm } from '../../../../campaigns/campaign-form.tsx';
import { CampaignTable } from '../../../../campaigns/campaign-table.tsx';
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
import { DeletedState } from '../../../../ui/deleted-state.tsx';
import { ErrorContent } from '../../../../ui/error-content.tsx';
import { NameDrawer } from '../../../../ui/name-drawer.tsx';
import { notify } from '../../../../ui/notify.tsx';
import { Pager } from '../../../../ui/pager.tsx';
import { ActionError, FirstUse } from '../../../../ui/states.tsx';
import { useAction } from '../../../../ui/use-action.ts';
import { useGoneRows } from '../../../../ui/use-gone-rows.ts';

export const Route = createFileRoute('/o/$orgId/brands/$brandId')({
  validateSearch: checked((raw) => readListSearch(raw, ['name', 'status', 'updated_at'])),
  component: BrandPage,
});

const pageSize = 10;

function BrandPage() {
  const { t } = useTranslation(['clients', 'campaigns', 'common']);
  const { brandId } = Route.useParams();
  const { api, orgId, can } = useOrganization();
  const query = useQuery(api.brands.get.queryOptions({ input: { id: brandId } }));
  const [dialog, setDialog] = useState<'rename' | 'campaign'>();
  const [deleted, setDeleted] = useState<string>();
  const action = useAction();

  if (deleted !== undefined) {
    return (
      <DeletedState
        text={t('deletedHere.brand', { name: deleted })}
        back={
          <LinkButton size="xs" variant="subtle" to="/o/$orgId/clients" params={{ orgId }}>
            {t('title')}
          </LinkButton>
        }
        onUndo={async () => {
          await client.brands.restore({ id: brandId });
          await refreshOrganization(orgId);
          setDeleted(undefined);
        }}
      />
    );
  }
  const newCampaign = (
    <PermittedButton
      needs={['create', 'Campaign']}
      leftSection={<IconPlus size={16} stroke={1.75} />}
      onClick={() => setDialog('campaign')}
    >
      {t('campaigns:new')}
    </PermittedButton>
  );
  return (
    <AsyncRegion page query={query} what={t('whatBrand')}>
      {(brand) => (
        <>
          <PageHeader
            title={brand.name}
            section={brand.client.name}
            crumbs={[
              <LinkAnchor key="clients" to="/o/$orgId/clients" params={{ orgId }}>
                {t('title')}
              </LinkAnchor>,
              <LinkAnchor
                key="client"
                to="/o/$orgId/clients/$clientId"
                params={{ orgId, clientId: brand.client.id }}
              >
                {brand.client.name}
              </LinkAnchor>,
            ]}
            badge={<Mark name={brand.name} logo={brand.logo_url} size={28} />}
            note={brand.client.name}
            primary={newCampaign}
            more={
              (can('update', 'Brand') || can('delete', 'Brand')) && (
                <>
                  {can('update', 'Brand') && (
                    <Menu.Item onClick={() => setDialog('rename')}>{t('renameBrand')}</Menu.Item>
                  )}
                  {can('delete', 'Brand') && (
                    <Menu.Item
                      c="var(--app-danger)"
                      onClick={() =>
                        void action.run(async () => {
                          await client.brands.delete({ id: brandId });
                          setDeleted(brand.name);
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
          {brand.error_content && (
            <ErrorContent title={t('notSynced', { name: brand.name })} message={brand.error_content} />
          )}
          <Campaigns brandId={brandId} create={newCampaign} />
          {dialog === 'campaign' && <CampaignForm brandId={brandId} onClose={() => setDialog(undefined)} />}
          {dialog === 'rename' && (
            <NameDrawer
              title={t('renameBrand')}
              label={t('nameBrand')}
              initial={brand.name}
              submitLabel={t('common:actions.save')}
              onClose={() => setDialog(undefined)}
              submit={async (name) => {
                await client.brands.update({ id: brandId, name });
                await refreshOrganization(orgId);
                setDialog(undefined);
                notify(t('renamed'));
              }}
            />
          )}
        </>
      )}
    </AsyncRegion>
  );
}

function Campaigns({ brandId, create }: { brandId: string; create: ReactNode }) {
  const { t } = useTranslation(['campaigns', 'common']);
  const { api, orgId } = useOrganization();
  const { page = 1, order = 'updated_at.desc' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const go = (change: Change<ListSearch>) => navigate({ search: (old) => compact({ ...old, ...change }) });
  const deletion = useGoneRows(() => refreshOrganization(orgId));
  const query = useQuery(
    api.campaigns.list.queryOptions({
      input: {
        organization_id: orgId,
        brand_id: brandId,
        order: order as 'name.asc',
        page: page - 1,
        page_size: pageSize,
      },
      placeholderData: keepPreviousData,
    }),
  );
  return (
    <AsyncRegion query={query} what={t('what')}>
      {({ items, count }) =>
        count === 0 && deletion.gone.length === 0 ? (
          <FirstUse
            icon={<IconSpeakerphone size={28} stroke={1.75} />}
            title={t('empty.title')}
            actions={create}
          >
            {t('empty.body')}
          </FirstUse>
        ) : (
          <>
            <CampaignTable
              rows={items}
              order={order}
              onOrder={(next) => void go({ order: next, page: undefined })}
              deletion={deletion}
              withBrand={false}
            />
            <Pager page={page} pageSize={pageSize} total={count} onPage={(next) => void go({ page: next })} />
          </>
        )
      }
    </AsyncRegion>
  );
}
