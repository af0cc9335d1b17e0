import { Group, Menu } from '@mantine/core';
import { IconMail, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { Mark } from '#web/identity/organizations/organization-logo.tsx';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { checked, compact, readListSearch, type Change, type ListSearch } from '#web/platform/list-search.ts';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { TouchpointForm } from '#web/outreach/touchpoints/touchpoint-form.tsx';
import { TouchpointTable } from '#web/outreach/touchpoints/touchpoint-table.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DeletedState } from '#web/ui/deleted-state.tsx';
import { ErrorContent } from '#web/ui/error-content.tsx';
import { NameDrawer } from '#web/ui/name-drawer.tsx';
import { notify } from '#web/ui/notify.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { ActionError, FirstUse } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { useAction } from '#web/ui/use-action.ts';
import { useGoneRows } from '#web/ui/use-gone-rows.ts';

export const Route = createFileRoute('/o/$orgId/campaigns/$campaignId')({
  validateSearch: checked((raw) => readListSearch(raw, ['name', 'updated_at'])),
  component: CampaignPage,
});

const pageSize = 100;

function CampaignPage() {
  const { t } = useTranslation(['campaigns', 'clients', 'common']);
  const { campaignId } = Route.useParams();
  const { api, orgId, can } = useOrganization();
  const query = useQuery(api.campaigns.get.queryOptions({ input: { id: campaignId } }));
  const [dialog, setDialog] = useState<'rename' | 'touchpoint'>();
  const [deleted, setDeleted] = useState<string>();
  const action = useAction();

  if (deleted !== undefined) {
    return (
      <DeletedState
        text={t('deletedHere', { name: deleted })}
        back={
          <LinkButton size="xs" variant="subtle" to="/o/$orgId/campaigns" params={{ orgId }}>
            {t('title')}
          </LinkButton>
        }
        onUndo={async () => {
          await client.campaigns.restore({ id: campaignId });
          await refreshOrganization(orgId);
          setDeleted(undefined);
        }}
      />
    );
  }
  const setStatus = (status: 'draft' | 'archived') =>
    void action.run(async () => {
      await client.campaigns.update({ id: campaignId, status });
      await refreshOrganization(orgId);
      notify(t(status === 'archived' ? 'archived' : 'reopened'));
    });
  const add = (
    <PermittedButton
      permission={['create', 'Touchpoint']}
      leftSection={<IconPlus size={16} stroke={1.75} />}
      onClick={() => setDialog('touchpoint')}
    >
      {t('addTouchpoint')}
    </PermittedButton>
  );
  return (
    <AsyncRegion page query={query} what={t('whatOne')}>
      {(campaign) => (
        <>
          <PageHeader
            title={campaign.name}
            section={t('title')}
            crumbs={[
              <LinkAnchor
                key="client"
                to="/o/$orgId/clients/$clientId"
                params={{ orgId, clientId: campaign.brand.client.id }}
              >
                {campaign.brand.client.name}
              </LinkAnchor>,
              <LinkAnchor
                key="brand"
                to="/o/$orgId/brands/$brandId"
                params={{ orgId, brandId: campaign.brand.id }}
              >
                {campaign.brand.name}
              </LinkAnchor>,
            ]}
            badge={<StatusBadge status={campaign.status} />}
            note={
              <Group gap="xs" wrap="nowrap" align="flex-start">
                <Mark name={campaign.brand.name} logo={campaign.brand.logo_url} size={20} />
                {campaign.brand.client.name} › {campaign.brand.name}
              </Group>
            }
            primary={add}
            more={
              (can('update', 'Campaign') || can('delete', 'Campaign')) && (
                <>
                  {can('update', 'Campaign') && (
                    <>
                      <Menu.Item onClick={() => setDialog('rename')}>{t('rename')}</Menu.Item>
                      {campaign.status === 'archived' ? (
                        <Menu.Item onClick={() => setStatus('draft')}>{t('reopen')}</Menu.Item>
                      ) : (
                        <Menu.Item onClick={() => setStatus('archived')}>
                          {t('common:actions.archive')}
                        </Menu.Item>
                      )}
                    </>
                  )}
                  {can('delete', 'Campaign') && (
                    <Menu.Item
                      c="var(--app-danger)"
                      onClick={() =>
                        void action.run(async () => {
                          await client.campaigns.delete({ id: campaignId });
                          setDeleted(campaign.name);
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
          {campaign.error_content && (
            <ErrorContent
              title={t('clients:notSynced', { name: campaign.name })}
              message={campaign.error_content}
            />
          )}
          <Touchpoints campaignId={campaignId} onCreate={() => setDialog('touchpoint')} />
          {dialog === 'touchpoint' && (
            <TouchpointForm campaignId={campaignId} onClose={() => setDialog(undefined)} />
          )}
          {dialog === 'rename' && (
            <NameDrawer
              title={t('rename')}
              label={t('name')}
              initial={campaign.name}
              submitLabel={t('common:actions.save')}
              onClose={() => setDialog(undefined)}
              submit={async (name) => {
                await client.campaigns.update({ id: campaignId, name });
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

function Touchpoints({ campaignId, onCreate }: { campaignId: string; onCreate: () => void }) {
  const { t } = useTranslation(['campaigns', 'clients', 'common']);
  const { api, orgId, mayEver } = useOrganization();
  const { page = 1, order = 'name.asc' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const go = (change: Change<ListSearch>) => navigate({ search: (old) => compact({ ...old, ...change }) });
  const deletion = useGoneRows(() => refreshOrganization(orgId));
  const query = useQuery(
    api.touchpoints.list.queryOptions({
      input: {
        organization_id: orgId,
        campaign_id: campaignId,
        order: order as 'name.asc',
        page: page - 1,
        page_size: pageSize,
      },
      placeholderData: keepPreviousData,
    }),
  );
  return (
    <AsyncRegion query={query} what={t('touchpoints')}>
      {({ items, count }) =>
        count === 0 && deletion.gone.length === 0 ? (
          <FirstUse
            icon={<IconMail size={28} stroke={1.75} />}
            title={t('emptyTouchpoints.title')}
            actions={
              <PermittedButton permission={['create', 'Touchpoint']} variant="default" onClick={onCreate}>
                {t('addTouchpoint')}
              </PermittedButton>
            }
          >
            {t(mayEver('create', 'Touchpoint') ? 'emptyTouchpoints.body' : 'emptyTouchpoints.reader')}
          </FirstUse>
        ) : (
          <>
            <TouchpointTable
              rows={items}
              order={order}
              onOrder={(next) => void go({ order: next, page: undefined })}
              deletion={deletion}
            />
            <Pager page={page} pageSize={pageSize} total={count} onPage={(next) => void go({ page: next })} />
          </>
        )
      }
    </AsyncRegion>
  );
}
