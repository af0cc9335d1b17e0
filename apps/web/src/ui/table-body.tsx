/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role,
   jsx-a11y/control-has-associated-label -- under 768 px the table is laid out as cards, and then its elements keep
   their meaning only where it is spelled out */
/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a click on a
   row does what the link in it does, which the keyboard uses */
import { Button, Group } from '@mantine/core';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { openRow } from './open-row.ts';
import { SelectRow } from './table-selection.tsx';
import type { DeletedRow, TableProps } from './table-types.ts';
import classes from './data-table.module.css';

type Props<T> = TableProps<T> & {
  rowKey: (row: T) => string;
  body: RefObject<HTMLTableSectionElement | null>;
};

/** The rows of a table, and the lines of rows deleted on this page. */
export function TableBody<T>(props: Props<T>) {
  const { columns, rows, rowKey, rowActions, deleted = [], selection, body } = props;
  const span = columns.length + (rowActions ? 1 : 0) + (selection ? 1 : 0);
  return (
    <tbody role="rowgroup" ref={body} onClick={openRow} onAuxClick={openRow}>
      {withDeleted(rows, rowKey, deleted).map((line) =>
        'deleted' in line ? (
          <DeletedLine key={line.deleted.id} row={line.deleted} span={span} />
        ) : (
          <Row key={rowKey(line.row)} {...props} {...line} />
        ),
      )}
    </tbody>
  );
}

function Row<T>(props: Props<T> & { row: T; index: number }) {
  const { row, index, columns, rowKey, rowActions, selection, levelOf } = props;
  const id = rowKey(row);
  const level = levelOf?.(row);
  const nameSpan =
    level === 'heading' ? columns.length : level === 'child' && columns[1]?.isOfGroups === true ? 2 : 1;
  return (
    <tr
      role="row"
      data-level={level === 'heading' ? 'group' : level}
      data-selected={selection?.isSelected(id) || undefined}
    >
      {selection && <SelectRow selection={selection} row={row} id={id} />}
      {columns.map((column, place) =>
        place === 0 ? (
          <th
            key={column.header}
            role="rowheader"
            scope="row"
            colSpan={nameSpan > 1 ? nameSpan : undefined}
            aria-colspan={nameSpan > 1 ? nameSpan : undefined}
          >
            {column.cell(row)}
          </th>
        ) : place < nameSpan ? null : (
          <td
            key={column.header}
            role="cell"
            data-label={column.header}
            data-align={column.align}
            data-hide={column.hide}
          >
            <span>{column.cell(row)}</span>
          </td>
        ),
      )}
      {rowActions && (
        <td role="cell" className={classes.actions}>
          {rowActions(row, index)}
        </td>
      )}
    </tr>
  );
}

function DeletedLine({ row, span }: { row: DeletedRow; span: number }) {
  const { t } = useTranslation();
  return (
    <tr role="row" className={classes.deleted}>
      <td role="cell" colSpan={span}>
        <Group gap="sm" role="status">
          <span>{row.text}</span>
          <Button size="compact-sm" onClick={row.onUndo}>
            {t('actions.undo')}
          </Button>
        </Group>
      </td>
    </tr>
  );
}

type Line<T> = { deleted: DeletedRow } | { row: T; index: number };

/** Inserts the lines of deleted rows at the rows' former positions. */
function withDeleted<T>(
  rows: readonly T[],
  rowKey: (row: T) => string,
  deleted: readonly DeletedRow[],
): Line<T>[] {
  const lines: Line<T>[] = rows
    .map((row, index) => ({ row, index }))
    .filter(({ row }) => !deleted.some((entry) => entry.id === rowKey(row)));
  for (const entry of deleted.toSorted((one, other) => one.index - other.index)) {
    lines.splice(Math.min(entry.index, lines.length), 0, { deleted: entry });
  }
  return lines;
}
