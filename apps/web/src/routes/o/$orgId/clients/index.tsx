import { figureColumns } from '@reachout/contract/rules/figure-columns.ts';
import { recordLists } from '@reachout/contract/record-lists.ts';
import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BrandDrawer } from '#web/clients/brands/brand-drawer.tsx';
import { ClientDrawer } from '#web/clients/clients/client-drawer.tsx';
import { useClientColumns } from '#web/clients/clients/client-columns.tsx';
import { isBrand } from '@reachout/contract/rules/grouped-rows.ts';
import { withReadableOrder } from '#web/clients/figures/readable-order.ts';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { FigurePicture } from '#web/outreach/channels/email/email-picture.tsx';
import { defineList, type SearchOf } from '#web/platform/list-search.ts';

const list = defineList({
  pageSize: 100,
  isSearchable: true,
  sortBy: ['client_name', ...figureColumns],
  defaultOrder: 'client_name.asc',
});
type Search = SearchOf<typeof list>;

const clientsQuery = (scope: OrganizationContext, search: Search) =>
  scope.api.clientsBrands.list.queryOptions(
    list.query(withReadableOrder(scope, search), { organization_id: scope.orgId, client_id: scope.clientId }),
  );

export const Route = createFileRoute('/o/$orgId/clients/')({
  ...list.route,
  loader: ({ context, deps }) => context.preload((scope) => [clientsQuery(scope, deps)]),
  component: Clients,
});

function Clients() {
  const { t } = useTranslation('clients');
  const scope = useOrganization();
  const query = useQuery(clientsQuery(scope, Route.useSearch()));
  return (
    <RecordList
      records={recordLists.clientsBrands}
      query={query}
      list={list}
      texts="clients"
      icon={IconBuilding}
      columns={useClientColumns((figures) => (
        <FigurePicture figures={figures} />
      ))}
      columnsOf="clients"
      nameOf={({ name }) => name}
      levelOf={(row) => (isBrand(row) ? 'child' : 'group')}
      counted={t('counted', { count: query.data?.count ?? 0 })}
      create={{
        permission: ['create', 'Client'],
        form: (close) => <ClientDrawer onClose={close} />,
      }}
      shown={{
        addBrand: {
          label: t('newBrand'),
          icon: <IconPlus size={16} className="thick-icon" />,
          open: ({ id }, close) => <BrandDrawer clientId={id} onClose={close} />,
        },
      }}
    />
  );
}
