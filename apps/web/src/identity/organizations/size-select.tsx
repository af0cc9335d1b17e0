import { Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { organizationSizesQuery } from '#web/identity/contact-details/reference.ts';
import { useSizeName } from './size-name.ts';

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
