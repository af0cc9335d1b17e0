import type { Domain } from '@reachout/contract/domains.ts';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';

/** `maxDomains` of the contract: the list has one page, and domains with problems come first. */
const pageSize = 50;

export const domainsQuery = ({ api, orgId, clientId }: OrganizationContext) =>
  api.domains.list.queryOptions({
    input: compact({ organization_id: orgId, client_id: clientId, page_size: pageSize }),
    select: ({ items, count }) => ({ items: items.toSorted((one, other) => rank(one) - rank(other)), count }),
  });

export const domainQuery = ({ api }: Pick<OrganizationContext, 'api'>, id: string) =>
  api.domains.get.queryOptions({ input: { id } });

/** Failing domains first, then verified ones that lost a record. */
function rank({ status, states }: Domain): number {
  if (status === 'failing') return 0;
  return status === 'verified' && Object.values(states).includes('fail') ? 1 : 2;
}
