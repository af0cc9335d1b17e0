import type { RecordList } from '@reachout/contract/record-lists.ts';
import { useOptionalOrganization } from '#web/identity/organizations/use-organization.ts';
import { BulkBar } from '#web/ui/bulk-bar.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { useSelection } from '#web/ui/selection.ts';
import { ActionError } from '#web/ui/states.tsx';
import type { TableProps } from '#web/ui/table-types.ts';
import { idOf, useRecordActions, type ActionOptions, type RecordActions } from './record-actions.tsx';

/** How rows are drawn, whatever can be done with them. */
export interface TableLook<Row> extends Pick<
  TableProps<Row>,
  'order' | 'onOrder' | 'busy' | 'isDense' | 'levelOf'
> {
  columns: readonly Column<Row>[];
}

interface ActedTableProps<Row extends object> extends TableLook<Row> {
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  actions: RecordActions<Row>;
}

/** A table of records with their menus, their selection, and what was deleted on this page. */
export function ActedTable<Row extends object>({ actions, keyOf, nameOf, ...table }: ActedTableProps<Row>) {
  const { bulk, canSelect, deletion, dialog, error, rowActions } = actions;
  const owner = useOptionalOrganization()?.orgId ?? 'me';
  const selection = useSelection<Row>(table.rows, { idOf: keyOf, nameOf, canSelect });
  const isSelectable = bulk.length > 0 && table.rows.some(canSelect);
  return (
    <>
      <ActionError error={error} />
      <DataTable<Row>
        {...table}
        rowKey={keyOf}
        rowActions={rowActions}
        deleted={deletion.deleted}
        selection={isSelectable ? selection : undefined}
      />
      {bulk.length > 0 && <BulkBar selection={selection} actions={bulk} idOf={keyOf} owner={owner} />}
      {dialog}
    </>
  );
}

interface Props<Row extends object, Name extends string> extends TableLook<Row>, ActionOptions<Row, Name> {
  label: string;
  records: RecordList<Row, Name>;
}

/** The records of a list that is a part of a page: without search, order and pages. */
export function RecordTable<Row extends object, Name extends string>({
  records,
  label,
  rows,
  keyOf = idOf,
  nameOf,
  ...props
}: Props<Row, Name>) {
  const { columns, order, onOrder, busy, isDense, levelOf, ...options } = props;
  const look = { columns, order, onOrder, busy, isDense, levelOf };
  const actions = useRecordActions(records, { ...options, rows, keyOf, nameOf });
  return (
    <>
      <ActionError error={actions.deletion.error} />
      <ActedTable {...look} label={label} rows={rows} keyOf={keyOf} nameOf={nameOf} actions={actions} />
    </>
  );
}
