import { figureColumns } from '@reachout/contract/rules/figure-columns.ts';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { withReadableOrder } from '#web/clients/figures/readable-order.ts';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { CampaignList } from '#web/outreach/campaigns/campaign-list.tsx';
import { defineList, type SearchOf } from '#web/platform/list-search.ts';

const list = defineList({
  pageSize: 10,
  sortBy: ['name', 'status', 'updated_at', ...figureColumns],
  defaultOrder: 'updated_at.desc',
});

const campaignsQuery = (scope: OrganizationContext, brandId: string, search: SearchOf<typeof list>) =>
  scope.api.campaigns.list.queryOptions(
    list.query(withReadableOrder(scope, search), { organization_id: scope.orgId, brand_id: brandId }),
  );

export const Route = createFileRoute('/o/$orgId/brands/$brandId/campaigns')({
  ...list.route,
  loader: ({ context, params, deps }) =>
    context.preload((scope) => [campaignsQuery(scope, params.brandId, deps)]),
  component: Campaigns,
});

/** The campaigns of the brand; the layout above has the create action. */
function Campaigns() {
  const { brandId } = Route.useParams();
  const query = useQuery(campaignsQuery(useOrganization(), brandId, Route.useSearch()));
  return <CampaignList query={query} list={list} header={false} columnsOf="brand_campaigns" isOfBrand />;
}
