import { Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { fold } from '#web/platform/fold.ts';
import { countryNames } from './country-name.ts';
import { countriesQuery } from './reference.ts';

/** All countries, translated and sorted by the user's language; the search also matches the English name and the code. */
export function CountrySelect(props: Omit<SelectProps, 'data' | 'filter' | 'searchable'>) {
  const { t, i18n } = useTranslation('contactDetails');
  const { data = [], isError, refetch } = useQuery(countriesQuery);
  const say = countryNames(i18n.language);
  const english = new Map(data.map(({ id, name }) => [id, name]));
  const options = data
    .map(({ id }) => ({ value: id, label: say(id) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, i18n.language));
  return (
    <Select
      searchable
      // Selecting the current option keeps it; `clearable` has its own button.
      allowDeselect={false}
      // Typing replaces the current country.
      onFocus={(event) => event.currentTarget.select()}
      limit={300}
      data={options}
      nothingFoundMessage={t('noCountry')}
      filter={({ options: all, search }) => {
        const wanted = fold(search);
        return all.filter(
          (option) =>
            'value' in option &&
            [option.label, option.value, english.get(option.value) ?? ''].some((word) =>
              fold(word).includes(wanted),
            ),
        );
      }}
      onDropdownOpen={() => {
        if (isError) void refetch();
      }}
      {...props}
    />
  );
}
