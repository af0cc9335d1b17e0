import { useState } from 'react';

/** The rows of a list that are selected for bulk actions. */
export interface Selection<Row> {
  /** In list order. */
  rows: readonly Row[];
  canSelect: (row: Row) => boolean;
  isSelected: (id: string) => boolean;
  /** @param withRange  also selects all rows from the previously selected one */
  toggle: (id: string, withRange: boolean) => void;
  /** Selects all rows of the page; clears the selection if all are selected. */
  toggleAll: () => void;
  isAll: boolean;
  select: (ids: readonly string[]) => void;
  /** Name of a row for screen readers. */
  nameOf: (row: Row) => string;
}

/** A selection is limited to its page, so that no action applies to a row out of sight. */
export function useSelection<Row>(
  all: readonly Row[],
  { idOf, nameOf, canSelect = () => true }: SelectionOptions<Row>,
): Selection<Row> {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string>();
  const ids = all.filter(canSelect).map(idOf);
  const known = ids.filter((id) => selected.has(id));
  if (known.length < selected.size) setSelected(new Set(known));
  const toggle = (id: string, withRange: boolean) => {
    const [from, to] = [ids.indexOf(last ?? ''), ids.indexOf(id)];
    const range = withRange && from !== -1 ? ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    const isOn = !selected.has(id);
    const others = known.filter((other) => !range.includes(other));
    setSelected(new Set(isOn ? [...others, ...range] : others));
    setLast(id);
  };
  return {
    rows: all.filter((row) => known.includes(idOf(row))),
    canSelect,
    isSelected: (id) => known.includes(id),
    toggle,
    toggleAll: () => setSelected(new Set(known.length === ids.length ? [] : ids)),
    isAll: ids.length > 0 && known.length === ids.length,
    select: (next) => setSelected(new Set(next)),
    nameOf,
  };
}

interface SelectionOptions<Row> {
  idOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  canSelect?: (row: Row) => boolean;
}
