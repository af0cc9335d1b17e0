import {
  abilityOf,
  accessScopeOf,
  allows,
  readOnlyRules,
  type AbilityRule,
} from '@reachout/contract/abilities.ts';
import type { Organization } from '@reachout/contract/organizations.ts';
import { api, apiOf, type Api } from '#web/platform/api.ts';
import { preload, type Preloaded } from '#web/platform/preload.ts';
import { queryClient } from '#web/platform/query-client.ts';
import type { OrganizationContext } from './use-organization.ts';

type Permissions = Awaited<ReturnType<Api['organizations']['permissions']['call']>>;

/** The organizations of the signed-in user, with their role in each. */
export const organizationsQuery = api.organizations.list.queryOptions({ staleTime: 60_000 });

/** Invitations that wait for the response of the signed-in user. */
export const myInvitationsQuery = api.me.invitations.queryOptions({ staleTime: 60_000 });

/** What the signed-in user may do in an organization; asked again whenever the window gets the focus. */
export const permissionsQuery = (orgId: string) =>
  apiOf(orgId).organizations.permissions.queryOptions({
    input: { id: orgId },
    staleTime: 60_000,
    refetchOnWindowFocus: 'always',
  });

/**
 * For the loaders of an organization's pages: starts the queries of a page as soon as the permissions are known, so that
 * nothing is asked for that would be denied.
 */
export const preloadOf =
  (organization: Organization, chosenClientId: string | undefined) =>
  (queries: (scope: OrganizationContext) => readonly (Preloaded | false)[]): void =>
    preload(async () => {
      const permissions = await queryClient.ensureQueryData(permissionsQuery(organization.id));
      const scope = createOrganizationContext(organization, permissions, chosenClientId);
      return queries(scope).filter((query) => query !== false);
    });

/**
 * @param permissions  as the server gave them; undefined while they are not known: then everything is read-only
 * @param chosenClientId  the client in the address
 */
export function createOrganizationContext(
  organization: Organization,
  permissions: Permissions | undefined,
  chosenClientId?: string,
): OrganizationContext {
  const rules = permissions?.rules as AbilityRule[] | undefined;
  const knownRules = rules ?? readOnlyRules;
  const ability = abilityOf([...knownRules]);
  const suspended = organization.status === 'suspended';
  return {
    organization,
    orgId: organization.id,
    clientId: chosenClientId ?? onlyClientOf(rules ?? [], organization.id),
    api: apiOf(organization.id),
    suspended,
    rulesKnown: rules !== undefined,
    clientWantedFrom: permissions?.client_wanted_from ?? undefined,
    can: (action, subject, record) =>
      (action === 'read' || !suspended) && allows(ability, action, subject, record),
    canEver: (action, subject) => rules === undefined || allows(ability, action, subject),
    readScopeOf: (subject) => accessScopeOf(knownRules, 'read', subject, organization.id),
  };
}

/** The one client that a member is limited to. */
function onlyClientOf(rules: readonly AbilityRule[], orgId: string): string | undefined {
  const scope = accessScopeOf(rules, 'read', 'Client', orgId);
  if (typeof scope === 'string' || scope.brand_ids.length > 0 || scope.client_ids.length > 1)
    return undefined;
  return scope.client_ids[0];
}
