import { organizationStatuses, userStatuses } from '@reachout/contract/statuses.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { api } from '#web/platform/api.ts';
import { compact, defineList, readChoice, type SearchOf } from '#web/platform/list-search.ts';

export const organizationList = defineList({
  pageSize: 50,
  isSearchable: true,
  filters: (raw) => compact({ status: readChoice(raw['status'], organizationStatuses) }),
});
export type OrganizationSearch = SearchOf<typeof organizationList>;

export const operatedOrganizations = ({ status, ...search }: OrganizationSearch) =>
  api.operator.organizations.queryOptions({
    input: { ...organizationList.input(search), ...compact({ status }) },
    placeholderData: keepPreviousData,
  });

export const userList = defineList({
  pageSize: 50,
  isSearchable: true,
  filters: (raw) => compact({ status: readChoice(raw['status'], userStatuses) }),
});
export type UserSearch = SearchOf<typeof userList>;

export const operatedUsers = ({ status, ...search }: UserSearch) =>
  api.operator.users.queryOptions({
    input: { ...userList.input(search), ...compact({ status }) },
    placeholderData: keepPreviousData,
  });
