import { createFileRoute } from '@tanstack/react-router';
import { readCalendarSearch } from '#web/delivery/schedules/calendar-search.ts';
import { Calendar } from '#web/delivery/schedules/calendar.tsx';
import { loadScheduleTexts } from '#web/i18n/i18n.ts';

export const Route = createFileRoute('/o/$orgId/calendar')({
  validateSearch: readCalendarSearch,
  loaderDeps: ({ search }) => search,
  beforeLoad: loadScheduleTexts,
  loader: ({ context, deps }) =>
    context.preload(async (scope) => {
      const { calendarQueries } = await import('#web/delivery/schedules/calendar-query.ts');
      return calendarQueries(scope, deps);
    }),
  component: CalendarPage,
});

function CalendarPage() {
  return <Calendar search={Route.useSearch()} />;
}
