import type { ClickCountryRow } from '@reachout/contract/statistics.ts';
import { useTranslation } from 'react-i18next';
import { CountryMap } from './country-map.tsx';
import { CsvLink } from './csv-link.tsx';

/** The countries from which recipients of an email clicked. */
export function ClickCountries({
  touchpointId,
  rows,
}: {
  touchpointId: string;
  rows: readonly ClickCountryRow[];
}) {
  const { t } = useTranslation('statistics');
  return (
    <CountryMap
      title={t('countries.title')}
      hint={t('countries.hint')}
      rows={rows.map(({ country, clicked }) => ({ country, count: clicked }))}
      none={t('countries.noClicks')}
      counted={t('countries.clicked')}
      unit={(count) => t('countries.messages', { count })}
      controls={rows.length > 0 && <CsvLink touchpointId={touchpointId} table="countries" />}
    />
  );
}
