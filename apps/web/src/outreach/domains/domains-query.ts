import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact, readUuid } from '#web/platform/list-search.ts';

/** `maxDomains` of the contract: the list has one page. */
const pageSize = 50;

export const domainsQuery = ({ api, orgId, clientId }: OrganizationContext) =>
  api.domains.list.queryOptions({
    input: compact({ organization_id: orgId, client_id: clientId, page_size: pageSize }),
  });

export const domainQuery = ({ api }: Pick<OrganizationContext, 'api'>, id: string) =>
  api.domains.get.queryOptions({ input: { id } });

/** @returns the client in whose name a domain is added */
export const readAsking = (raw: Record<string, unknown>): { for?: string } =>
  compact({ for: readUuid(raw['for']) });
