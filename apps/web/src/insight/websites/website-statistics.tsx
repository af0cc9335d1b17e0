import { Anchor, Group, Paper, SimpleGrid, Stack } from '@mantine/core';
import type { WebsiteBreakdown, WebsiteOverview } from '@reachout/contract/statistics.ts';
import { IconChartBar, IconCode } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { CountryMap } from '#web/insight/statistics/country-map.tsx';
import { CsvLink } from '#web/insight/statistics/csv-link.tsx';
import { CountedUntil } from '#web/insight/statistics/counted-until.tsx';
import { PeriodPicker } from '#web/insight/statistics/period-picker.tsx';
import { QueryPanel } from '#web/insight/statistics/query-panel.tsx';
import { spanFormat } from '#web/insight/statistics/span-format.ts';
import { StatisticsSkeleton } from '#web/insight/statistics/statistics-skeleton.tsx';
import { websiteQuery } from '#web/outreach/channels/website/website-query.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { Loading, PanelSkeleton } from '#web/ui/skeletons.tsx';
import { EmptyState, ForbiddenState } from '#web/ui/states.tsx';
import { QuietText } from '#web/ui/text.ts';
import { useFirstLoad } from '#web/ui/use-first-load.ts';
import { Breakdown } from './breakdown.tsx';
import { ConversionTables } from './conversion-tables.tsx';
import { LiveNow } from './live-now.tsx';
import type { TableDimension } from './use-value-name.ts';
import { WebsiteChart } from './website-chart.tsx';
import { breakdownQuery, websiteStatisticsQueries } from './website-queries.ts';
import { WebsiteTiles } from './website-tiles.tsx';

interface Props {
  /** In the format of the API. */
  period: string;
  onPeriod: (period: string) => void;
}

/** What happens on a website. */
export default function WebsiteStatistics(props: Props) {
  const { t } = useTranslation('websites');
  const { touchpoint } = useTouchpoint();
  const scope = useOrganization();
  const website = useQuery(websiteQuery(scope, touchpoint.id));
  if (!scope.can('read', 'Statistics')) return <ForbiddenState order={2} />;
  return (
    <AsyncRegion query={website} what={t('what')} skeleton={<StatisticsSkeleton />}>
      {({ first_event }) =>
        first_event === null ? <NotInstalled /> : <Results key={touchpoint.id} {...props} />
      }
    </AsyncRegion>
  );
}

function NotInstalled() {
  const { t } = useTranslation('websites');
  const { orgId } = useOrganization();
  const { touchpoint } = useTouchpoint();
  return (
    <EmptyState
      icon={IconCode}
      title={t('statistics.notInstalled.title')}
      text={t('statistics.notInstalled.body')}
      actions={
        <LinkButton
          variant="filled"
          to="/o/$orgId/touchpoints/$touchpointId/overview"
          params={{ orgId, touchpointId: touchpoint.id }}
        >
          {t('statistics.notInstalled.action')}
        </LinkButton>
      }
    />
  );
}

const tables: readonly TableDimension[] = ['path', 'host', 'referrer', 'language', 'screen', 'event'];

function Results({ period, onPeriod }: Props) {
  const { t } = useTranslation('websites');
  const { id } = useTouchpoint().touchpoint;
  const scope = useOrganization();
  const queries = websiteStatisticsQueries(scope, id, period);
  const overview = useQuery(queries.overview);
  const conversions = useQuery(queries.conversions);
  const now = useQuery(queries.now);
  const countries = useQuery(queries.countries);
  const breakdowns = useQueries({
    queries: tables.map((dimension) => breakdownQuery(scope, id, period, dimension)),
  });
  const parts = [overview, conversions, now, countries, ...breakdowns];
  const isLoading = useFirstLoad(parts.some((part) => part.isLoading));
  const shownTables = tables.filter(
    (dimension, index) => dimension !== 'host' || (breakdowns[index]?.data?.data.values ?? 0) > 1,
  );
  const words = usePeriodWords(overview.data?.data);
  if (isLoading)
    return (
      <Loading what={t('statistics.what')}>
        <StatisticsSkeleton />
      </Loading>
    );
  const total = overview.data?.data.total;
  const isEmpty = total !== undefined && total.sessions + total.page_views + total.events === 0;
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start">
        <Stack gap={4}>
          <PeriodPicker period={period} onChange={onPeriod} />
          <QuietText mih="1.5em">{words}</QuietText>
        </Stack>
        {now.data && (
          <Anchor href="#now" size="sm">
            {t('statistics.now.visitors', { count: now.data.data.visitors })}
          </Anchor>
        )}
      </Group>
      <AsyncRegion query={overview} what={t('statistics.what')} skeleton={<PanelSkeleton />}>
        {({ data, counted }) => (
          <>
            <Stack gap="xs">
              <WebsiteTiles overview={data} />
              <CountedUntil counted={counted} />
            </Stack>
            {!isEmpty && (
              <Paper withBorder p="md" radius="md">
                <WebsiteChart overview={data} touchpointId={id} period={period} />
              </Paper>
            )}
          </>
        )}
      </AsyncRegion>
      {isEmpty && (
        <EmptyState
          icon={IconChartBar}
          title={t('statistics.nothing.title')}
          text={t('statistics.nothing.body')}
        />
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        {!isEmpty &&
          shownTables.map((dimension) => (
            <Breakdown key={dimension} dimension={dimension} touchpointId={id} period={period} />
          ))}
        <QueryPanel id="now" query={now} what={t('statistics.now.title')}>
          {({ data }) => <LiveNow now={data} />}
        </QueryPanel>
      </SimpleGrid>
      {!isEmpty && (
        <QueryPanel id="country" query={countries} what={t('statistics.country.title')}>
          {({ data }) => <Countries breakdown={data} touchpointId={id} period={period} />}
        </QueryPanel>
      )}
      <QueryPanel id="goals" query={conversions} what={t('statistics.goals.title')}>
        {({ data }) => <ConversionTables conversions={data} touchpointId={id} period={period} />}
      </QueryPanel>
    </Stack>
  );
}

interface CountriesProps {
  breakdown: WebsiteBreakdown;
  touchpointId: string;
  /** In the format of the API. */
  period: string;
}

/** Page views by country. */
function Countries({ breakdown: { rows, total }, touchpointId, period }: CountriesProps) {
  const { t } = useTranslation('websites');
  const known = rows.flatMap(({ value, count }) => (value === '' ? [] : [{ country: value, count }]));
  const counted = known.reduce((sum, { count }) => sum + count, 0);
  return (
    <CountryMap
      title={t('statistics.country.title')}
      hint={t('statistics.country.hint')}
      none={t('statistics.country.none')}
      rows={[...known, { country: null, count: total.count - counted }]}
      counted={t('statistics.tiles.page_views')}
      unit={(count) => t('statistics.now.views', { count })}
      controls={<CsvLink touchpointId={touchpointId} table="country" period={period} />}
    />
  );
}

/** Both periods as dates, or times if the chart shows hours; empty until they are known. */
function usePeriodWords(overview: WebsiteOverview | undefined): string {
  const { t } = useTranslation('websites');
  const { locale } = useFormat();
  if (overview === undefined) return '';
  const { unit, time_zone: timeZone, period, previous_period } = overview;
  const { range } = spanFormat(locale, unit, timeZone);
  return t('statistics.period', { period: range(period), previous: range(previous_period) });
}
