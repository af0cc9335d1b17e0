import { Alert, Paper, SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { IconChartBar, IconClock } from '@tabler/icons-react';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { DeviceTable, ProviderTable } from '#web/insight/statistics/breakdown-tables.tsx';
import { Comparison } from '#web/insight/statistics/comparison.tsx';
import { EmailChart } from '#web/insight/statistics/email-chart.tsx';
import { LinkMap } from '#web/insight/statistics/link-map.tsx';
import { findSentAt, periodText, shownPeriod } from '#web/insight/statistics/shown-period.ts';
import {
  chartQuery,
  periods,
  statisticsQueries,
  type Period,
} from '#web/insight/statistics/statistics-queries.ts';
import { StatisticsSkeleton } from '#web/insight/statistics/statistics-skeleton.tsx';
import { EventTable } from '#web/insight/statistics/event-table.tsx';
import { Tiles } from '#web/insight/statistics/tiles.tsx';
import { LinkButton } from '#web/platform/links.tsx';
import { checked, compact, readChoice } from '#web/platform/list-search.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const readSearch = checked((raw) => compact({ period: readChoice(raw['period'], periods) }));

export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/statistics')({
  validateSearch: readSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps: { period } }) =>
    context.preload((scope) => [
      ...Object.values(statisticsQueries(scope, params.touchpointId)),
      // The other periods depend on when the email was sent.
      ...(period === undefined || period === 'first' ? [] : [chartQuery(scope, params.touchpointId, period)]),
    ]),
  component: Statistics,
});

/** The time until the first opens usually arrive. */
const firstOpensMs = 15 * 60_000;

function Statistics() {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  const { touchpointId } = Route.useParams();
  const queries = statisticsQueries(useOrganization(), touchpointId);
  const stats = useQuery(queries.stats);
  const comparison = useQuery(queries.comparison);
  const providers = useQuery(queries.providers);
  const devices = useQuery(queries.devices);
  const events = useQuery(queries.events);
  const sends = useQuery(queries.sends);
  const latest = sends.data?.items[0];
  return (
    <AsyncRegion query={stats} what={t('what')} skeleton={<StatisticsSkeleton />}>
      {({ data }) => {
        if (data.recipients === 0 && sends.data?.count === 0) return <NothingSent />;
        return (
          <Stack gap="lg">
            {data.delivered > 0 && data.opened.total === 0 && latest && (
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
            <Tiles stats={data} send={sends.data?.count === 1 ? latest : undefined} />
            <Panel>
              <Chart nowMs={stats.dataUpdatedAt} sends={sends} />
            </Panel>
            {comparison.data?.data !== null && (
              <QueryPanel query={comparison} what={t('comparison.title')} height={320}>
                {(response) => response.data && <Comparison comparison={response.data} />}
              </QueryPanel>
            )}
            <LinkPanel />
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
              <QueryPanel query={providers} what={t('providers.title')} height={200}>
                {(response) => <ProviderTable rows={response.data} />}
              </QueryPanel>
              <QueryPanel query={devices} what={t('devices.title')} height={200}>
                {(response) => <DeviceTable rows={response.data} />}
              </QueryPanel>
            </SimpleGrid>
            <QueryPanel query={events} what={t('events.title')} height={160}>
              {(response) => <EventTable rows={response.data} />}
            </QueryPanel>
          </Stack>
        );
      }}
    </AsyncRegion>
  );
}

const Panel = ({ children }: { children: ReactNode }) => (
  <Paper withBorder p="md" radius="md">
    {children}
  </Paper>
);

interface QueryPanelProps<T> {
  query: UseQueryResult<T>;
  what: string;
  /** Height of the skeleton, in px. */
  height: number;
  children: (data: T) => ReactNode;
}

const QueryPanel = <T,>({ height, ...region }: QueryPanelProps<T>) => (
  <Panel>
    <AsyncRegion {...region} skeleton={<PanelSkeleton height={height} />} />
  </Panel>
);

/** The table does not wait for the preview beside it. */
function LinkPanel() {
  const { t } = useTranslation('statistics');
  const { touchpointId } = Route.useParams();
  const queries = statisticsQueries(useOrganization(), touchpointId);
  const links = useQuery(queries.links);
  const map = useQuery(queries.linkMap);
  return (
    <QueryPanel query={links} what={t('links.title')} height={520}>
      {(response) => <LinkMap links={response.data} map={map.data?.data} isLoading={map.isPending} />}
    </QueryPanel>
  );
}

interface ChartProps {
  nowMs: number;
  sends: UseQueryResult<{ items: Send[]; count: number }>;
}

/** For the period in the URL, or one that fits the age of the email. */
function Chart({ nowMs, sends }: ChartProps) {
  const { t } = useTranslation('statistics');
  const { touchpointId } = Route.useParams();
  const { period: chosen } = Route.useSearch();
  const sentAt = sends.data ? findSentAt(sends.data, nowMs) : {};
  // If the sends cannot be loaded, the last days are shown.
  const isAgeKnown = sends.data !== undefined || sends.isError;
  const period = shownPeriod(chosen, sentAt, nowMs);
  const text =
    isAgeKnown || (chosen !== undefined && chosen !== 'first')
      ? periodText(period, sentAt, nowMs)
      : undefined;
  const chart = useQuery(chartQuery(useOrganization(), touchpointId, text));
  const offered = sentAt.firstMs === undefined ? periods.filter((each) => each !== 'first') : periods;
  return (
    <AsyncRegion query={chart} what={t('chart.title')} skeleton={<PanelSkeleton height={320} />}>
      {(response) => (
        <EmailChart chart={response.data} controls={<PeriodChoice period={period} offered={offered} />} />
      )}
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

function PeriodChoice({ period, offered }: { period: Period; offered: readonly Period[] }) {
  const { t } = useTranslation('statistics');
  const navigate = Route.useNavigate();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('period.label')}
      value={period}
      onChange={(next) => void navigate({ search: { period: next } })}
      data={offered.map((value) => ({ value, label: t(`period.${value}`) }))}
    />
  );
}
