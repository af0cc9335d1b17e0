import { reactions, recipientFilters } from '@reachout/contract/statuses.ts';
import type { Send } from '@reachout/contract/sends.ts';
import { liveSendKinds } from '@reachout/contract/states/send.ts';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact, defineList, readChoice, type SearchOf } from '#web/platform/list-search.ts';

// Separate from the screens because loaders import them, and a loader's imports are part of the first load.

export const recipientList = defineList({
  pageSize: 20,
  isSearchable: true,
  filters: (raw) =>
    compact({
      state: readChoice(raw['state'], recipientFilters),
      reaction: readChoice(raw['reaction'], reactions),
      link: readLink(raw['link']),
    }),
});
export type RecipientSearch = SearchOf<typeof recipientList>;

/** The number of a link, as in the statistics. */
const readLink = (value: unknown): number | undefined =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 10_000 ? Number(value) : undefined;

export const sendQuery = ({ api }: OrganizationContext, id: string) =>
  api.sends.get.queryOptions({ input: { id }, meta: { quiet: true } });

export const receiptQuery = ({ api }: OrganizationContext, { id }: Pick<Send, 'id'>) =>
  api.sends.receipt.queryOptions({
    input: { id },
    // The receipt does not change once a recipient has got the email.
    staleTime: ({ state }) => (state.data?.shown?.is_sent ? Infinity : 0),
  });

const liveSendsPageSize = 100;

/** The sends of a touchpoint, newest first. */
export const liveSendsQuery = ({ api }: OrganizationContext, touchpointId: string) =>
  api.sends.listOfTouchpoint.queryOptions({
    input: { id: touchpointId, page: 0, page_size: liveSendsPageSize },
  });

/** The main send of an email, ignoring later follow-ups and earlier failed sends. */
export const findLiveSend = (sends: readonly Send[]): Send | undefined =>
  sends.find(({ kind }) => liveSendKinds.some((live) => live === kind));

/** Filters by reactions only apply for those who can read them: the URL may come from another user. */
export const recipientFilterOf = ({ can }: OrganizationContext, search: RecipientSearch) => {
  const { state, reaction, link, search: text } = search;
  return compact({ state, search: text, ...(can('read', 'Statistics') ? { reaction, link } : {}) });
};

export const recipientsQuery = (scope: OrganizationContext, sendId: string, search: RecipientSearch) =>
  scope.api.sends.deliveries.queryOptions({
    ...recipientList.query(search, { id: sendId, ...recipientFilterOf(scope, search) }),
    meta: { quiet: true },
  });
