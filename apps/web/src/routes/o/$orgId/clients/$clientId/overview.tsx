import { IconTag } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BrandTable } from '#web/clients/brands/brand-table.tsx';
import {
  useOrganization,
  type OrganizationContextValue,
} from '#web/identity/organizations/organization-context.ts';
import { checked, readListSearch } from '#web/platform/list-search.ts';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { useDeletedRows } from '#web/ui/use-deleted-rows.ts';

const readSearch = checked((raw) => readListSearch(raw, ['name', 'updated_at']));
type Search = ReturnType<typeof readSearch>;

const pageSize = 10;
const defaultOrder = 'name.asc';

const brandsQuery = (
  { api, orgId }: OrganizationContextValue,
  clientId: string,
  { page = 1, order = defaultOrder }: Search,
) =>
  api.brands.list.queryOptions({
    input: { organization_id: orgId, client_id: clientId, order, page: page - 1, page_size: pageSize },
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/clients/$clientId/overview')({
  validateSearch: readSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) =>
    context.preload((scope) => [brandsQuery(scope, params.clientId, deps)]),
  component: Overview,
});

/** The brands of the client; the layout above has the action that makes one. */
function Overview() {
  const { t } = useTranslation('clients');
  const { clientId } = Route.useParams();
  const scope = useOrganization();
  const query = useQuery(brandsQuery(scope, clientId, Route.useSearch()));
  const { brands } = scope.api;
  const deletion = useDeletedRows({
    remove: brands.delete.mutationOptions(),
    restore: brands.restore.mutationOptions(),
  });
  return (
    <ListPage
      query={query}
      what={t('brands')}
      empty={
        <EmptyState icon={<IconTag size={28} stroke={1.75} />} title={t('emptyBrands.title')}>
          {t('emptyBrands.body')}
        </EmptyState>
      }
      defaultOrder={defaultOrder}
      pageSize={pageSize}
      deletion={deletion}
    >
      {(rows, table) => (
        <BrandTable
          {...table}
          rows={rows}
          onDelete={({ id, name }, index) => deletion.remove({ id, name, index, input: { id } })}
        />
      )}
    </ListPage>
  );
}
