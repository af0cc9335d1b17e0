import type { ReactNode } from 'react';
import type { Selection } from './selection.ts';

export interface Column<T> {
  header: string;
  cell: (row: T) => ReactNode;
  /** The column's name in the server's `order`; without it the column cannot be sorted. */
  sort?: string;
  /** The largest, or the latest, come first at the first click. */
  isDescendingFirst?: boolean;
  align?: 'end';
  width?: number | string;
  /** Only where there is room: on wide screens, and on the cards of phones. */
  isExtra?: boolean;
  /** Second of all, and about rows that head others: in those the name takes its place. */
  isOfGroups?: boolean;
}

/** What was deleted on this screen; its line offers the way back until the list is left. */
export interface DeletedRow {
  id: string;
  text: string;
  /** Where it stood. */
  index: number;
  onUndo: () => void;
}

export interface TableProps<T> {
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
  /** Rows of one line with many columns: what does not fit is cut, the first column takes what is left. */
  isDense?: boolean;
  /** Undefined also when nothing may be done to several rows. */
  selection?: Selection<T> | undefined;
  /** Which rows head those below them. */
  levelOf?: (row: T) => 'group' | 'child';
}
