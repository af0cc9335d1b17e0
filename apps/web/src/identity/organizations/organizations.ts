import {
  abilityOf,
  accessScopeOf,
  allows,
  readOnlyRules,
  type AbilityRule,
} from '@reachout/contract/abilities.ts';
import type { Organization } from '@reachout/contract/organizations.ts';
import { api, apiOf, type Api } from '#web/platform/api.ts';
import { startedEarly } from '#web/platform/early-start.ts';
import { preload, type Preloaded } from '#web/platform/preload.ts';
import { queryClient } from '#web/platform/query-client.ts';
import type { OrganizationContext } from './use-organization.ts';

type Permissions = Awaited<ReturnType<Api['organizations']['permissions']['call']>>;

/** The organizations of the signed-in user, with their role in each. */
export const organizationsQuery = startedEarly(
  'organizations',
  api.organizations.list.queryOptions({ staleTime: 60_000 }),
);

/** The pending invitations of the signed-in user. */
export const myInvitationsQuery = api.me.invitations.queryOptions({ staleTime: 60_000 });

/** The permissions of the signed-in user in an organization; refetched whenever the window gets the focus. */
export const permissionsQuery = (orgId: string) =>
  startedEarly(
    'permissions',
    apiOf(orgId).organizations.permissions.queryOptions({
      input: { id: orgId },
      staleTime: 60_000,
      refetchOnWindowFocus: 'always',
    }),
    { organization_id: orgId },
  );

type Queries = readonly (Preloaded | false)[];

/**
 * For loaders of organization pages: starts the queries of a page as soon as the permissions are known, so that no denied
 * query is requested.
 */
export const preloadOf =
  (organization: Organization, chosenClientId: string | undefined) =>
  (queries: (scope: OrganizationContext) => Queries | Promise<Queries>): void =>
    preload(async () => {
      const permissions = await queryClient.ensureQueryData(permissionsQuery(organization.id));
      const scope = createOrganizationContext(organization, permissions, chosenClientId);
      return (await queries(scope)).filter((query) => query !== false);
    });

/**
 * @param permissions  as returned by the server; if undefined (unknown), everything is read-only
 * @param chosenClientId  the client in the URL
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

/** The only client that a member is limited to, if it is exactly one. */
function onlyClientOf(rules: readonly AbilityRule[], orgId: string): string | undefined {
  const scope = accessScopeOf(rules, 'read', 'Client', orgId);
  if (typeof scope === 'string' || scope.brand_ids.length > 0 || scope.client_ids.length > 1)
    return undefined;
  return scope.client_ids[0];
}
