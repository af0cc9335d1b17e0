import { figureColumns } from '@reachout/contract/rules/figure-columns.ts';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { BrandList } from '#web/clients/brands/brand-list.tsx';
import { withReadableOrder } from '#web/clients/figures/readable-order.ts';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { FigurePicture } from '#web/outreach/channels/email/email-picture.tsx';
import { defineList, type SearchOf } from '#web/platform/list-search.ts';

const list = defineList({
  pageSize: 10,
  sortBy: ['name', 'updated_at', ...figureColumns],
  defaultOrder: 'name.asc',
});
type Search = SearchOf<typeof list>;

const brandsQuery = (scope: OrganizationContext, clientId: string, search: Search) =>
  scope.api.brands.list.queryOptions(
    list.query(withReadableOrder(scope, search), { organization_id: scope.orgId, client_id: clientId }),
  );

export const Route = createFileRoute('/o/$orgId/clients/$clientId/overview')({
  ...list.route,
  loader: ({ context, params, deps }) =>
    context.preload((scope) => [brandsQuery(scope, params.clientId, deps)]),
  component: Overview,
});

function Overview() {
  const { clientId } = Route.useParams();
  const query = useQuery(brandsQuery(useOrganization(), clientId, Route.useSearch()));
  return <BrandList query={query} list={list} pictureOf={(figures) => <FigurePicture figures={figures} />} />;
}
