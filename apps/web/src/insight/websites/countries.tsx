import type { WebsiteBreakdown } from '@reachout/contract/statistics.ts';
import { useTranslation } from 'react-i18next';
import { CountryMap } from '#web/insight/statistics/country-map.tsx';
import { CsvLink } from '#web/insight/statistics/csv-link.tsx';

interface Props {
  breakdown: WebsiteBreakdown;
  touchpointId: string;
  /** In the format of the API. */
  period: string;
}

/** Page views by country. */
export function Countries({ breakdown: { rows, total }, touchpointId, period }: Props) {
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
