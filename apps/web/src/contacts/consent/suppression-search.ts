import { suppressionReasons } from '@reachout/contract/statuses.ts';
import { instantOf } from '#web/i18n/zoned-time.ts';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact, defineList, readChoice, readUuid, type SearchOf } from '#web/platform/list-search.ts';

const readDay = (value: unknown): string | undefined =>
  typeof value === 'string' &&
  /^(19[7-9]|2[01]\d)\d-\d\d-\d\d$/.test(value) &&
  !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

export const suppressionList = defineList({
  pageSize: 50,
  isSearchable: true,
  sortBy: ['created_at', 'address'],
  defaultOrder: 'created_at.desc',
  filters: (raw) =>
    compact({
      reason: readChoice(raw['reason'], suppressionReasons),
      send: readUuid(raw['send']),
      /** The first and the last day of entry. */
      from: readDay(raw['from']),
      to: readDay(raw['to']),
    }),
});
export type SuppressionSearch = SearchOf<typeof suppressionList>;

/** The filters as input of list, lift and export. Days are those of the user's time zone. */
export function suppressionCriteria({ reason, send, from, to }: SuppressionSearch, timeZone: string) {
  const startOf = (day: string) => instantOf(day, timeZone)?.getTime();
  const nextDay = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  const start = from === undefined ? undefined : startOf(from);
  const end = to === undefined ? undefined : startOf(nextDay(to));
  return compact({
    reason,
    send_id: send,
    from: start === undefined ? undefined : new Date(start).toISOString(),
    to: end === undefined ? undefined : new Date(end - 1).toISOString(),
  });
}

export const suppressionsQuery = (
  { api, orgId }: OrganizationContext,
  search: SuppressionSearch,
  timeZone: string,
) =>
  api.suppressions.list.queryOptions(
    suppressionList.query(search, { organization_id: orgId, ...suppressionCriteria(search, timeZone) }),
  );

/** Refetches while a lift is in progress. */
export const liftsQuery = ({ api, orgId }: OrganizationContext) =>
  api.suppressions.lifts.queryOptions({
    input: { organization_id: orgId },
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ finished_at }) => finished_at === null) ? 1_000 : false,
  });
