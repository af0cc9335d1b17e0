import { fileExport } from '../../identity/access/file-exports.ts';
import { requireTouchpoint } from '../../outreach/touchpoints/find-touchpoint.ts';
import { toCsv } from '../../platform/csv-text.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import { findTable, type Row } from './export-tables.ts';

export const statisticsExport = fileExport('statistics.exportTable', async (input, { who, transaction }) => {
  const { name, columns, rows } = await transaction(async (trx) => {
    const touchpoint = await requireTouchpoint(trx, input.id);
    const table = findTable(touchpoint.type, input.table);
    if (table === undefined) throw invalidInput('table', 'This touchpoint has no such table.');
    if (!table.hasPeriod && input.period !== undefined)
      throw invalidInput('period', 'This table is over all time.');
    const query = { organizationId: who.organizationId, touchpointId: input.id };
    const viewer = { text: input.period, timeZone: input.time_zone, now: new Date() };
    return {
      name: touchpoint.name,
      columns: table.columns.map((column) => [column, (row: Row<string>) => row[column]] as const),
      rows: await table.read(trx, query, viewer),
    };
  });
  return {
    name: `statistics-${input.table}.csv`,
    pieces: toCsv(Object.fromEntries(columns), [rows]),
    note: {
      record_type: 'touchpoints',
      record_id: input.id,
      record_name: name,
      details: { filters: ['table', ...(input.period === undefined ? [] : ['period'])] },
    },
  };
});
