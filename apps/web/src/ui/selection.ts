import { useState } from 'react';

/** Rows of a list that are chosen for what is done to several at once. */
export interface Selection<Row> {
  /** In the order of the list. */
  rows: readonly Row[];
  canSelect: (row: Row) => boolean;
  isSelected: (id: string) => boolean;
  /** @param withRange  with all rows from the one that was chosen last */
  toggle: (id: string, withRange: boolean) => void;
  /** Selects all rows of the page, or none where all are selected. */
  toggleAll: () => void;
  isAll: boolean;
  select: (ids: readonly string[]) => void;
  /** What a row is called, for those who hear the list. */
  nameOf: (row: Row) => string;
}

/** A selection ends with the page that it was made on: nothing is done to a row that is out of sight. */
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
