import { compact, defineList, readChoice, readUuid, type SearchOf } from '#web/platform/list-search.ts';

// Apart from the texts of actions: what reads an address is part of the first load.

/** What entries of the audit log can be filtered by: the beginnings of their actions. */
export const auditGroups = [
  'sign_in',
  'organizations.',
  'members.',
  'organizationRoles.',
  'invitations.',
  'apiKeys.',
  'clients.',
  'brands.',
  'campaigns.',
  'touchpoints.',
  'sends.',
  'filters.',
  'templates.',
  'content.',
  'storage.',
  'auditLog.',
] as const;

/** Days back from today, as they stand in the address. */
export const auditPeriods = ['1', '7', '30', '90'] as const;

export const auditList = defineList({
  pageSize: 50,
  isSearchable: true,
  filters: (raw) =>
    compact({
      user: readUuid(raw['user']),
      action: readChoice(raw['action'], auditGroups),
      days: readChoice(String(raw['days']), auditPeriods),
    }),
});
export type AuditSearch = SearchOf<typeof auditList>;

/** The filters as list and export take them. A period begins with a day of the reader's calendar. */
export function auditFilters({ search, user, action, days }: AuditSearch) {
  const start = new Date();
  start.setHours(0, 0, 0, 0);
  start.setDate(start.getDate() - Number(days ?? 0) + 1);
  return compact({
    search,
    user_id: user,
    action,
    from: days === undefined ? undefined : start.toISOString(),
  });
}
