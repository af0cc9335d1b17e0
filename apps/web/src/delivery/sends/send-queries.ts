import type { DeliveryState } from '@reachout/contract/statuses.ts';
import { keepPreviousData } from '@tanstack/react-query';
import type { OrganizationContextValue } from '#web/identity/organizations/organization-context.ts';
import { compact } from '#web/platform/list-search.ts';

// Apart from their screens, because loaders read them: what a loader imports is part of the first load.

export interface DeliverySearch {
  search?: string;
  page?: number;
  state?: DeliveryState;
}

export const deliveriesPageSize = 20;

export const sendQuery = ({ api }: OrganizationContextValue, id: string) =>
  api.sends.get.queryOptions({ input: { id }, meta: { quiet: true } });

export const deliveriesQuery = (
  { api }: OrganizationContextValue,
  sendId: string,
  { search, page = 1, state }: DeliverySearch,
) =>
  api.sends.deliveries.queryOptions({
    input: compact({ id: sendId, search, state, page: page - 1, page_size: deliveriesPageSize }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
