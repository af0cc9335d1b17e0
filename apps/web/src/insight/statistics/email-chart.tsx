import type { EmailChart as Data } from '@reachout/contract/statistics.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { ChartWithTable } from '#web/ui/chart-with-table.tsx';

const axis: Record<Data['unit'], Intl.DateTimeFormatOptions> = {
  minute: { timeStyle: 'short' },
  hour: { timeStyle: 'short' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
};

export function EmailChart({ chart, controls }: { chart: Data; controls: ReactNode }) {
  const { t } = useTranslation(['statistics', 'common']);
  const format = useFormat();
  const label = new Intl.DateTimeFormat(format.locale, axis[chart.unit]);
  const first = chart.rows[0];
  const last = chart.rows.at(-1);
  const series = [
    { key: 'sent', label: t('chart.sent'), color: 'var(--chart-sent)', dash: '2 3' },
    { key: 'opened', label: t('chart.opened'), color: 'var(--chart-opened)' },
    { key: 'clicked', label: t('chart.clicked'), color: 'var(--chart-clicked)', dash: '7 3' },
    { key: 'bounced', label: t('chart.bounced'), color: 'var(--chart-bounced)', dash: '7 3 2 3' },
    { key: 'unsubscribed', label: t('chart.unsubscribed'), color: 'var(--chart-complained)', dash: '12 4' },
  ];
  return (
    <ChartWithTable
      title={t('chart.title')}
      summary={t('chart.summary', {
        from: first ? format.date(first.at) : t('common:none'),
        to: last ? format.date(last.at) : t('common:none'),
        zone: chart.time_zone,
      })}
      rows={chart.rows.map((row) => ({ ...row, key: row.at, time: label.format(new Date(row.at)) }))}
      series={series}
      x="time"
      xLabel={t('chart.time')}
      formatValue={format.number}
      controls={controls}
    />
  );
}
