import { cumulate, occurred, type CumulatedReaction } from '@reachout/contract/rules/cumulated-chart.ts';
import type { EmailChart as Data } from '@reachout/contract/statistics.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { ChartWithTable } from '#web/ui/chart-with-table.tsx';
import type { Series } from '#web/ui/series-chart.tsx';
import { bucketFormat } from './bucket-format.ts';
import { spanFormat } from './span-format.ts';

const looks: Record<CumulatedReaction, Pick<Series, 'color' | 'dash'>> = {
  opened: { color: 'var(--chart-opened)' },
  clicked: { color: 'var(--chart-clicked)', dash: '7 3' },
  converted: { color: 'var(--chart-converted)', dash: '2 3' },
};

interface Props {
  chart: Data;
  /** When the email was sent, in ms, if the chart begins with it. */
  sentAt: number | undefined;
  /** All that were delivered so far in the period. */
  delivered: number;
  /** Link to the table as a file. */
  file: ReactNode;
}

/** How opens, clicks and conversions add up since the email was sent, or within a period. */
export function EmailChart({ chart, sentAt, delivered, file }: Props) {
  const { t } = useTranslation(['statistics', 'common']);
  const format = useFormat();
  const { unit, time_zone: timeZone, until } = chart;
  const label = bucketFormat(format.locale, chart);
  const { start, end } = spanFormat(format.locale, unit, timeZone);
  const rows = cumulate(chart.rows);
  const series = occurred(rows);
  return (
    <ChartWithTable
      title={t('chart.title')}
      summary={t(sentAt === undefined ? 'chart.within' : 'chart.summary', {
        number: format.number(delivered),
        from: start(sentAt ?? until),
        to: end(until),
        zone: timeZone,
      })}
      // One point is no curve.
      empty={
        series.length === 0 || rows.length < 2
          ? t(sentAt === undefined ? 'chart.emptyWithin' : 'chart.empty')
          : undefined
      }
      rows={rows.map((row) => ({ ...row, key: row.at, time: label.format(new Date(row.at)) }))}
      series={series.map((key) => ({ key, label: t(`chart.${key}`), ...looks[key] }))}
      x="time"
      xLabel={t(`chart.axis.${unit}`, { zone: timeZone })}
      formatValue={format.number}
      controls={file}
    />
  );
}
