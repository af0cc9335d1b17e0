import { Select, type ComboboxItem, type ComboboxParsedItem, type SelectProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { listTimeZones } from '#web/identity/account/time-zones.ts';
import { useTimeZone } from '#web/i18n/format.ts';
import { fold } from '#web/platform/fold.ts';
import { languages } from '@reachout/contract/rules/languages.ts';
import { readLocal, writeLocal } from '#web/platform/local.ts';

interface Props extends Omit<SelectProps, 'data' | 'filter' | 'searchable' | 'value' | 'onChange'> {
  value: string;
  onChange: (timeZone: string) => void;
  /** `2027-03-09`, for the offsets. */
  day: string;
}

/** Selects a time zone; the search matches its city, its offset, and its country in all languages of the app. */
export function TimeZoneSelect({ value, onChange, day, ...props }: Props) {
  const { t } = useTranslation('schedules');
  const ownZone = useTimeZone();
  const zones = listTimeZones(new Date(day));
  const own = [...new Set([ownZone, new Intl.DateTimeFormat().resolvedOptions().timeZone])];
  const recent = readRecent().filter((zone) => !own.includes(zone));
  const among = (some: readonly string[]) =>
    some.flatMap((zone) => zones.filter((one) => one.value === zone));
  const groups = [
    { group: t('zones.own'), items: among(own) },
    { group: t('zones.recent'), items: among(recent) },
    {
      group: t('zones.all'),
      items: zones.filter((zone) => !own.includes(zone.value) && !recent.includes(zone.value)),
    },
  ];
  return (
    <Select
      searchable
      allowDeselect={false}
      limit={600}
      data={groups.filter(({ items }) => items.length > 0)}
      value={value}
      onChange={(next) => {
        if (next === null) return;
        writeLocal(recentKey, [...new Set([next, ...readRecent()])].slice(0, maxRecent).join(' '));
        onChange(next);
      }}
      // Typing replaces the current zone.
      onFocus={(event) => event.currentTarget.select()}
      nothingFoundMessage={t('words.noZone')}
      filter={({ options, search }) => options.map((option) => narrow(option, fold(search)))}
      {...props}
    />
  );
}

const recentKey = 'time-zones';
const maxRecent = 3;

const readRecent = (): string[] => readLocal(recentKey)?.split(' ').filter(Boolean) ?? [];

const narrow = (option: ComboboxParsedItem, words: string): ComboboxParsedItem =>
  'group' in option
    ? { ...option, items: option.items.filter((item) => wordsOf(item).includes(words)) }
    : option;

const wordsOf = ({ value, label }: ComboboxItem): string =>
  fold([label, ...(countriesByZone().get(value) ?? [])].join(' '));

/** Not in the types yet, and not in all browsers. */
interface LocaleWithZones extends Intl.Locale {
  getTimeZones?: () => string[] | undefined;
}

let countries: Map<string, string[]> | undefined;

/** Names of the countries of each zone. No list of countries is needed: other codes have no zones. */
function countriesByZone(): Map<string, string[]> {
  if (countries !== undefined) return countries;
  countries = new Map();
  const names = languages.map((language) => new Intl.DisplayNames(language, { type: 'region' }));
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
  for (const code of letters.flatMap((first) => letters.map((second) => first + second)))
    for (const zone of (new Intl.Locale('und', { region: code }) as LocaleWithZones).getTimeZones?.() ?? [])
      countries.set(zone, [...(countries.get(zone) ?? []), ...names.map((name) => name.of(code) ?? '')]);
  return countries;
}
