import type { WebsiteOverview } from '@reachout/contract/statistics.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { bucketFormat } from '#web/insight/statistics/bucket-format.ts';
import { CsvLink } from '#web/insight/statistics/csv-link.tsx';
import { ChartWithTable } from '#web/ui/chart-with-table.tsx';
import type { Series } from '#web/ui/series-chart.tsx';

const looks = {
  page_views: { color: 'var(--chart-delivered)' },
  sessions: { color: 'var(--chart-opened)', dash: '7 3' },
  events: { color: 'var(--chart-bounced)', dash: '2 3' },
  conversions: { color: 'var(--chart-converted)', dash: '10 3 2 3' },
} satisfies Record<string, Pick<Series, 'color' | 'dash'>>;

const lines = ['page_views', 'sessions', 'events', 'conversions'] as const;

interface Props {
  overview: WebsiteOverview;
  touchpointId: string;
  /** In the format of the API. */
  period: string;
}

/** What happened on a website over time. */
export function WebsiteChart({ overview, touchpointId, period }: Props) {
  const { t } = useTranslation(['websites', 'statistics']);
  const format = useFormat();
  const { unit, time_zone: zone, rows } = overview;
  const label = bucketFormat(format.locale, overview);
  return (
    <ChartWithTable
      title={t('statistics.chart.title')}
      summary={t('statistics.chart.summary')}
      empty={undefined}
      rows={rows.map((row) => ({ ...row, key: row.at, time: label.format(new Date(row.at)) }))}
      series={lines
        // The first two are always of interest.
        .filter((key, index) => index < 2 || rows.some((row) => row[key] > 0))
        .map((key) => ({ key, label: t(`statistics.tiles.${key}`), ...looks[key] }))}
      x="time"
      xLabel={t(`statistics:chart.axis.${unit}`, { zone })}
      formatValue={format.number}
      controls={<CsvLink touchpointId={touchpointId} table="chart" period={period} />}
    />
  );
}
