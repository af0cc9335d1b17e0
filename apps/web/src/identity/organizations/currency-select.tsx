import { Select, type SelectProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** All currencies, translated and sorted by the user's language; the search also matches the code. */
export function CurrencySelect(props: Omit<SelectProps, 'data' | 'searchable'>) {
  const { t, i18n } = useTranslation('settings');
  const nameOf = currencyNames(i18n.language);
  const options = Intl.supportedValuesOf('currency')
    .map((value) => ({ value, label: nameOf(value) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, i18n.language));
  return (
    <Select
      searchable
      allowDeselect={false}
      // Typing replaces the current currency.
      onFocus={(event) => event.currentTarget.select()}
      limit={400}
      data={options}
      nothingFoundMessage={t('general.noCurrency')}
      {...props}
    />
  );
}

/**
 * @returns a function from ISO 4217 codes to names with the code: Euro (EUR)
 * @param locale  BCP 47, such as `de`
 */
export function currencyNames(locale: string): (code: string) => string {
  const names = new Intl.DisplayNames(locale, { type: 'currency', fallback: 'code' });
  return (code) => `${names.of(code) ?? code} (${code})`;
}
