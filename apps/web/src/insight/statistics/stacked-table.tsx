import type { CSSProperties } from 'react';
import type { Column } from '#web/ui/data-table.tsx';
import { PlainTable } from '#web/ui/plain-table.tsx';
import classes from './stacked-table.module.css';

interface Props<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string | number;
  maxHeight?: number;
}

/**
 * A read-only table of few rows that never scrolls horizontally: on phones the first cell of a row is above its other cells.
 */
export function StackedTable<T>(props: Props<T>) {
  const columns = props.columns.slice(1).map(({ align }) => (align === 'end' ? 'auto' : 'minmax(0, 1fr)'));
  return (
    <div className={classes.table} style={{ '--columns': columns.join(' ') } as CSSProperties}>
      <PlainTable {...props} minWidth={0} />
    </div>
  );
}
