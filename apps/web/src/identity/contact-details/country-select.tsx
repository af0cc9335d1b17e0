import { Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { countryNames } from './country-name.ts';
import { countriesQuery } from './reference.ts';

/** All countries in the reader's language and its alphabet; found also by the English name and the code. */
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
      // Choosing what is chosen keeps it; `clearable` has its own button.
      allowDeselect={false}
      // What is typed replaces the country that stands there.
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

/** "cote" finds "Côte d’Ivoire". */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .trim();
