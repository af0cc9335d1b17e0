import { currentFormat, currentTimeZone } from '#web/i18n/format.ts';
import { instantOf } from '#web/i18n/zoned-time.ts';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import { addDays, dayOf, daysOf, type Day } from './calendar-period.ts';
import type { CalendarSearch, CalendarView } from './calendar-search.ts';

/** Below this width there is no room for seven columns. */
export const phone = '(max-width: 47.99em)';

export interface CalendarPeriod {
  view: CalendarView;
  date: Day;
  today: Day;
  days: Day[];
}

export function periodOf({ view, date }: CalendarSearch, isPhone: boolean, locale: string): CalendarPeriod {
  const today = dayOf(new Date().toISOString(), currentTimeZone());
  const shown = view ?? (isPhone ? 'agenda' : 'month');
  const day = date ?? today;
  return { view: shown, date: day, today, days: daysOf(shown, day, weekStartOf(locale)) };
}

/** Not in the types yet, and not in all browsers. */
interface LocaleWithWeek extends Intl.Locale {
  getWeekInfo?: () => { firstDay: number };
}

const weekStartOf = (locale: string): number =>
  (new Intl.Locale(locale) as LocaleWithWeek).getWeekInfo?.().firstDay ?? 1;

export const occurrencesQuery = (
  { api, orgId, clientId }: OrganizationContext,
  { brand, campaign }: CalendarSearch,
  days: readonly Day[],
) => {
  const startOf = (day: Day) => instantOf(day, currentTimeZone())!.toISOString();
  return api.schedules.occurrences.queryOptions({
    input: compact({
      organization_id: orgId,
      client_id: clientId,
      brand_id: brand,
      campaign_id: campaign,
      from: startOf(days[0]!),
      to: startOf(addDays(days.at(-1)!, 1)),
    }),
    meta: { quiet: true },
  });
};

/** For the loader of the route. */
export const calendarQueries = (scope: OrganizationContext, search: CalendarSearch) => {
  const { locale } = currentFormat(document.documentElement.lang);
  return [occurrencesQuery(scope, search, periodOf(search, matchMedia(phone).matches, locale).days)];
};
