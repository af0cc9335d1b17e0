import { figureColumns } from '@reachout/contract/rules/figure-columns.ts';
import { IconTag } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BrandTable, useBrandColumns } from '#web/clients/brands/brand-table.tsx';
import { withReadableOrder } from '#web/clients/figures/readable-order.ts';
import { useListColumns } from '#web/identity/account/list-columns.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { FigurePicture } from '#web/outreach/channels/email/email-picture.tsx';
import { defineList, type SearchOf } from '#web/platform/list-search.ts';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { useDeletedRecords } from '#web/ui/deletion.ts';

const list = defineList({
  pageSize: 10,
  sortBy: ['name', 'updated_at', ...figureColumns],
  defaultOrder: 'name.asc',
});
type Search = SearchOf<typeof list>;

const brandsQuery = (scope: OrganizationContext, clientId: string, search: Search) =>
  scope.api.brands.list.queryOptions({
    input: {
      organization_id: scope.orgId,
      client_id: clientId,
      ...list.input(withReadableOrder(scope, search)),
    },
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/clients/$clientId/overview')({
  ...list.route,
  loader: ({ context, params, deps }) =>
    context.preload((scope) => [brandsQuery(scope, params.clientId, deps)]),
  component: Overview,
});

/** The brands of the client; the layout above has the create action. */
function Overview() {
  const { t } = useTranslation('clients');
  const { clientId } = Route.useParams();
  const scope = useOrganization();
  const query = useQuery(brandsQuery(scope, clientId, Route.useSearch()));
  const deletion = useDeletedRecords(scope.api.brands);
  const { columns, choice } = useListColumns(
    'brands',
    useBrandColumns((figures) => <FigurePicture figures={figures} />),
  );
  return (
    <ListPage
      query={query}
      what={t('brands')}
      empty={<EmptyState icon={IconTag} title={t('emptyBrands.title')} text={t('emptyBrands.body')} />}
      actions={choice}
      list={list}
      deletion={deletion}
    >
      {(table) => <BrandTable {...table} columns={columns} deletion={deletion} />}
    </ListPage>
  );
}
