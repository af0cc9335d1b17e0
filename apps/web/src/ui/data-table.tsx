/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role,
   jsx-a11y/control-has-associated-label -- under 768 px the table is laid out as cards, and then its elements keep
   their meaning only where it is spelled out */
/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a click on a
   row does what the link in it does, which the keyboard uses */
import { Button, Group } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { openRow } from './open-row.ts';
import { shortcutsOn } from './shortcuts.ts';
import { ariaSort, SortButton, SortSelect } from './table-sort.tsx';
import { useFits } from './use-fits.ts';
import classes from './data-table.module.css';

export interface Column<T> {
  header: string;
  cell: (row: T) => ReactNode;
  /** The column's name in the server's `order`; without it the column cannot be sorted. */
  sort?: string;
  align?: 'end';
  width?: number | string;
}

/** A row that was deleted on this screen; its line offers the way back until the list is left. */
export interface DeletedRow {
  id: string;
  text: string;
  /** Where it stood. */
  index: number;
  onUndo: () => void;
}

interface TableProps<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  /** `name.asc`, as in the address and the request. */
  order?: string | undefined;
  onOrder?: (order: string) => void;
  /** Undefined also when nothing may be done. */
  rowActions?: ((row: T, index: number) => ReactNode) | undefined;
  deleted?: readonly DeletedRow[];
  /** Shown rows are being replaced. */
  busy?: boolean;
}

type Line<T> = { deleted: DeletedRow } | { row: T; index: number };

/**
 * A table whose order and paging live on the server. Under 768 px its rows turn into cards with the same content; the
 * roles are spelled out because a table that is no longer laid out as one loses them.
 */
export function DataTable<T extends { id: string }>(props: TableProps<T>): ReactNode;
export function DataTable<T>(props: TableProps<T> & { rowKey: (row: T) => string }): ReactNode;
export function DataTable<T extends object>({
  rowKey = idOf,
  ...props
}: TableProps<T> & { rowKey?: (row: T) => string }) {
  const { label, columns, rows, order, onOrder, rowActions, deleted = [], busy = false } = props;
  const { t } = useTranslation();
  const body = useRef<HTMLTableSectionElement>(null);
  const [region, fits] = useFits();
  const move = (by: number) => shortcutsOn() && moveRowFocus(body.current, by);
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
  ]);

  return (
    <>
      {onOrder && <SortSelect columns={columns} order={order} onOrder={onOrder} />}
      {/* A region that scrolls must take focus, to be scrolled by keys; in one that does not, the header stays in sight. */}
      <div
        ref={region}
        className={classes.scroll}
        data-fits={fits}
        {...(fits ? {} : { role: 'region', tabIndex: 0, 'aria-label': t('table.scroll', { name: label }) })}
      >
        <table className={classes.table} role="table" aria-label={label} aria-busy={busy} data-busy={busy}>
          <thead role="rowgroup">
            <tr role="row">
              {columns.map((column) => (
                <th
                  key={column.header}
                  role="columnheader"
                  scope="col"
                  style={{ width: column.width }}
                  data-align={column.align}
                  aria-sort={ariaSort(column.sort, order)}
                >
                  {column.sort !== undefined && onOrder ? (
                    <SortButton header={column.header} sort={column.sort} order={order} onOrder={onOrder} />
                  ) : (
                    column.header
                  )}
                </th>
              ))}
              {rowActions && (
                <th role="columnheader" scope="col" className={classes.actionsHead}>
                  <span className={classes.hidden}>{t('table.actions')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody role="rowgroup" ref={body} onClick={openRow} onAuxClick={openRow}>
            {withDeleted(rows, rowKey, deleted).map((line) =>
              'deleted' in line ? (
                <DeletedLine
                  key={line.deleted.id}
                  row={line.deleted}
                  span={columns.length + (rowActions ? 1 : 0)}
                />
              ) : (
                <tr key={rowKey(line.row)} role="row">
                  {columns.map((column, place) =>
                    place === 0 ? (
                      <th key={column.header} role="rowheader" scope="row">
                        {column.cell(line.row)}
                      </th>
                    ) : (
                      <td
                        key={column.header}
                        role="cell"
                        data-label={column.header}
                        data-align={column.align}
                      >
                        <span>{column.cell(line.row)}</span>
                      </td>
                    ),
                  )}
                  {rowActions && (
                    <td role="cell" className={classes.actions}>
                      {rowActions(line.row, line.index)}
                    </td>
                  )}
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
    </>
  );
}

function DeletedLine({ row, span }: { row: DeletedRow; span: number }) {
  const { t } = useTranslation();
  return (
    <tr role="row" className={classes.deleted}>
      <td role="cell" colSpan={span}>
        <Group gap="sm" role="status">
          <span>{row.text}</span>
          <Button size="compact-sm" variant="default" onClick={row.onUndo}>
            {t('actions.undo')}
          </Button>
        </Group>
      </td>
    </tr>
  );
}

const idOf = (row: object): string => (row as { id: string }).id;

/** Puts the lines of deleted rows back where the rows stood. */
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

/** J and K walk along the rows' own links. */
function moveRowFocus(body: HTMLElement | null, by: number): void {
  const links = [...(body?.querySelectorAll<HTMLElement>('th[scope=row] a') ?? [])];
  const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
  const next = at === -1 ? (by > 0 ? 0 : links.length - 1) : at + by;
  links[Math.max(0, Math.min(next, links.length - 1))]?.focus();
}
