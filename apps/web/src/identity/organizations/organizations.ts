import { abilityOf, allows, readOnlyRules, type AbilityRule } from '@reachout/contract/abilities.ts';
import type { Organization } from '@reachout/contract/organizations.ts';
import type { QueryFunction, QueryKey } from '@tanstack/react-query';
import { api, apiOf } from '#web/platform/api.ts';
import { queryClient } from '#web/platform/query-client.ts';
import type { OrganizationContextValue } from './organization-context.ts';

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
 * For the loaders of an organization's pages: asks for what a page reads as soon as it is known what the person may
 * read, so that nothing is asked for that would be refused. The page does not wait for it: it stands at once, and each
 * of its regions shows its own loading or failure.
 */
export const preloadOf =
  (organization: Organization) =>
  (queries: (scope: OrganizationContextValue) => readonly (Preloaded | false)[]): void =>
    void preload(organization, queries);

async function preload(
  organization: Organization,
  queries: (scope: OrganizationContextValue) => readonly (Preloaded | false)[],
): Promise<void> {
  const read = queryClient.ensureQueryData(permissionsQuery(organization.id));
  const permissions = await read.catch(() => undefined);
  // Without permissions a page asks for itself.
  if (!permissions) return;
  const scope = createOrganizationContext(organization, permissions.rules as AbilityRule[]);
  for (const query of queries(scope)) if (query) void queryClient.prefetchQuery(query);
}

interface Preloaded {
  queryKey: QueryKey;
  queryFn: QueryFunction;
}

/**
 * @param rules  as the server filled them; undefined while they are not known: then everything is read-only
 */
export function createOrganizationContext(
  organization: Organization,
  rules: readonly AbilityRule[] | undefined,
): OrganizationContextValue {
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
    canEver: (action, subject) => rules === undefined || allows(ability, action, subject),
  };
}
