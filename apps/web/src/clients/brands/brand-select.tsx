import { Select, type ComboboxParsedItem, type SelectProps } from '@mantine/core';
import type { ClientWithBrands } from '@reachout/contract/clients.ts';
import { useTranslation } from 'react-i18next';

interface Props extends Omit<SelectProps, 'data' | 'filter' | 'searchable'> {
  clients: readonly ClientWithBrands[];
}

/** The brands below their clients; found by either name. */
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
      // What is typed replaces the brand that stands there.
      onFocus={(event) => event.currentTarget.select()}
      {...props}
    />
  );
}

/** All brands of a client whose name has the words, or else those whose own name has them. */
const narrow = (option: ComboboxParsedItem, words: string): ComboboxParsedItem =>
  'group' in option && !(typeof option.group === 'string' && fold(option.group).includes(words))
    ? { ...option, items: option.items.filter(({ label }) => fold(label).includes(words)) }
    : option;

const fold = (text: string): string => text.toLowerCase().trim();
