import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { countryNames } from '#web/identity/contact-details/country-name.ts';
import { useFormat } from '#web/i18n/format.ts';
import { regionsOf } from '#web/i18n/region.ts';
import { usePreferences } from '#web/platform/preferences.ts';
import { useNow } from '#web/ui/use-now.ts';
import { Choice } from './display-preferences.tsx';
import { listTimeZones } from './time-zones.ts';
import type { ChangePreferences } from './preferences.ts';

const auto = 'auto';
/** An example that shows both separators and the order of day and month. */
const sample = { number: 1234.5, date: '2027-03-09T14:05:00' };

export function RegionPreferences({ change }: { change: ChangePreferences }) {
  const { t, i18n } = useTranslation(['account', 'common']);
  const format = useFormat();
  const { region, time_zone: timeZone } = usePreferences();
  const language = i18n.language === 'de' ? 'de' : 'en';
  const regions: readonly string[] = regionsOf[language];
  const country = countryNames(language);
  const [zones] = useState(() => listTimeZones(new Date()));
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Stack gap="md">
      <Choice
        label={t('common:language')}
        value={language}
        onChange={(value) => change({ language: value })}
        data={[
          { value: 'en', label: <span lang="en">English</span> },
          { value: 'de', label: <span lang="de">Deutsch</span> },
        ]}
      />
      <Select
        label={t('preferences.format')}
        description={t('preferences.formatHint', {
          number: format.decimal(sample.number),
          date: format.date(sample.date),
          time: format.time(sample.date),
        })}
        allowDeselect={false}
        value={region !== undefined && regions.includes(region) ? region : auto}
        onChange={(value) => change({ region: value === auto ? undefined : (value ?? undefined) })}
        data={[
          { value: auto, label: t('preferences.auto') },
          ...regions.map((value) => ({ value, label: country(value) })),
        ]}
      />
      <Select
        label={t('words.timeZone')}
        description={<NowThere />}
        searchable
        allowDeselect={false}
        limit={600}
        nothingFoundMessage={t('words.noZone')}
        value={timeZone ?? auto}
        onChange={(value) => change({ time_zone: value === auto ? undefined : (value ?? undefined) })}
        data={[{ value: auto, label: t('preferences.timeZoneAuto', { zone: here }) }, ...zones]}
      />
    </Stack>
  );
}

function NowThere() {
  const { t } = useTranslation('account');
  const format = useFormat();
  return t('preferences.timeZoneHint', { now: format.dateTime(new Date(useNow(true))) });
}
