import { Select, type ComboboxParsedItem, type SelectProps } from '@mantine/core';
import type { ClientWithBrands } from '@reachout/contract/clients.ts';
import { useTranslation } from 'react-i18next';

interface Props extends Omit<SelectProps, 'data' | 'filter' | 'searchable'> {
  clients: readonly ClientWithBrands[];
}

/** Selects a brand, grouped by client; the search matches both names. */
export function BrandSelect({ clients, ...props }: Props) {
  const { t } = useTranslation('clients');
  return (
    <Select
      searchable
      data={clients
        .filter(({ brands }) => brands.length > 0)
        .map(({ client_name, brands }) => ({
          group: client_name,
          items: brands.map(({ brand_id, brand_name }) => ({ value: brand_id, label: brand_name })),
        }))}
      filter={({ options, search }) => options.map((option) => narrow(option, fold(search)))}
      nothingFoundMessage={t('noBrandFound')}
      // Typing replaces the current brand.
      onFocus={(event) => event.currentTarget.select()}
      {...props}
    />
  );
}

/** All brands of a client whose name matches, otherwise those whose own name matches. */
const narrow = (option: ComboboxParsedItem, words: string): ComboboxParsedItem =>
  'group' in option && !(typeof option.group === 'string' && fold(option.group).includes(words))
    ? { ...option, items: option.items.filter(({ label }) => fold(label).includes(words)) }
    : option;

const fold = (text: string): string => text.toLowerCase().trim();
