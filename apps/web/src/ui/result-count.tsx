import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** "12 results", said aloud once a search is on. */
export function ResultCount({ count, active }: { count: number; active: boolean }) {
  const { t } = useTranslation();
  return (
    <Text size="sm" lh="36px" c="dimmed" role="status" {...(active ? {} : { pos: 'absolute' })}>
      {active ? t('table.results', { count }) : ''}
    </Text>
  );
}
