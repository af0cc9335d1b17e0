/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- as in table-body.tsx */ import { useHotkeys } from '@mantine/hooks';
import { useCallback, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { shortcutsOn } from './shortcuts.ts';
import { TableBody } from './table-body.tsx';
import { SelectAll } from './table-selection.tsx';
import type { TableProps } from './table-types.ts';
import { ariaSort, SortButton, SortSelect } from './table-sort.tsx';
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

/**
 * Hides the least important parts of a region's content, as many as needed for it to be no wider than the region. Parts are
 * elements with `data-hide`, their position in the order of hiding; the hidden positions are in `data-hidden` of the content,
 * for CSS. Measured before each paint, without rendering again.
 * @param rows, columnCount  change with the content
 * @returns the ref of the region, whose first child is the content, and whether it fits
 */
function useFits(
  rows: unknown,
  columnCount: number,
): [ref: (region: HTMLElement | null) => (() => void) | undefined, fits: boolean] {
  const [fits, setFits] = useState(true);
  const measure = useRef(() => {});
  const ref = useCallback((region: HTMLElement | null) => {
    const content = region?.firstElementChild;
    if (!region || !(content instanceof HTMLElement)) return undefined;
    measure.current = () => {
      const parts = [...content.querySelectorAll<HTMLElement>('[data-hide]')];
      const rest = [...new Set(parts.map((part) => Number(part.dataset['hide'])))].toSorted((a, b) => a - b);
      const isTooWide = () => content.scrollWidth > region.clientWidth;
      content.dataset['hidden'] = '';
      while (isTooWide() && rest.length > 0) content.dataset['hidden'] += ` ${rest.shift()}`;
      setFits(!isTooWide());
    };
    measure.current();
    // Deferred, because it changes what is observed.
    const observer = new ResizeObserver(() => requestAnimationFrame(() => measure.current()));
    observer.observe(region);
    observer.observe(content);
    return () => {
      observer.disconnect();
      measure.current = () => {};
    };
  }, []);
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- other rows and columns have another width
  useLayoutEffect(() => measure.current(), [rows, columnCount]);
  return [ref, fits];
}
