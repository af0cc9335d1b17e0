import { keepPreviousData } from '@tanstack/react-query';
import { api } from '#web/platform/api.ts';
import { compact } from '#web/platform/list-search.ts';
import { organizationList, userList, type OrganizationSearch, type UserSearch } from './operator-lists.ts';

export const operatedOrganizations = ({ status, ...search }: OrganizationSearch) =>
  api.operator.organizations.queryOptions({
    input: { ...organizationList.input(search), ...compact({ status }) },
    placeholderData: keepPreviousData,
  });

export const operatedUsers = ({ status, ...search }: UserSearch) =>
  api.operator.users.queryOptions({
    input: { ...userList.input(search), ...compact({ status }) },
    placeholderData: keepPreviousData,
  });
