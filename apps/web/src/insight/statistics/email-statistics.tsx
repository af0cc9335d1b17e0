import { Alert, Paper, SimpleGrid, Stack } from '@mantine/core';
import { measuredOf } from '@reachout/contract/rules/measured.ts';
import { IconChartBar, IconClock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat, useTimeZone } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { readChoice } from '#web/platform/list-search.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { TilesSkeleton } from '#web/ui/page-skeletons.tsx';
import { Loading } from '#web/ui/skeletons.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { QuietText } from '#web/ui/text.ts';
import { useFirstLoad } from '#web/ui/use-first-load.ts';
import { DeviceTable, FailureTable, ProviderTable } from './breakdown-tables.tsx';
import { ClickCountries } from './click-countries.tsx';
import { Comparison } from './comparison.tsx';
import { CountedUntil } from './counted-until.tsx';
import { CsvLink } from './csv-link.tsx';
import { EmailChart } from './email-chart.tsx';
import { EventTable } from './event-table.tsx';
import { FailureChart } from './failure-chart.tsx';
import { Funnel } from './funnel.tsx';
import { Headline } from './headline.tsx';
import { LinkMap } from './link-map.tsx';
import { PeriodPicker } from './period-picker.tsx';
import { QueryPanel } from './query-panel.tsx';
import { hasChoice, periodText } from './shown-period.ts';
import { spanFormat } from './span-format.ts';
import {
  chartQuery,
  failureChartQuery,
  periods,
  periodStatsQuery,
  statisticsQueries,
} from './statistics-queries.ts';
import { StatisticsSkeleton } from './statistics-skeleton.tsx';
import { Tiles } from './tiles.tsx';

interface Props {
  /** One that begins with the send, or in the format of the API. */
  period: string;
  onPeriod: (period: string) => void;
}

/** The time until the first opens usually arrive. */
const firstOpensMs = 15 * 60_000;

/** The results of an email, of any period. */
export function EmailStatistics({ period, onPeriod }: Props) {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  const { id: touchpointId } = useTouchpoint().touchpoint;
  const scope = useOrganization();
  const queries = statisticsQueries(scope, touchpointId);
  const stats = useQuery(queries.stats);
  const comparison = useQuery(queries.comparison);
  const links = useQuery(queries.links);
  const providers = useQuery(queries.providers);
  const failures = useQuery(queries.failures);
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
  const failureChart = useQuery({
    ...failureChartQuery(scope, touchpointId, periodText('life', sentAt ?? 0, nowMs)),
    enabled: isReady,
  });
  const parts = [comparison, links, providers, failures, devices, countries, events, sends];
  const isLoading = useFirstLoad(
    !stats.isSuccess || [...parts, chart, failureChart].some((part) => part.isLoading),
  );
  const file = (table: ComponentProps<typeof CsvLink>['table']) => (response: { data: readonly unknown[] }) =>
    response.data.length > 0 && <CsvLink touchpointId={touchpointId} table={table} />;
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
              <Alert color="marine" icon={<IconClock size={18} />} title={t('waiting.title')}>
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
                onPeriod={onPeriod}
                hasFirst={hasChoice(sentAt, nowMs)}
                previous={ofSend === undefined ? shown.data?.previous?.period : undefined}
              />
            )}
            <AsyncRegion query={shown} what={t('what')} skeleton={<TilesSkeleton tiles={7} />}>
              {(response) => (
                <Stack gap="xs">
                  <Tiles
                    stats={response.data}
                    previous={ofSend === undefined ? response.previous : null}
                    // The recipients behind the numbers are those since the send.
                    send={period === 'life' ? only : undefined}
                  />
                  <CountedUntil counted={response.counted} />
                </Stack>
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
            <QueryPanel query={links} what={t('links.title')} file={file('links')}>
              {(response) => <LinkMap links={response.data} map={map} send={only} />}
            </QueryPanel>
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
              <QueryPanel query={providers} what={t('providers.title')} file={file('providers')}>
                {(response) => <ProviderTable rows={response.data} />}
              </QueryPanel>
              <QueryPanel query={devices} what={t('devices.title')} file={file('devices')}>
                {(response) => <DeviceTable rows={response.data} />}
              </QueryPanel>
            </SimpleGrid>
            {sentAt !== undefined && (
              <QueryPanel query={failureChart} what={t('failureChart.title')}>
                {(response) => <FailureChart chart={response.data} />}
              </QueryPanel>
            )}
            <QueryPanel query={failures} what={t('failures.title')} file={file('failures')}>
              {(response) => <FailureTable rows={response.data} />}
            </QueryPanel>
            <QueryPanel query={countries} what={t('countries.title')}>
              {(response) => <ClickCountries touchpointId={touchpointId} rows={response.data} />}
            </QueryPanel>
            <QueryPanel query={events} what={t('events.title')} file={file('events')}>
              {(response) => <EventTable rows={response.data} />}
            </QueryPanel>
          </Stack>
        );
      }}
    </AsyncRegion>
  );
}

function NothingSent() {
  const { t } = useTranslation('statistics');
  const { orgId, canEver } = useOrganization();
  const { touchpoint } = useTouchpoint();
  return (
    <EmptyState
      icon={IconChartBar}
      title={t('empty.title')}
      text={t('empty.body')}
      actions={
        canEver('send', 'Touchpoint') && (
          <LinkButton
            variant="filled"
            to="/o/$orgId/touchpoints/$touchpointId/email"
            params={{ orgId, touchpointId: touchpoint.id }}
          >
            {t('words.toEmail')}
          </LinkButton>
        )
      }
    />
  );
}

interface PeriodChoiceProps extends Props {
  /** Whether the first 48 hours differ from the life of the email. */
  hasFirst: boolean;
  /** The dates of the period before, if its numbers are shown. */
  previous: { from: string; until: string } | undefined;
}

function PeriodChoice({ period, onPeriod, hasFirst, previous }: PeriodChoiceProps) {
  const { t } = useTranslation('statistics');
  const { locale } = useFormat();
  const timeZone = useTimeZone();
  const { range } = spanFormat(locale, 'day', timeZone);
  return (
    <div>
      <PeriodPicker
        period={period}
        others={periods
          .filter((value) => value !== 'first' || hasFirst)
          .map((value) => ({ value, label: t(`period.${value}`) }))}
        onChange={onPeriod}
      />
      {period !== 'life' && (
        <QuietText mt={4}>
          {previous && t('period.before', { dates: range(previous) })} {t('period.rest')}
        </QuietText>
      )}
    </div>
  );
}
