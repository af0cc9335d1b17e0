import { memberClients } from '@reachout/contract/abilities.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import type { AccessScope } from '@reachout/contract/access-scope.ts';

export interface ClientAndBrandNames {
  clients: readonly { id: string; name: string }[];
  brands: readonly { id: string; name: string }[];
}

/** Names of the clients and brands in conditions, as far as the user can see them. */
export function useClientAndBrandNames(): ClientAndBrandNames {
  const { api, orgId, can } = useOrganization();
  const { data } = useQuery({
    ...api.clientsBrands.list.queryOptions({
      input: { organization_id: orgId, page: 0, page_size: 500 },
      staleTime: 60_000,
    }),
    enabled: can('read', 'Client'),
  });
  const groups = data?.items ?? [];
  return {
    clients: groups.map(({ client_id, client_name }) => ({ id: client_id, name: client_name })),
    brands: groups.flatMap(({ client_name, brands }) =>
      brands.map(({ brand_id, brand_name }) => ({ id: brand_id, name: `${client_name} › ${brand_name}` })),
    ),
  };
}

export function useAccessScopeText(
  names: ClientAndBrandNames,
): (accessScope: AccessScope, isException: boolean) => string {
  const { t } = useTranslation('settings');
  const format = useFormat();
  return (accessScope, isException) => {
    if (accessScope === 'all') return t('roles.accessScope.all');
    if (accessScope === 'nothing')
      return t(isException ? 'roles.accessScope.exception' : 'roles.accessScope.nothing');
    const said = [
      ...accessScope.client_ids.map((id) =>
        id === memberClients
          ? t('roles.accessScope.ownClients')
          : (names.clients.find((entry) => entry.id === id)?.name ?? t('roles.accessScope.unknown')),
      ),
      ...accessScope.brand_ids.map(
        (id) => names.brands.find((entry) => entry.id === id)?.name ?? t('roles.accessScope.unknown'),
      ),
    ];
    return t('roles.accessScope.some', { names: format.list([...new Set(said)]) });
  };
}
