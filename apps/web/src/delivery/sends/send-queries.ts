import { recipientFilters } from '@reachout/contract/statuses.ts';
import type { Send } from '@reachout/contract/sends.ts';
import { keepPreviousData } from '@tanstack/react-query';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact, defineList, readChoice, type SearchOf } from '#web/platform/list-search.ts';

// Apart from their screens, because loaders read them: what a loader imports is part of the first load.

export const recipientList = defineList({
  pageSize: 20,
  isSearchable: true,
  filters: (raw) => compact({ state: readChoice(raw['state'], recipientFilters) }),
});
export type RecipientSearch = SearchOf<typeof recipientList>;

export const sendQuery = ({ api }: OrganizationContext, id: string) =>
  api.sends.get.queryOptions({ input: { id }, meta: { quiet: true } });

export const receiptQuery = ({ api }: OrganizationContext, id: string) =>
  api.sends.receipt.queryOptions({
    input: { id },
    // Nothing of it changes once somebody got the email.
    staleTime: ({ state }) => (state.data?.shown ? Infinity : 0),
  });

const liveSendsPageSize = 100;

/** The sends of a touchpoint, newest first. */
export const liveSendsQuery = ({ api }: OrganizationContext, touchpointId: string) =>
  api.sends.listOfTouchpoint.queryOptions({
    input: { id: touchpointId, page: 0, page_size: liveSendsPageSize },
  });

/** The one by which an email went out: follow-ups come after it, and sends that failed before. */
export const findLiveSend = (sends: readonly Send[]): Send | undefined =>
  sends.find(({ kind }) => kind === 'campaign');

export const recipientsQuery = ({ api }: OrganizationContext, sendId: string, search: RecipientSearch) =>
  api.sends.deliveries.queryOptions({
    input: compact({ id: sendId, state: search.state, ...recipientList.input(search) }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
