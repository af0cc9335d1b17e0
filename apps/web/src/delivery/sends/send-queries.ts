import { recipientStates } from '@reachout/contract/statuses.ts';
import { keepPreviousData } from '@tanstack/react-query';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact, defineList, readChoice, type SearchOf } from '#web/platform/list-search.ts';

// Apart from their screens, because loaders read them: what a loader imports is part of the first load.

export const recipientList = defineList({
  pageSize: 20,
  isSearchable: true,
  filters: (raw) => compact({ state: readChoice(raw['state'], recipientStates) }),
});
export type RecipientSearch = SearchOf<typeof recipientList>;

export const sendQuery = ({ api }: OrganizationContext, id: string) =>
  api.sends.get.queryOptions({ input: { id }, meta: { quiet: true } });

export const recipientsQuery = ({ api }: OrganizationContext, sendId: string, search: RecipientSearch) =>
  api.sends.deliveries.queryOptions({
    input: compact({ id: sendId, state: search.state, ...recipientList.input(search) }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
