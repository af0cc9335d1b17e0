import type { EmailChart as Data } from '@reachout/contract/statistics.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { ChartWithTable } from '#web/ui/chart-with-table.tsx';

/** Axis label of a bucket. */
const axis: Record<Data['unit'], Intl.DateTimeFormatOptions> = {
  minute: { timeStyle: 'short' },
  hour: { timeStyle: 'short' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
};
/** Axis label of an hour if the chart covers several days. */
const hourOfDay: Intl.DateTimeFormatOptions = { weekday: 'short', hour: 'numeric', minute: '2-digit' };
const hoursOfDay = 24;

export function EmailChart({ chart, controls }: { chart: Data; controls: ReactNode }) {
  const { t } = useTranslation(['statistics', 'common']);
  const format = useFormat();
  const { unit, time_zone: timeZone, until } = chart;
  const isClock = unit === 'minute' || unit === 'hour';
  const looks = unit === 'hour' && chart.rows.length > hoursOfDay ? hourOfDay : axis[unit];
  const label = new Intl.DateTimeFormat(format.locale, { ...looks, timeZone });
  const edge = new Intl.DateTimeFormat(format.locale, {
    dateStyle: 'medium',
    ...(isClock ? { timeStyle: 'short' } : {}),
    timeZone,
  });
  const first = chart.rows[0];
  const series = [
    { key: 'delivered', label: t('chart.delivered'), color: 'var(--chart-delivered)', dash: '2 3' },
    { key: 'opened', label: t('chart.opened'), color: 'var(--chart-opened)' },
    { key: 'clicked', label: t('chart.clicked'), color: 'var(--chart-clicked)', dash: '7 3' },
    { key: 'bounced', label: t('chart.bounced'), color: 'var(--chart-bounced)', dash: '7 3 2 3' },
    { key: 'unsubscribed', label: t('chart.unsubscribed'), color: 'var(--chart-complained)', dash: '12 4' },
  ];
  return (
    <ChartWithTable
      title={t('chart.title')}
      summary={t('chart.summary', {
        from: first ? edge.format(new Date(first.at)) : t('common:none'),
        to: edge.format(new Date(until)),
        zone: timeZone,
      })}
      rows={chart.rows.map((row) => ({ ...row, key: row.at, time: label.format(new Date(row.at)) }))}
      series={series}
      x="time"
      xLabel={t(`chart.axis.${unit}`, { zone: timeZone })}
      formatValue={format.number}
      controls={controls}
    />
  );
}
