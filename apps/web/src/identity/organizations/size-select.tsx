import { Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { organizationSizesQuery } from '#web/identity/contact-details/reference.ts';
import { useTranslation } from 'react-i18next';
import { organizations } from '#web/i18n/en/organizations.ts';

export function SizeSelect(props: Omit<SelectProps, 'data'>) {
  const { data = [] } = useQuery(organizationSizesQuery);
  const sizeName = useSizeName();
  return (
    <Select
      allowDeselect={false}
      clearable
      data={data.map((size) => ({ value: size.id, label: sizeName(size) }))}
      {...props}
    />
  );
}

type KnownSize = keyof typeof organizations.sizes;
const isKnown = (id: string): id is KnownSize => Object.hasOwn(organizations.sizes, id);

export function useSizeName(): (size: { id: string; name: string }) => string {
  const { t } = useTranslation('organizations');
  return ({ id, name }) => (isKnown(id) ? t(`sizes.${id}`) : name);
}
