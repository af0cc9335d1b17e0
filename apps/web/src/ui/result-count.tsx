import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** "12 results", said aloud once a search is on. */
export function ResultCount({
  count,
  active,
  asRows = false,
}: {
  count: number;
  active: boolean;
  /** Rows that are not each one of the things that are listed. */
  asRows?: boolean;
}) {
  const { t } = useTranslation();
  return (
    <Text size="sm" c="dimmed" role="status" {...(active ? {} : { pos: 'absolute' })}>
      {active ? t(asRows ? 'table.rows' : 'table.results', { count }) : ''}
    </Text>
  );
}
