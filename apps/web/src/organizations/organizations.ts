import { abilityFor } from '@reachout/contract/abilities.ts';
import type { Organization } from '@reachout/contract/organizations.ts';
import { api, type OrganizationApi } from '../api.ts';
import type { OrganizationScope } from './scope.ts';

/** The organizations of whoever is signed in, with their role in each. */
export const organizationsQuery = api.organizations.list.queryOptions({ staleTime: 60_000 });

export function createScope(organization: Organization, organizationApi: OrganizationApi): OrganizationScope {
  const ability = abilityFor(organization.role);
  return {
    organization,
    orgId: organization.id,
    api: organizationApi,
    can: (action, subject) => ability.can(action, subject),
  };
}
