import { useTranslation } from 'react-i18next';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import type { RecordDeletion } from '#web/ui/deletion.ts';
import { ListTable } from '#web/ui/list-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useTouchpointActions, useTouchpointBulk } from './touchpoint-actions.tsx';
import { isTouchpoint, type GroupedRow } from './touchpoint-rows.ts';

interface Props extends TableState<GroupedRow> {
  deletion: RecordDeletion;
  /** The visible columns of `useTouchpointColumns`. */
  columns: readonly ListColumn<GroupedRow>[];
}

/** Touchpoints, flat or grouped by campaign. */
export function TouchpointTable({ deletion, columns, ...table }: Props) {
  const { t } = useTranslation('touchpoints');
  const { orgId } = useOrganization();
  const { error, itemsFor } = useTouchpointActions(deletion);
  const bulk = useTouchpointBulk(table.rows, deletion);
  const isGrouped = !table.rows.every(isTouchpoint);
  const rowActions = (row: GroupedRow, index: number) =>
    isTouchpoint(row) ? <RowMenu name={row.name}>{itemsFor?.(row, index)}</RowMenu> : null;
  return (
    <>
      <ActionError error={error} />
      <ListTable
        {...table}
        label={t('title')}
        columns={columns}
        rowActions={itemsFor && rowActions}
        bulk={bulk}
        canSelect={isTouchpoint}
        nameOf={({ name }) => name}
        owner={orgId}
        {...(isGrouped ? { levelOf } : {})}
      />
    </>
  );
}

const levelOf = (row: GroupedRow) => (isTouchpoint(row) ? 'child' : 'group');
