import { api } from '#web/platform/api.ts';
import { organizationList, userList, type OrganizationSearch, type UserSearch } from './operator-lists.ts';

export const operatedOrganizations = (search: OrganizationSearch) =>
  api.operator.organizations.queryOptions(organizationList.query(search, { status: search.status }));

export const operatedUsers = (search: UserSearch) =>
  api.operator.users.queryOptions(userList.query(search, { status: search.status }));
