import { figureColumns } from '@reachout/contract/rules/figure-columns.ts';
import { campaignStatuses } from '@reachout/contract/states/campaign.ts';
import { touchpointStatuses, touchpointTypes } from '@reachout/contract/states/touchpoint.ts';
import { Group } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withReadableOrder } from '#web/clients/figures/readable-order.ts';
import { useListColumns } from '#web/identity/account/list-columns.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact, defineList, readChoice, type SearchOf } from '#web/platform/list-search.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { NewEmailButton } from '#web/outreach/new-email/new-email-button.tsx';
import { TouchpointFilters } from '#web/outreach/touchpoints/touchpoint-filters.tsx';
import { useTouchpointColumns } from '#web/outreach/touchpoints/touchpoint-columns.tsx';
import { TouchpointForm } from '#web/outreach/touchpoints/touchpoint-form.tsx';
import { toGroupedRows } from '#web/outreach/touchpoints/touchpoint-rows.ts';
import { TouchpointTable } from '#web/outreach/touchpoints/touchpoint-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { useDeletedRecords } from '#web/ui/deletion.ts';
import { EmptyState } from '#web/ui/states.tsx';

const list = defineList({
  pageSize: 100,
  isSearchable: true,
  sortBy: ['campaign_name', 'touchpoint_updated_at', ...figureColumns],
  defaultOrder: 'campaign_name.asc',
  filters: (raw) =>
    compact({
      campaign: readChoice(raw['campaign'], campaignStatuses),
      status: readChoice(raw['status'], touchpointStatuses),
      type: readChoice(raw['type'], touchpointTypes),
    }),
});
type Search = SearchOf<typeof list>;

const touchpointsQuery = (scope: OrganizationContext, search: Search) =>
  scope.api.campaignsTouchpoints.list.queryOptions({
    input: compact({
      organization_id: scope.orgId,
      client_id: scope.clientId,
      campaign_status: search.campaign,
      touchpoint_status: search.status,
      touchpoint_type: search.type,
      ...list.input(withReadableOrder(scope, search)),
    }),
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/touchpoints/')({
  ...list.route,
  loader: ({ context, deps }) => context.preload((scope) => [touchpointsQuery(scope, deps)]),
  component: Touchpoints,
});

function Touchpoints() {
  const { t } = useTranslation('touchpoints');
  const scope = useOrganization();
  const address = Route.useSearch();
  const { search, campaign, status, type } = address;
  const [creating, setCreating] = useState(false);
  const query = useQuery(touchpointsQuery(scope, address));
  const deletion = useDeletedRecords(scope.api.touchpoints);
  const { columns, choice } = useListColumns('all_touchpoints', useTouchpointColumns({ isGrouped: true }));
  const create = (
    <CreateButton variant="default" permission={['create', 'Touchpoint']} onClick={() => setCreating(true)}>
      {t('new')}
    </CreateButton>
  );
  return (
    <>
      <ListPage
        query={query}
        what={t('what')}
        header={(action) => (
          <PageHeader
            title={t('title')}
            primary={
              <Group gap="xs">
                {action}
                <NewEmailButton />
              </Group>
            }
          />
        )}
        create={create}
        searchLabel={t('search')}
        filters={<TouchpointFilters search={address} />}
        filtered={campaign !== undefined || status !== undefined || type !== undefined}
        noResults={search ? t('noMatchSearch', { search }) : t('noMatch')}
        empty={(action) => (
          <EmptyState
            icon={IconMail}
            title={t('empty.title')}
            actions={
              <>
                {action}
                <NewEmailButton />
              </>
            }
            text={t(scope.canEver('create', 'Touchpoint') ? 'empty.body' : 'empty.reader')}
          />
        )}
        actions={choice}
        list={list}
        counted={t('countedCampaigns', { count: query.data?.count ?? 0 })}
        deletion={deletion}
      >
        {({ rows, ...table }) => (
          <TouchpointTable {...table} rows={toGroupedRows(rows)} deletion={deletion} columns={columns} />
        )}
      </ListPage>
      {creating && <TouchpointForm onClose={() => setCreating(false)} />}
    </>
  );
}
