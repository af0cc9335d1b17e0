import { abilityFor, type Action, type Subject } from '@reachout/contract/abilities.ts';
import type { Organization } from '@reachout/contract/organizations.ts';
import { createContext, useContext } from 'react';
import { api, type OrganizationApi } from '../api.ts';
import { readLocal, writeLocal } from '../platform/local.ts';

/** The organizations of whoever is signed in, with their role in each. */
export const organizationsQuery = api.organizations.list.queryOptions({ staleTime: 60_000 });

export interface OrganizationScope {
  organization: Organization;
  orgId: string;
  api: OrganizationApi;
  /** "May I": the same rules as on the server, which has the last word. */
  can: (action: Action, subject: Subject) => boolean;
}

export const OrganizationContext = createContext<OrganizationScope | undefined>(undefined);

/** The organization in the address. Only below `/o/$orgId`. */
export function useOrganization(): OrganizationScope {
  const scope = useContext(OrganizationContext);
  if (!scope) throw new Error('useOrganization outside of an organization');
  return scope;
}

export function createScope(organization: Organization, organizationApi: OrganizationApi): OrganizationScope {
  const ability = abilityFor(organization.role);
  return {
    organization,
    orgId: organization.id,
    api: organizationApi,
    can: (action, subject) => ability.can(action, subject),
  };
}

export const lastOrganizationId = (): string | undefined => readLocal('organization');
export const rememberOrganization = (id: string): void => writeLocal('organization', id);
