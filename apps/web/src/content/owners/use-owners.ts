import type { Owner } from '@reachout/contract/rules/owners.ts';
import { useQuery } from '@tanstack/react-query';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ownerOf } from './owner-key.ts';

/** The clients and brands that can be selected as owner. */
export function useOwners() {
  const { api, orgId, can } = useOrganization();
  const query = useQuery(
    api.clientsBrands.list.queryOptions({
      input: { organization_id: orgId, page: 0, page_size: 500 },
      enabled: can('read', 'Client') && can('read', 'Brand'),
    }),
  );
  const clients = query.data?.items ?? [];
  return {
    query,
    clients,
    /** Resolves a field value to its owner, a brand including its client; undefined until they are loaded. */
    resolve: (key: string): Owner | undefined => {
      const { client_id, brand_id } = ownerOf(key);
      if (brand_id === null) return { client_id, brand_id };
      const client = clients.find(({ brands }) => brands.some((brand) => brand.brand_id === brand_id));
      return client && { client_id: client.client_id, brand_id };
    },
  };
}
