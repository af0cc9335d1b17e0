import { SegmentedControl } from '@mantine/core';
import { figureColumns } from '@reachout/contract/rules/figure-columns.ts';
import { campaignStatuses } from '@reachout/contract/states/campaign.ts';
import { IconSpeakerphone } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withReadableOrder } from '#web/clients/figures/readable-order.ts';
import { useListColumns } from '#web/identity/account/list-columns.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { useCampaignColumns } from '#web/outreach/campaigns/campaign-columns.tsx';
import { CampaignForm } from '#web/outreach/campaigns/campaign-form.tsx';
import { CampaignTable } from '#web/outreach/campaigns/campaign-table.tsx';
import { compact, defineList, readChoice, type SearchOf } from '#web/platform/list-search.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { useDeletedRecords } from '#web/ui/deletion.ts';

const list = defineList({
  pageSize: 100,
  isSearchable: true,
  sortBy: ['name', 'status', 'updated_at', ...figureColumns],
  defaultOrder: 'updated_at.desc',
  filters: (raw) => compact({ status: readChoice(raw['status'], campaignStatuses) }),
});
type Search = SearchOf<typeof list>;

const views = ['all', 'draft', 'scheduled', 'archived'] as const;

const campaignsQuery = (scope: OrganizationContext, search: Search) =>
  scope.api.campaigns.list.queryOptions({
    input: compact({
      organization_id: scope.orgId,
      client_id: scope.clientId,
      status: search.status,
      ...list.input(withReadableOrder(scope, search)),
    }),
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/campaigns/')({
  ...list.route,
  loader: ({ context, deps }) => context.preload((scope) => [campaignsQuery(scope, deps)]),
  component: Campaigns,
});

function Campaigns() {
  const { t } = useTranslation(['campaigns', 'common']);
  const scope = useOrganization();
  const address = Route.useSearch();
  const { search, status } = address;
  const change = useChangeSearch<Search>();
  const [creating, setCreating] = useState(false);
  const deletion = useDeletedRecords(scope.api.campaigns);
  const create = (
    <CreateButton permission={['create', 'Campaign']} onClick={() => setCreating(true)}>
      {t('new')}
    </CreateButton>
  );
  const query = useQuery(campaignsQuery(scope, address));
  const { columns, choice } = useListColumns('campaigns', useCampaignColumns(true));
  return (
    <>
      <ListPage
        query={query}
        what={t('what')}
        header={(action) => <PageHeader title={t('title')} primary={action} />}
        create={create}
        searchLabel={t('search')}
        filters={
          <SegmentedControl
            aria-label={t('common:filter.status')}
            value={views.find((view) => view === status) ?? 'all'}
            onChange={(view) => change({ status: readChoice(view, campaignStatuses) })}
            data={views.map((view) => ({ value: view, label: t(`views.${view}`) }))}
          />
        }
        filtered={status !== undefined}
        actions={choice}
        noResults={search ? t('noMatchSearch', { search }) : t('noMatch')}
        empty={(action) => (
          <EmptyState
            icon={IconSpeakerphone}
            title={t('empty.title')}
            actions={action}
            text={t(scope.canEver('create', 'Campaign') ? 'empty.body' : 'empty.reader')}
          />
        )}
        list={list}
        deletion={deletion}
      >
        {(table) => <CampaignTable {...table} deletion={deletion} columns={columns} />}
      </ListPage>
      {creating && <CampaignForm onClose={() => setCreating(false)} />}
    </>
  );
}
