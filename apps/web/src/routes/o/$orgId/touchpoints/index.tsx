import { figureColumns } from '@reachout/contract/rules/figure-columns.ts';
import { isTouchpoint } from '@reachout/contract/rules/grouped-rows.ts';
import { recordLists } from '@reachout/contract/record-lists.ts';
import { campaignStatuses, type CampaignStatus } from '@reachout/contract/states/campaign.ts';
import {
  touchpointStatuses,
  touchpointTypes,
  type TouchpointStatus,
} from '@reachout/contract/states/touchpoint.ts';
import { IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { withReadableOrder } from '#web/clients/figures/readable-order.ts';
import type { ListFilter } from '#web/identity/lists/list-filters.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { NewEmailButton } from '#web/outreach/new-email/new-email-button.tsx';
import { useTouchpointColumns } from '#web/outreach/touchpoints/touchpoint-columns.tsx';
import { TouchpointForm } from '#web/outreach/touchpoints/touchpoint-form.tsx';
import { compact, defineList, readChoice, type SearchOf } from '#web/platform/list-search.ts';
import { recordPages } from '#web/identity/lists/record-pages.ts';

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

const touchpointsQuery = (scope: OrganizationContext, search: SearchOf<typeof list>) =>
  scope.api.campaignsTouchpoints.list.queryOptions(
    list.query(withReadableOrder(scope, search), {
      organization_id: scope.orgId,
      client_id: scope.clientId,
      campaign_status: search.campaign,
      touchpoint_status: search.status,
      touchpoint_type: search.type,
    }),
  );

export const Route = createFileRoute('/o/$orgId/touchpoints/')({
  ...list.route,
  loader: ({ context, deps }) => context.preload((scope) => [touchpointsQuery(scope, deps)]),
  component: Touchpoints,
});

function Touchpoints() {
  const { t } = useTranslation(['touchpoints', 'common']);
  const query = useQuery(touchpointsQuery(useOrganization(), Route.useSearch()));
  const filterBy = (name: string, label: string, options: ListFilter['options']): ListFilter => ({
    name,
    label,
    look: 'labelled',
    any: t('any'),
    options,
  });
  const statusOf = (value: CampaignStatus | TouchpointStatus) => ({
    value,
    label: t(`common:status.${value}`),
  });
  return (
    <RecordList
      records={recordLists.campaignsTouchpoints}
      query={query}
      list={list}
      texts="touchpoints"
      icon={IconMail}
      columns={useTouchpointColumns({ isGrouped: true })}
      columnsOf="all_touchpoints"
      nameOf={({ name }) => name}
      levelOf={(row) => (isTouchpoint(row) ? 'child' : 'group')}
      counted={t('countedCampaigns', { count: query.data?.count ?? 0 })}
      filters={[
        filterBy(
          'type',
          t('words.type'),
          touchpointTypes.map((value) => ({ value, label: t(`common:type.${value}`) })),
        ),
        filterBy('campaign', t('campaignStatus'), campaignStatuses.map(statusOf)),
        filterBy('status', t('touchpointStatus'), touchpointStatuses.map(statusOf)),
      ]}
      create={{
        permission: ['create', 'Touchpoint'],
        variant: 'default',
        form: (close) => <TouchpointForm onClose={close} />,
        beside: <NewEmailButton />,
      }}
      recordPage={recordPages.touchpoint}
    />
  );
}
