import { abilityOf, allows, readOnlyRules, type AbilityRule } from '@reachout/contract/abilities.ts';
import type { Organization } from '@reachout/contract/organizations.ts';
import { api, apiOf } from '#web/platform/api.ts';
import type { OrganizationScope } from './scope.ts';

/** The organizations of whoever is signed in, with their role in each. */
export const organizationsQuery = api.organizations.list.queryOptions({ staleTime: 60_000 });

/** Invitations that wait for the response of whoever is signed in. */
export const myInvitationsQuery = api.me.invitations.queryOptions({ staleTime: 60_000 });

/** What whoever is signed in may do in an organization; asked again whenever the window comes back. */
export const permissionsQuery = (orgId: string) =>
  apiOf(orgId).organizations.permissions.queryOptions({
    input: { id: orgId },
    staleTime: 60_000,
    refetchOnWindowFocus: 'always',
  });

/**
 * @param rules  as the server filled them; undefined while they are not known: then everything is read-only
 */
export function createScope(
  organization: Organization,
  rules: readonly AbilityRule[] | undefined,
): OrganizationScope {
  const ability = abilityOf([...(rules ?? readOnlyRules)]);
  const suspended = organization.status === 'suspended';
  return {
    organization,
    orgId: organization.id,
    api: apiOf(organization.id),
    suspended,
    rulesKnown: rules !== undefined,
    can: (action, subject, record) =>
      (action === 'read' || !suspended) && allows(ability, action, subject, record),
    mayEver: (action, subject) => rules === undefined || allows(ability, action, subject),
  };
}
