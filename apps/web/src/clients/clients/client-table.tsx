import { Menu } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { useBulkActions } from '#web/identity/organizations/bulk-actions.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import type { RecordDeletion } from '#web/ui/deletion.ts';
import { ListTable } from '#web/ui/list-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { DeleteItem, RowMenu } from '#web/ui/row-menu.tsx';
import { isBrand, type ClientListRow, type ClientRow } from './client-rows.ts';

interface Props extends TableState<ClientListRow> {
  columns: readonly ListColumn<ClientListRow>[];
  deletions: { client: RecordDeletion; brand: RecordDeletion };
  onAddBrand: (client: ClientRow) => void;
}

export function ClientTable({ columns, deletions, onAddBrand, ...table }: Props) {
  const { t } = useTranslation('clients');
  const { orgId, can } = useOrganization();
  const mayDelete = (row: ClientListRow) =>
    isBrand(row)
      ? can('delete', 'Brand', { client_id: row.client_id, brand_id: row.id })
      : can('delete', 'Client', { client_id: row.id });
  const bulk = useBulkActions<ClientListRow>({
    rows: table.rows,
    remove: {
      // Deleting a client deletes its brands, too.
      isFor: (row, isSelected) => mayDelete(row) && !(isBrand(row) && isSelected(row.client_id)),
      operation: (row) => (isBrand(row) ? client.brands.delete : client.clients.delete)({ id: row.id }),
      restore: (row) => (isBrand(row) ? client.brands.restore : client.clients.restore)({ id: row.id }),
      deletion: deletions.client,
    },
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
  const hasActions = can('create', 'Brand') || table.rows.some(mayDelete);
  return (
    <ListTable
      {...table}
      label={t('title')}
      columns={columns}
      rowActions={hasActions ? rowActions : undefined}
      bulk={bulk}
      canSelect={mayDelete}
      nameOf={({ name }) => name}
      owner={orgId}
      levelOf={(row) => (isBrand(row) ? 'child' : 'group')}
    />
  );
}
