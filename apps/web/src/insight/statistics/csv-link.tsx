import type { ExportedTable } from '@reachout/contract/rules/statistics-tables.ts';
import { useTimeZone } from '#web/i18n/format.ts';
import { ExportLink } from '#web/identity/lists/export-link.tsx';

interface Props {
  touchpointId: string;
  table: ExportedTable;
  /** In the format of the API. */
  period?: string;
}

/** Link to a table of a touchpoint's statistics as a file. */
export function CsvLink({ touchpointId, table, period }: Props) {
  return (
    <ExportLink
      size="xs"
      path={`touchpoints/${touchpointId}/statistics/export`}
      filters={{ table, ...(period === undefined ? {} : { period }), time_zone: useTimeZone() }}
    />
  );
}
