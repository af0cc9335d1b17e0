import { keepPreviousData } from '@tanstack/react-query';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';

/** Subscription summaries for the contacts on one page of a list, by their ids. */
export const summariesQuery = (
  { api, orgId, clientId }: OrganizationContext,
  collection: string,
  keys: string[],
) =>
  api.consent.list.queryOptions({
    input: compact({ organization_id: orgId, client_id: clientId, collection, keys: keys.join(',') }),
    select: ({ items }) => new Map(items.map((item) => [item.key, item])),
    placeholderData: keepPreviousData,
  });

export const subscriptionQuery = (
  { api, orgId, clientId }: OrganizationContext,
  collection: string,
  key: string,
) =>
  api.consent.get.queryOptions({
    input: compact({ organization_id: orgId, client_id: clientId, collection, key }),
  });
