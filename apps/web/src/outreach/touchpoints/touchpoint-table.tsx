import { useTranslation } from 'react-i18next';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { BulkBar } from '#web/ui/bulk-bar.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import type { RecordDeletion } from '#web/ui/deletion.ts';
import type { TableState } from '#web/ui/list-page.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { useSelection } from '#web/ui/selection.ts';
import { ActionError } from '#web/ui/states.tsx';
import { useTouchpointActions, useTouchpointBulk } from './touchpoint-actions.tsx';
import { isTouchpoint, type GroupedRow } from './touchpoint-rows.ts';

interface Props extends TableState<GroupedRow> {
  deletion: RecordDeletion;
  /** From `useTouchpointColumns`, as far as they are shown. */
  columns: readonly ListColumn<GroupedRow>[];
}

/** Touchpoints, each for itself or below its campaign. */
export function TouchpointTable({ deletion, columns, ...table }: Props) {
  const { t } = useTranslation('touchpoints');
  const { orgId } = useOrganization();
  const { error, itemsFor } = useTouchpointActions(deletion);
  const bulk = useTouchpointBulk(table.rows, deletion);
  const selection = useSelection<GroupedRow>(table.rows, { idOf, nameOf, canSelect: isTouchpoint });
  const isSelectable = bulk.length > 0 && table.rows.some(isTouchpoint);
  const isGrouped = !table.rows.every(isTouchpoint);
  const rowActions = (row: GroupedRow, index: number) =>
    isTouchpoint(row) ? <RowMenu name={row.name}>{itemsFor?.(row, index)}</RowMenu> : null;
  return (
    <>
      <ActionError error={error} />
      <DataTable
        {...table}
        isDense
        label={t('title')}
        columns={columns}
        selection={isSelectable ? selection : undefined}
        rowActions={itemsFor && rowActions}
        {...(isGrouped ? { levelOf } : {})}
      />
      {isSelectable && <BulkBar selection={selection} actions={bulk} idOf={idOf} owner={orgId} />}
    </>
  );
}

const levelOf = (row: GroupedRow) => (isTouchpoint(row) ? 'child' : 'group');
const idOf = ({ id }: GroupedRow): string => id;
const nameOf = ({ name }: GroupedRow): string => name;
