import type { WebsiteOverview } from '@reachout/contract/statistics.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { isClock } from '#web/insight/statistics/bucket-format.ts';

/** Both periods as dates, or times if the chart shows hours; empty until they are known. */
export function usePeriodWords(overview: WebsiteOverview | undefined): string {
  const { t } = useTranslation('websites');
  const { locale } = useFormat();
  if (overview === undefined) return '';
  const { unit, time_zone: timeZone, period, previous_period } = overview;
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    ...(isClock(unit) ? { timeStyle: 'short' } : {}),
    timeZone,
  });
  const write = ({ from, until }: typeof period) =>
    // The end is excluded: midnight is of the day before.
    format.formatRange(new Date(from), new Date(Date.parse(until) - (isClock(unit) ? 0 : 1)));
  return t('statistics.period', { period: write(period), previous: write(previous_period) });
}
