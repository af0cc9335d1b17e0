import { compact, defineList, readChoice, readUuid, type SearchOf } from '#web/platform/list-search.ts';

// Separate from the texts of actions, because URL parsers are part of the first load.

/** Filters of the audit log: prefixes of actions. */
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
  'suppressions.',
  'storage.',
  'auditLog.',
] as const;

/** Days back from today, as in the URL. */
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

/** The filters as input of list and export. A period begins at midnight in the browser's time zone. */
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
