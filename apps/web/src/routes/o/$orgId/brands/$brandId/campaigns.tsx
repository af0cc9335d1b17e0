import { figureColumns } from '@reachout/contract/rules/figure-columns.ts';
import { IconSpeakerphone } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { withReadableOrder } from '#web/clients/figures/readable-order.ts';
import { useListColumns } from '#web/identity/account/list-columns.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { useCampaignColumns } from '#web/outreach/campaigns/campaign-columns.tsx';
import { CampaignTable } from '#web/outreach/campaigns/campaign-table.tsx';
import { defineList, type SearchOf } from '#web/platform/list-search.ts';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { useDeletedRecords } from '#web/ui/deletion.ts';

const list = defineList({
  pageSize: 10,
  sortBy: ['name', 'status', 'updated_at', ...figureColumns],
  defaultOrder: 'updated_at.desc',
});
type Search = SearchOf<typeof list>;

const campaignsQuery = (scope: OrganizationContext, brandId: string, search: Search) =>
  scope.api.campaigns.list.queryOptions({
    input: {
      organization_id: scope.orgId,
      brand_id: brandId,
      ...list.input(withReadableOrder(scope, search)),
    },
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/brands/$brandId/campaigns')({
  ...list.route,
  loader: ({ context, params, deps }) =>
    context.preload((scope) => [campaignsQuery(scope, params.brandId, deps)]),
  component: Campaigns,
});

/** The campaigns of the brand; the layout above has the create action. */
function Campaigns() {
  const { t } = useTranslation('campaigns');
  const { brandId } = Route.useParams();
  const scope = useOrganization();
  const deletion = useDeletedRecords(scope.api.campaigns);
  const query = useQuery(campaignsQuery(scope, brandId, Route.useSearch()));
  const { columns, choice } = useListColumns('brand_campaigns', useCampaignColumns(false));
  return (
    <ListPage
      query={query}
      what={t('what')}
      empty={
        <EmptyState
          icon={IconSpeakerphone}
          title={t('empty.title')}
          text={t(scope.canEver('create', 'Campaign') ? 'empty.body' : 'empty.reader')}
        />
      }
      actions={choice}
      list={list}
      deletion={deletion}
    >
      {(table) => <CampaignTable {...table} deletion={deletion} columns={columns} />}
    </ListPage>
  );
}
