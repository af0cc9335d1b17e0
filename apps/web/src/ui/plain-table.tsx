import { Table } from '@mantine/core';
import type { Column } from './data-table.tsx';

interface Props<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string | number;
  minWidth?: number;
  maxHeight?: number;
}

/** A read-only table of few rows: no sorting, paging or actions. Scrolls if it does not fit. */
export function PlainTable<T>({ label, columns, rows, rowKey, minWidth = 300, maxHeight }: Props<T>) {
  const align = ({ align: side }: Column<T>) => (side === 'end' ? { ta: 'right' as const } : {});
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      tabIndex={0}
      aria-label={label}
      {...(maxHeight === undefined ? {} : { maxHeight })}
    >
      <Table stickyHeader={maxHeight !== undefined}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.header} {...align(column)}>
                {column.header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map((column, place) =>
                place === 0 ? (
                  <Table.Th key={column.header} scope="row" fw={400} className="break">
                    {column.cell(row)}
                  </Table.Th>
                ) : (
                  <Table.Td key={column.header} data-align={column.align} {...align(column)}>
                    {column.cell(row)}
                  </Table.Td>
                ),
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
