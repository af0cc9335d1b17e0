import { Text } from '@mantine/core';
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

/** A template without its source. */
export type ListedTemplate = Awaited<ReturnType<typeof client.templates.list>>['items'][number];

interface Props extends TableState<ListedTemplate> {
  columns: readonly ListColumn<ListedTemplate>[];
}

export function TemplateTable({ columns, ...table }: Props) {
  const { t } = useTranslation('templates');
  const { api, orgId, can } = useOrganization();
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState<ListedTemplate>();
  const remove = useMutation(api.templates.delete.mutationOptions());
  const duplicate = useDuplicate(api.templates.duplicate.mutationOptions(), ({ id }) =>
    navigate({ to: '/o/$orgId/templates/$templateId', params: { orgId, templateId: id } }),
  );
  const bulk = useBulkActions<ListedTemplate>({
    rows: table.rows,
    remove: can('delete', 'Template') && {
      isFor: () => true,
      operation: ({ id }) => client.templates.delete({ organization_id: orgId, id }),
      question: t('deleteBody'),
    },
  });
  const rowActions = (template: ListedTemplate) => (
    <RowMenu name={template.title}>
      {can('create', 'Template') && (
        <DuplicateItem
          onClick={() =>
            duplicate.run(template.title, (title) => ({ organization_id: orgId, id: template.id, title }))
          }
        />
      )}
      {can('delete', 'Template') && <DeleteItem onClick={() => setDeleting(template)} />}
    </RowMenu>
  );
  return (
    <>
      <ActionError error={duplicate.error} />
      <ListTable
        {...table}
        label={t('title')}
        columns={columns}
        rowActions={can('create', 'Template') || can('delete', 'Template') ? rowActions : undefined}
        bulk={bulk}
        nameOf={({ title }) => title}
        owner={orgId}
      />
      {deleting && (
        <ConfirmDialog
          title={t('deleteTitle', { name: deleting.title })}
          confirmLabel={t('delete')}
          onClose={() => setDeleting(undefined)}
          onConfirm={() => remove.mutateAsync({ organization_id: orgId, id: deleting.id })}
        >
          <Text>{t('deleteBody')}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
