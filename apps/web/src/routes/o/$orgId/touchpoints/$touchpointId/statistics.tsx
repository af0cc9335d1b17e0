import { isSent } from '@reachout/contract/states/touchpoint.ts';
import { createFileRoute } from '@tanstack/react-router';
import { lazy } from 'react';
import { loadConversionTexts, loadWebsiteTexts } from '#web/i18n/i18n.ts';
import { EmailStatistics } from '#web/insight/statistics/email-statistics.tsx';
import { readPeriodChoice } from '#web/insight/statistics/period-choice.ts';
import { periods, statisticsQueries } from '#web/insight/statistics/statistics-queries.ts';
import { touchpointQuery } from '#web/outreach/touchpoints/touchpoint-query.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { loadWithTexts } from '#web/platform/lazy-chunks.ts';
import { checked, compact, readChoice } from '#web/platform/list-search.ts';

const readSearch = checked((raw) =>
  compact({ period: readChoice(raw['period'], periods) ?? readPeriodChoice(raw['period']) }),
);

export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/statistics')({
  validateSearch: readSearch,
  beforeLoad: loadConversionTexts,
  // Of an email, all but the chart, which depends on when it was sent.
  loader: ({ context, params }) =>
    context.preload(async (scope) => {
      const touchpoint = touchpointQuery(scope, params.touchpointId);
      const { type } = await context.queryClient.ensureQueryData(touchpoint);
      return isSent(type) ? Object.values(statisticsQueries(scope, params.touchpointId)) : [];
    }),
  component: Page,
});

const WebsiteStatistics = lazy(() =>
  loadWithTexts(() => import('#web/insight/websites/website-statistics.tsx'), loadWebsiteTexts),
);

const defaultWebsitePeriod = '30day';

function Page() {
  const { touchpoint } = useTouchpoint();
  const { period } = Route.useSearch();
  const navigate = Route.useNavigate();
  const toPeriod = (usual: string) => (next: string) =>
    void navigate({ search: compact({ period: next === usual ? undefined : next }) });
  return isSent(touchpoint.type) ? (
    <EmailStatistics period={period ?? 'life'} onPeriod={toPeriod('life')} />
  ) : (
    <WebsiteStatistics
      period={readPeriodChoice(period) ?? defaultWebsitePeriod}
      onPeriod={toPeriod(defaultWebsitePeriod)}
    />
  );
}
