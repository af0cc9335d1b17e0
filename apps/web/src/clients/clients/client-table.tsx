import { Menu } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { useBulkActions } from '#web/identity/organizations/bulk-actions.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { BulkBar } from '#web/ui/bulk-bar.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import type { RecordDeletion } from '#web/ui/deletion.ts';
import type { TableState } from '#web/ui/list-page.tsx';
import { DeleteItem, RowMenu } from '#web/ui/row-menu.tsx';
import { useSelection } from '#web/ui/selection.ts';
import { isBrand, type ClientListRow, type ClientRow } from './client-rows.ts';

interface Props extends TableState<ClientListRow> {
  columns: readonly ListColumn<ClientListRow>[];
  deletions: { client: RecordDeletion; brand: RecordDeletion };
  onAddBrand: (client: ClientRow) => void;
}

/** Clients with their brands below. */
export function ClientTable({ columns, deletions, onAddBrand, ...table }: Props) {
  const { t } = useTranslation('clients');
  const { orgId, can } = useOrganization();
  const mayDelete = (row: ClientListRow) =>
    isBrand(row)
      ? can('delete', 'Brand', { client_id: row.client_id, brand_id: row.id })
      : can('delete', 'Client', { client_id: row.id });
  const selection = useSelection(table.rows, { idOf, nameOf, canSelect: mayDelete });
  const actions = useBulkActions<ClientListRow>({
    rows: table.rows,
    remove: {
      // With a client go its brands.
      isFor: (row) => mayDelete(row) && !(isBrand(row) && selection.isSelected(row.client_id)),
      operation: (row) => (isBrand(row) ? client.brands.delete : client.clients.delete)({ id: row.id }),
      restore: (row) => (isBrand(row) ? client.brands.restore : client.clients.restore)({ id: row.id }),
    },
    deletion: deletions.client,
  });
  const rowActions = (row: ClientListRow, index: number) => {
    const mayAdd = !isBrand(row) && can('create', 'Brand');
    if (!mayAdd && !mayDelete(row)) return null;
    return (
      <RowMenu name={row.name}>
        {mayAdd && (
          <Menu.Item leftSection={<IconPlus size={16} />} onClick={() => onAddBrand(row)}>
            {t('newBrand')}
          </Menu.Item>
        )}
        {mayDelete(row) && (
          <DeleteItem onClick={() => deletions[isBrand(row) ? 'brand' : 'client'].remove(row, index)} />
        )}
      </RowMenu>
    );
  };
  const isSelectable = table.rows.some(mayDelete);
  return (
    <>
      <DataTable
        {...table}
        isDense
        label={t('title')}
        columns={columns}
        selection={isSelectable ? selection : undefined}
        rowActions={isSelectable || can('create', 'Brand') ? rowActions : undefined}
        levelOf={(row) => (isBrand(row) ? 'child' : 'group')}
      />
      {isSelectable && <BulkBar selection={selection} actions={actions} idOf={idOf} owner={orgId} />}
    </>
  );
}

const idOf = ({ id }: ClientListRow): string => id;
const nameOf = ({ name }: ClientListRow): string => name;
