import type { WebsiteOverview } from '@reachout/contract/statistics.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { spanFormat } from '#web/insight/statistics/span-format.ts';

/** Both periods as dates, or times if the chart shows hours; empty until they are known. */
export function usePeriodWords(overview: WebsiteOverview | undefined): string {
  const { t } = useTranslation('websites');
  const { locale } = useFormat();
  if (overview === undefined) return '';
  const { unit, time_zone: timeZone, period, previous_period } = overview;
  const { range } = spanFormat(locale, unit, timeZone);
  return t('statistics.period', { period: range(period), previous: range(previous_period) });
}
