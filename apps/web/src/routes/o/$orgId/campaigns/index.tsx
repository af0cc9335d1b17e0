import { figureColumns } from '@reachout/contract/rules/figure-columns.ts';
import { campaignStatuses } from '@reachout/contract/states/campaign.ts';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { withReadableOrder } from '#web/clients/figures/readable-order.ts';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { CampaignForm } from '#web/outreach/campaigns/campaign-form.tsx';
import { CampaignList } from '#web/outreach/campaigns/campaign-list.tsx';
import { compact, defineList, readChoice, type SearchOf } from '#web/platform/list-search.ts';

const list = defineList({
  pageSize: 100,
  isSearchable: true,
  sortBy: ['name', 'status', 'updated_at', ...figureColumns],
  defaultOrder: 'updated_at.desc',
  filters: (raw) => compact({ status: readChoice(raw['status'], campaignStatuses) }),
});

const campaignsQuery = (scope: OrganizationContext, search: SearchOf<typeof list>) =>
  scope.api.campaigns.list.queryOptions(
    list.query(withReadableOrder(scope, search), {
      organization_id: scope.orgId,
      client_id: scope.clientId,
      status: search.status,
    }),
  );

export const Route = createFileRoute('/o/$orgId/campaigns/')({
  ...list.route,
  loader: ({ context, deps }) => context.preload((scope) => [campaignsQuery(scope, deps)]),
  component: Campaigns,
});

function Campaigns() {
  const { t } = useTranslation(['campaigns', 'common']);
  const query = useQuery(campaignsQuery(useOrganization(), Route.useSearch()));
  const statuses = ['draft', 'scheduled', 'archived'] as const;
  return (
    <CampaignList
      query={query}
      list={list}
      columnsOf="campaigns"
      filters={[
        {
          name: 'status',
          label: t('words.status'),
          any: t('views.all'),
          options: statuses.map((value) => ({ value, label: t(`views.${value}`) })),
          look: 'segments',
        },
      ]}
      create={{
        permission: ['create', 'Campaign'],
        form: (close) => <CampaignForm onClose={close} />,
      }}
    />
  );
}
