import { currentTimeZone } from '#web/i18n/format.ts';
import { instantOf, wallTimeOf } from '#web/i18n/zoned-time.ts';
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
  'schedules.',
  'filters.',
  'templates.',
  'content.',
  'suppressions.',
  'dataRequests.',
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

/** The filters as input of list and export. A period begins at midnight in the user's time zone. */
export function auditFilters({ search, user, action, days }: AuditSearch) {
  const timeZone = currentTimeZone();
  const today = wallTimeOf(new Date(), timeZone).slice(0, 10);
  const first = new Date(Date.parse(today) - (Number(days ?? 1) - 1) * 86_400_000).toISOString().slice(0, 10);
  return compact({
    search,
    user_id: user,
    action,
    from: days === undefined ? undefined : instantOf(first, timeZone)?.toISOString(),
  });
}
