import { DataList } from '@mantine/core';
import type { ReactNode } from 'react';

/** Read-only names and values. */
export function ValueList({ values }: { values: readonly { name: string; value: ReactNode }[] }) {
  return (
    <DataList orientation="vertical" gap="sm">
      {values.map(({ name, value }) => (
        <DataList.Item key={name}>
          {/* As dark as field labels. */}
          <DataList.ItemLabel c="var(--mantine-color-text)" fw={500}>
            {name}
          </DataList.ItemLabel>
          <DataList.ItemValue>{value}</DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  );
}
