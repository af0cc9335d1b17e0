import { Text } from '@mantine/core';
import type { ListedFilter } from '@reachout/contract/filters.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { useBulkActions } from '#web/identity/organizations/bulk-actions.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { ListTable } from '#web/ui/list-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { DeleteItem, DuplicateItem, RowMenu } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useDuplicate } from '#web/ui/use-duplicate.ts';

interface Props extends TableState<ListedFilter> {
  columns: readonly ListColumn<ListedFilter>[];
}

export function AudienceTable({ columns, ...table }: Props) {
  const { t } = useTranslation('audiences');
  const { api, orgId, can } = useOrganization();
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState<ListedFilter>();
  const remove = useMutation(api.filters.delete.mutationOptions());
  const duplicate = useDuplicate(api.filters.duplicate.mutationOptions(), ({ id }) =>
    navigate({ to: '/o/$orgId/audiences/$audienceId', params: { orgId, audienceId: id } }),
  );
  const mayCopy = can('create', 'Filter') && can('read', 'Content');
  const bulk = useBulkActions<ListedFilter>({
    rows: table.rows,
    remove: can('delete', 'Filter') && {
      isFor: () => true,
      operation: ({ id }) => client.filters.delete({ id }),
      question: t('deleteBody'),
    },
  });
  const rowActions = (filter: ListedFilter) => (
    <RowMenu name={filter.name}>
      {mayCopy && (
        <DuplicateItem onClick={() => duplicate.run(filter.name, (name) => ({ id: filter.id, name }))} />
      )}
      {can('delete', 'Filter') && <DeleteItem onClick={() => setDeleting(filter)} />}
    </RowMenu>
  );
  return (
    <>
      <ActionError error={duplicate.error} />
      <ListTable
        {...table}
        label={t('title')}
        columns={columns}
        rowActions={mayCopy || can('delete', 'Filter') ? rowActions : undefined}
        bulk={bulk}
        nameOf={({ name }) => name}
        owner={orgId}
      />
      {deleting && (
        <ConfirmDialog
          title={t('deleteTitle', { name: deleting.name })}
          confirmLabel={t('delete')}
          onClose={() => setDeleting(undefined)}
          onConfirm={() => remove.mutateAsync({ id: deleting.id })}
        >
          <Text>{t('deleteBody')}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
