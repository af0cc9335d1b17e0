import type { ReactNode } from 'react';
import type { Selection } from './selection.ts';

export interface Column<T> {
  header: string;
  cell: (row: T) => ReactNode;
  /** The column's name in the server's `order`; if omitted, the column cannot be sorted. */
  sort?: string;
  /** Whether the first click sorts in descending order (largest or latest first). */
  isDescendingFirst?: boolean;
  align?: 'end';
  width?: number | string;
  /** Position among the columns that are hidden where there is no room: 1 is the first. Others are always shown. */
  hide?: number;
  /** For the second column, about group rows: in those, the name takes its place. */
  isOfGroups?: boolean;
}

/** A record deleted on this page; its line offers Undo until the user leaves the list. */
export interface DeletedRow {
  id: string;
  text: string;
  /** The row's former index. */
  index: number;
  onUndo: () => void;
}

export interface TableProps<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  /** `name.asc`, as in the URL and the request. */
  order?: string | undefined;
  onOrder?: ((order: string) => void) | undefined;
  /** Also undefined if no action is permitted. */
  rowActions?: ((row: T, index: number) => ReactNode) | undefined;
  deleted?: readonly DeletedRow[];
  /** Whether the rows shown are about to be replaced. */
  busy?: boolean | undefined;
  /** Single-line rows with many columns: overflow is truncated, and the first column takes the remaining width. */
  isDense?: boolean | undefined;
  /** Phone cards of two lines, without labels: the name, and as many values as fit. */
  isBrief?: boolean | undefined;
  /** Also undefined if no bulk action is permitted. */
  selection?: Selection<T> | undefined;
  /** Which rows are group headers of the rows below them; the name of a heading takes the place of all columns. */
  levelOf?: ((row: T) => 'heading' | 'group' | 'child') | undefined;
}
