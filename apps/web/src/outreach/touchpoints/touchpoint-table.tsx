import { Menu } from '@mantine/core';
import { touchpointCan } from '@reachout/contract/states/touchpoint.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { useBulkActions } from '#web/identity/organizations/bulk-actions.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import type { BulkAction } from '#web/ui/bulk-bar.tsx';
import type { RecordDeletion } from '#web/ui/deletion.ts';
import { ListTable } from '#web/ui/list-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { notify } from '#web/ui/notify.tsx';
import { DeleteItem, DuplicateItem, RowMenu } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useDuplicate } from '#web/ui/use-duplicate.ts';
import { isTouchpoint, type GroupedRow, type TouchpointRow } from './touchpoint-rows.ts';

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
  const rowActions = (row: GroupedRow, index: number) => {
    const items = isTouchpoint(row) && itemsFor?.(row, index);
    return items && <RowMenu name={row.name}>{items}</RowMenu>;
  };
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

interface Actions {
  /** Menu items of a row, if its brand permits any; undefined if no action is permitted at all. */
  itemsFor: ((row: TouchpointRow, index: number) => ReactNode) | undefined;
  error: unknown;
}

function useTouchpointActions(deletion: RecordDeletion): Actions {
  const { t } = useTranslation(['touchpoints', 'common']);
  const { api, orgId, can } = useOrganization();
  const navigate = useNavigate();
  const duplicate = useDuplicate(api.touchpoints.duplicate.mutationOptions(), ({ id }) =>
    navigate({ to: '/o/$orgId/touchpoints/$touchpointId', params: { orgId, touchpointId: id } }),
  );
  const unarchive = useMutation(
    api.touchpoints.unarchive.mutationOptions({ onSuccess: () => notify(t('settings.unarchived')) }),
  );
  const archive = useMutation(
    api.touchpoints.update.mutationOptions({
      onSuccess: ({ id }) =>
        notify(t('settings.archived'), {
          label: t('common:actions.undo'),
          run: () => unarchive.mutate({ id }),
        }),
    }),
  );
  const mayAny = (owner?: TouchpointRow['owner']) =>
    (['create', 'update', 'delete'] as const).some((action) => can(action, 'Touchpoint', owner));
  const itemsFor = (row: TouchpointRow, index: number) =>
    mayAny(row.owner) && (
      <>
        {can('create', 'Touchpoint', row.owner) && (
          <DuplicateItem onClick={() => duplicate.run(row.name, (name) => ({ id: row.id, name }))} />
        )}
        {can('update', 'Touchpoint', row.owner) && (
          <ArchiveItem
            row={row}
            onArchive={() => archive.mutate({ id: row.id, status: 'archived' })}
            onUnarchive={() => unarchive.mutate({ id: row.id })}
          />
        )}
        {can('delete', 'Touchpoint', row.owner) && <DeleteItem onClick={() => deletion.remove(row, index)} />}
      </>
    );
  return {
    itemsFor: mayAny() ? itemsFor : undefined,
    error: duplicate.error ?? archive.error ?? unarchive.error,
  };
}

interface ArchiveProps {
  row: TouchpointRow;
  onArchive: () => void;
  onUnarchive: () => void;
}

function ArchiveItem({ row, onArchive, onUnarchive }: ArchiveProps) {
  const { t } = useTranslation(['campaigns', 'common']);
  if (touchpointCan.reopen(row))
    return <Menu.Item onClick={onUnarchive}>{t('common:actions.unarchive')}</Menu.Item>;
  const canArchive = touchpointCan.archive(row);
  return (
    <Menu.Item disabled={!canArchive} onClick={onArchive}>
      {t('common:actions.archive')}
      {!canArchive && <span className="beside">{t('archiveLater')}</span>}
    </Menu.Item>
  );
}

/** Bulk actions on touchpoints, but not on the campaigns above them. */
function useTouchpointBulk(rows: readonly GroupedRow[], deletion: RecordDeletion): BulkAction<GroupedRow>[] {
  const { can } = useOrganization();
  const may = (action: 'update' | 'delete', row: GroupedRow): row is TouchpointRow =>
    isTouchpoint(row) && can(action, 'Touchpoint', row.owner);
  const mayUpdate = can('update', 'Touchpoint');
  return useBulkActions<GroupedRow>({
    rows,
    archive: mayUpdate && {
      isFor: (row) => may('update', row) && touchpointCan.archive(row),
      operation: ({ id }) => client.touchpoints.update({ id, status: 'archived' }),
    },
    unarchive: mayUpdate && {
      isFor: (row) => may('update', row) && touchpointCan.reopen(row),
      operation: ({ id }) => client.touchpoints.unarchive({ id }),
    },
    remove: can('delete', 'Touchpoint') && {
      isFor: (row) => may('delete', row),
      operation: ({ id }) => client.touchpoints.delete({ id }),
      restore: ({ id }) => client.touchpoints.restore({ id }),
      deletion,
    },
  });
}
