import { Button } from '@mantine/core';
import type { ExportedTable } from '@reachout/contract/rules/statistics-tables.ts';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useTimeZone } from '#web/i18n/format.ts';

interface Props {
  touchpointId: string;
  table: ExportedTable;
  /** In the format of the API. */
  period?: string;
}

/** Link to a table of a touchpoint's statistics as a file. */
export function CsvLink({ touchpointId, table, period }: Props) {
  const { t } = useTranslation('statistics');
  const query = new URLSearchParams({
    table,
    ...(period === undefined ? {} : { period }),
    time_zone: useTimeZone(),
  });
  return (
    <Button
      component="a"
      size="xs"
      variant="default"
      href={`/api/touchpoints/${touchpointId}/statistics/export?${query.toString()}`}
      download
      leftSection={<IconDownload size={16} stroke={1.75} />}
    >
      {t('chart.export')}
    </Button>
  );
}
