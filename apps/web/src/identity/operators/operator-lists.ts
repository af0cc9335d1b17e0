import { organizationStatuses, userStatuses } from '@reachout/contract/statuses.ts';
import { compact, defineList, readChoice, type SearchOf } from '#web/platform/list-search.ts';

export const organizationList = defineList({
  pageSize: 50,
  isSearchable: true,
  filters: (raw) => compact({ status: readChoice(raw['status'], organizationStatuses) }),
});
export type OrganizationSearch = SearchOf<typeof organizationList>;

export const userList = defineList({
  pageSize: 50,
  isSearchable: true,
  filters: (raw) => compact({ status: readChoice(raw['status'], userStatuses) }),
});
export type UserSearch = SearchOf<typeof userList>;
