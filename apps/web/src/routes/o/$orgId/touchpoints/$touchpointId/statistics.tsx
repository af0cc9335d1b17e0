import { Alert, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { measuredOf } from '@reachout/contract/rules/measured.ts';
import { isSent } from '@reachout/contract/states/touchpoint.ts';
import { IconChartBar, IconClock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat, useTimeZone } from '#web/i18n/format.ts';
import { loadConversionTexts, loadWebsiteTexts } from '#web/i18n/i18n.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { DeviceTable, ProviderTable } from '#web/insight/statistics/breakdown-tables.tsx';
import { ClickCountries } from '#web/insight/statistics/click-countries.tsx';
import { Comparison } from '#web/insight/statistics/comparison.tsx';
import { CsvLink } from '#web/insight/statistics/csv-link.tsx';
import { EmailChart } from '#web/insight/statistics/email-chart.tsx';
import { Funnel } from '#web/insight/statistics/funnel.tsx';
import { Headline } from '#web/insight/statistics/headline.tsx';
import { LinkMap } from '#web/insight/statistics/link-map.tsx';
import { readPeriodChoice } from '#web/insight/statistics/period-choice.ts';
import { PeriodPicker } from '#web/insight/statistics/period-picker.tsx';
import { QueryPanel } from '#web/insight/statistics/query-panel.tsx';
import { hasChoice, periodText } from '#web/insight/statistics/shown-period.ts';
import {
  chartQuery,
  periods,
  periodStatsQuery,
  statisticsQueries,
} from '#web/insight/statistics/statistics-queries.ts';
import { StatisticsSkeleton } from '#web/insight/statistics/statistics-skeleton.tsx';
import { EventTable } from '#web/insight/statistics/event-table.tsx';
import { Tiles } from '#web/insight/statistics/tiles.tsx';
import { touchpointQuery } from '#web/outreach/touchpoints/touchpoint-query.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { checked, compact, readChoice } from '#web/platform/list-search.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { TilesSkeleton } from '#web/ui/page-skeletons.tsx';
import { Loading } from '#web/ui/skeletons.tsx';
import { EmptyState } from '#web/ui/states.tsx';

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
  loadChunk(async () => {
    const [panel] = await Promise.all([
      import('#web/insight/websites/website-statistics.tsx'),
      loadWebsiteTexts(),
    ]);
    return panel;
  }),
);

const defaultWebsitePeriod = '30day';

function Page() {
  const { touchpoint } = useTouchpoint();
  const { period } = Route.useSearch();
  const navigate = Route.useNavigate();
  if (isSent(touchpoint.type)) return <Statistics />;
  return (
    <WebsiteStatistics
      period={readPeriodChoice(period) ?? defaultWebsitePeriod}
      onPeriod={(next) =>
        void navigate({ search: compact({ period: next === defaultWebsitePeriod ? undefined : next }) })
      }
    />
  );
}

/** The time until the first opens usually arrive. */
const firstOpensMs = 15 * 60_000;

function Statistics() {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  const { touchpointId } = Route.useParams();
  const { period = 'life' } = Route.useSearch();
  const scope = useOrganization();
  const queries = statisticsQueries(scope, touchpointId);
  const stats = useQuery(queries.stats);
  const comparison = useQuery(queries.comparison);
  const links = useQuery(queries.links);
  const providers = useQuery(queries.providers);
  const devices = useQuery(queries.devices);
  const countries = useQuery(queries.countries);
  const events = useQuery(queries.events);
  const sends = useQuery(queries.sends);
  const map = useQuery(queries.linkMap);
  const begun = sends.data?.items.filter((send) => send.recipients_total_count > 0) ?? [];
  const latest = begun.at(-1);
  const only = begun.length === 1 ? latest : undefined;
  const sentAt = begun[0] && Date.parse(begun[0].send_date);
  const nowMs = stats.dataUpdatedAt;
  const ofSend = readChoice(period, periods);
  const text = ofSend === undefined ? period : periodText(ofSend, sentAt ?? 0, nowMs);
  const isReady = sentAt !== undefined && stats.isSuccess;
  const shown = useQuery({
    ...(period === 'life' ? queries.stats : periodStatsQuery(scope, touchpointId, text)),
    enabled: period === 'life' || isReady,
  });
  const chart = useQuery({
    ...chartQuery(scope, touchpointId, text),
    enabled: isReady,
  });
  const parts = [comparison, links, providers, devices, countries, events, sends, chart];
  const [isKnown, setKnown] = useState(false);
  const isLoading = !isKnown && parts.some((part) => part.isLoading);
  // Only for the first load, so that the layout does not shift: a part that is reloaded leaves the others in place.
  if (stats.isSuccess && !isLoading && !isKnown) setKnown(true);
  return (
    <AsyncRegion query={stats} what={t('what')} skeleton={<StatisticsSkeleton />}>
      {({ data }) => {
        if (isLoading)
          return (
            <Loading what={t('what')}>
              <StatisticsSkeleton />
            </Loading>
          );
        if (data.recipients === 0 && begun.length === 0) return <NothingSent />;
        return (
          <Stack gap="lg">
            {measuredOf(data) > 0 && data.opened.total === 0 && latest && (
              <Alert
                color="marine"
                variant="light"
                icon={<IconClock size={18} stroke={1.75} />}
                title={t('waiting.title')}
              >
                {t(
                  stats.dataUpdatedAt - Date.parse(latest.send_date) < firstOpensMs
                    ? 'waiting.body'
                    : 'waiting.later',
                  { ago: format.relative(latest.send_date) },
                )}
              </Alert>
            )}
            {comparison.data?.data && links.data && (
              <Headline comparison={comparison.data.data} links={links.data.data} />
            )}
            {sentAt !== undefined && (
              <PeriodChoice
                period={period}
                hasFirst={hasChoice(sentAt, nowMs)}
                previous={ofSend === undefined ? shown.data?.previous?.period : undefined}
              />
            )}
            <AsyncRegion query={shown} what={t('what')} skeleton={<TilesSkeleton tiles={6} />}>
              {(response) => (
                <Tiles
                  stats={response.data}
                  previous={ofSend === undefined ? response.previous : null}
                  // The recipients behind the numbers are those since the send.
                  send={period === 'life' ? only : undefined}
                />
              )}
            </AsyncRegion>
            {sentAt !== undefined && (
              <QueryPanel query={chart} what={t('chart.title')}>
                {(response) => (
                  <EmailChart
                    chart={response.data}
                    sentAt={ofSend === undefined ? undefined : sentAt}
                    delivered={(shown.data ?? { data }).data.delivered}
                    file={<CsvLink touchpointId={touchpointId} table="chart" period={text} />}
                  />
                )}
              </QueryPanel>
            )}
            <Paper withBorder p="md" radius="md">
              <Funnel
                numbers={{ ...data, clicked: data.clicked.unique }}
                file={<CsvLink touchpointId={touchpointId} table="funnel" />}
              />
            </Paper>
            {comparison.data?.data !== null && (
              <QueryPanel query={comparison} what={t('comparison.title')}>
                {(response) => response.data && <Comparison comparison={response.data} />}
              </QueryPanel>
            )}
            <QueryPanel query={links} what={t('links.title')}>
              {(response) => (
                <>
                  <LinkMap links={response.data} map={map} send={only} />
                  {response.data.length > 0 && (
                    <Group mt="sm">
                      <CsvLink touchpointId={touchpointId} table="links" />
                    </Group>
                  )}
                </>
              )}
            </QueryPanel>
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
              <QueryPanel query={providers} what={t('providers.title')}>
                {(response) => (
                  <>
                    <ProviderTable rows={response.data} />
                    {response.data.length > 0 && (
                      <Group mt="sm">
                        <CsvLink touchpointId={touchpointId} table="providers" />
                      </Group>
                    )}
                  </>
                )}
              </QueryPanel>
              <QueryPanel query={devices} what={t('devices.title')}>
                {(response) => (
                  <>
                    <DeviceTable rows={response.data} />
                    {response.data.length > 0 && (
                      <Group mt="sm">
                        <CsvLink touchpointId={touchpointId} table="devices" />
                      </Group>
                    )}
                  </>
                )}
              </QueryPanel>
            </SimpleGrid>
            <QueryPanel query={countries} what={t('countries.title')}>
              {(response) => <ClickCountries touchpointId={touchpointId} rows={response.data} />}
            </QueryPanel>
            <QueryPanel query={events} what={t('events.title')}>
              {(response) => (
                <>
                  <EventTable rows={response.data} />
                  {response.data.length > 0 && (
                    <Group mt="sm">
                      <CsvLink touchpointId={touchpointId} table="events" />
                    </Group>
                  )}
                </>
              )}
            </QueryPanel>
          </Stack>
        );
      }}
    </AsyncRegion>
  );
}

function NothingSent() {
  const { t } = useTranslation('statistics');
  const { canEver } = useOrganization();
  const params = Route.useParams();
  return (
    <EmptyState
      icon={IconChartBar}
      title={t('empty.title')}
      text={t('empty.body')}
      actions={
        canEver('send', 'Touchpoint') && (
          <LinkButton to="/o/$orgId/touchpoints/$touchpointId/email" params={params}>
            {t('empty.action')}
          </LinkButton>
        )
      }
    />
  );
}

interface PeriodChoiceProps {
  period: string;
  /** Whether the first 48 hours differ from the life of the email. */
  hasFirst: boolean;
  /** The dates of the period before, if its numbers are shown. */
  previous: { from: string; until: string } | undefined;
}

function PeriodChoice({ period, hasFirst, previous }: PeriodChoiceProps) {
  const { t } = useTranslation('statistics');
  const { locale } = useFormat();
  const timeZone = useTimeZone();
  const navigate = Route.useNavigate();
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  return (
    <div>
      <PeriodPicker
        period={period}
        others={periods
          .filter((value) => value !== 'first' || hasFirst)
          .map((value) => ({ value, label: t(`period.${value}`) }))}
        onChange={(next) =>
          void navigate({ search: compact({ period: next === 'life' ? undefined : next }) })
        }
      />
      {period !== 'life' && (
        <Text size="sm" c="dimmed" mt={4}>
          {previous &&
            t('period.before', {
              // The end is not part of the period.
              dates: dates.formatRange(new Date(previous.from), new Date(Date.parse(previous.until) - 1)),
            })}{' '}
          {t('period.rest')}
        </Text>
      )}
    </div>
  );
}
