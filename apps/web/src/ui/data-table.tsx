/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- as in table-body.tsx */
import { useHotkeys } from '@mantine/hooks';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { shortcutsOn } from './shortcuts.ts';
import { TableBody } from './table-body.tsx';
import { SelectAll } from './table-selection.tsx';
import type { TableProps } from './table-types.ts';
import { ariaSort, SortButton, SortSelect } from './table-sort.tsx';
import { useFits } from './use-fits.ts';
import classes from './data-table.module.css';

export type { Column, DeletedRow } from './table-types.ts';

/**
 * A table that is sorted and paged by the server. Below 768 px its rows become cards with the same content; the roles are
 * explicit because a table that is not laid out as one loses them.
 */
export function DataTable<T extends { id: string }>(props: TableProps<T>): ReactNode;
export function DataTable<T>(props: TableProps<T> & { rowKey: (row: T) => string }): ReactNode;
export function DataTable<T extends object>({
  rowKey = idOf,
  ...props
}: TableProps<T> & { rowKey?: (row: T) => string }) {
  const { label, columns, order, onOrder, rowActions, selection, busy = false } = props;
  const { t } = useTranslation();
  const body = useRef<HTMLTableSectionElement>(null);
  const [region, fits] = useFits(props.rows, columns.length);
  const move = (by: number) => shortcutsOn() && moveRowFocus(body.current, by);
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['x', () => shortcutsOn() && toggleFocusedRow()],
  ]);

  return (
    <>
      {onOrder && <SortSelect columns={columns} order={order} onOrder={onOrder} />}
      {/*
       * If not even the most important columns fit, the table scrolls, and must be focusable for the keyboard; else its header is
       * sticky.
       */}
      <div
        ref={region}
        className={classes.scroll}
        data-fits={fits}
        {...(fits ? {} : { role: 'region', tabIndex: 0, 'aria-label': t('table.scroll', { name: label }) })}
      >
        <table
          className={classes.table}
          role="table"
          aria-label={label}
          aria-busy={busy}
          data-busy={busy}
          data-dense={props.isDense}
          data-brief={props.isBrief || undefined}
          data-selectable={selection !== undefined}
        >
          <thead role="rowgroup">
            <tr role="row">
              {selection && <SelectAll selection={selection} />}
              {columns.map((column) => (
                <th
                  key={column.header}
                  role="columnheader"
                  scope="col"
                  style={{ width: column.width }}
                  data-align={column.align}
                  data-hide={column.hide}
                  aria-sort={ariaSort(column.sort, order)}
                >
                  {column.sort !== undefined && onOrder ? (
                    <SortButton {...column} sort={column.sort} order={order} onOrder={onOrder} />
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
          <TableBody {...props} rowKey={rowKey} body={body} />
        </table>
      </div>
    </>
  );
}

const idOf = (row: object): string => (row as { id: string }).id;

/** J and K move the focus between the rows' links. */
function moveRowFocus(body: HTMLElement | null, by: number): void {
  const links = [...(body?.querySelectorAll<HTMLElement>('th[scope=row] a') ?? [])];
  const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
  const next = at === -1 ? (by > 0 ? 0 : links.length - 1) : at + by;
  links[Math.max(0, Math.min(next, links.length - 1))]?.focus();
}

/** X selects the focused row. */
const toggleFocusedRow = () =>
  document.activeElement?.closest('tr')?.querySelector<HTMLElement>('[data-select]')?.click();
