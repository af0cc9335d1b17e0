import { BulkBar, type BulkAction } from './bulk-bar.tsx';
import { DataTable } from './data-table.tsx';
import { useSelection } from './selection.ts';
import type { TableProps } from './table-types.ts';

interface Props<Row> extends Omit<TableProps<Row>, 'selection' | 'isDense'> {
  /** Actions on several rows at once; without any, there are no check boxes. */
  bulk: readonly BulkAction<Row>[];
  canSelect?: (row: Row) => boolean;
  nameOf: (row: Row) => string;
  /** The organization's id, which is the key of the queries to refresh. */
  owner: string;
}

/** A dense table of records with selection. */
export function ListTable<Row extends { id: string }>({
  bulk,
  canSelect,
  nameOf,
  owner,
  ...table
}: Props<Row>) {
  const selection = useSelection<Row>(table.rows, { idOf, nameOf, ...(canSelect ? { canSelect } : {}) });
  const isSelectable = bulk.length > 0 && table.rows.some(selection.canSelect);
  return (
    <>
      <DataTable<Row> {...table} isDense selection={isSelectable ? selection : undefined} />
      {bulk.length > 0 && <BulkBar selection={selection} actions={bulk} idOf={idOf} owner={owner} />}
    </>
  );
}

const idOf = ({ id }: { id: string }): string => id;
