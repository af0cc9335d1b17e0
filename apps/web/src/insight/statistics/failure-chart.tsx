import type { FailureChart as Data } from '@reachout/contract/statistics.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { ChartWithTable } from '#web/ui/chart-with-table.tsx';
import type { Series } from '#web/ui/series-chart.tsx';
import { bucketFormat } from './bucket-format.ts';
import { spanFormat } from './span-format.ts';

const looks = {
  bounced: { color: 'var(--chart-bounced)' },
  failed: { color: 'var(--chart-failed)', dash: '7 3' },
  suppressed: { color: 'var(--chart-suppressed)', dash: '2 3' },
} satisfies Record<string, Pick<Series, 'color' | 'dash'>>;

const reasons = ['bounced', 'failed', 'suppressed'] as const;

/** When messages were not delivered, since the email was sent. */
export function FailureChart({ chart }: { chart: Data }) {
  const { t } = useTranslation(['statistics', 'common']);
  const format = useFormat();
  const { unit, time_zone: timeZone, until, rows } = chart;
  const label = bucketFormat(format.locale, chart);
  const shown = reasons.filter((key) => rows.some((row) => row[key] > 0));
  return (
    <ChartWithTable
      title={t('failureChart.title')}
      summary={t('failureChart.summary', {
        to: spanFormat(format.locale, unit, timeZone).end(until),
        zone: timeZone,
      })}
      empty={shown.length === 0 ? t('failureChart.none') : undefined}
      rows={rows.map((row) => ({ ...row, key: row.at, time: label.format(new Date(row.at)) }))}
      series={shown.map((key) => ({ key, label: t(`failureChart.${key}`), ...looks[key] }))}
      x="time"
      xLabel={t(`chart.axis.${unit}`, { zone: timeZone })}
      formatValue={format.number}
    />
  );
}
