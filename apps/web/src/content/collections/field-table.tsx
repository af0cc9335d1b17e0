// By hand: its rows have an order that is changed in it.
import { Badge, Code, Group, Menu, Text, UnstyledButton } from '@mantine/core';
import type { Action } from '@reachout/contract/abilities.ts';
import type { Field } from '@reachout/contract/content-fields.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Nothing } from '#web/identity/lists/columns.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { notifyOf } from '#web/ui/notify.tsx';
import { DeleteItem, RowMenu } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { filledQuery } from './field-effects.ts';
import { kindOfField } from './field-kind.ts';
import { useFieldLabel } from './field-label.ts';
import { useDirectus } from './use-directus.ts';
import { useFieldOrder } from './use-field-order.ts';

interface Props {
  collection: string;
  /** In display order. */
  fields: readonly Field[];
  onOpen: (field: Field) => void;
}

/** The fields of a collection, in the order of its forms. */
export function FieldTable({ collection, fields, onOpen }: Props) {
  const { t } = useTranslation(['collections', 'common']);
  const scope = useOrganization();
  const isDirectus = useDirectus();
  const can = (action: Action) => !isDirectus && scope.can(action, 'Content');
  const labelOf = useFieldLabel();
  const [deleting, setDeleting] = useState<Field>();
  const order = useFieldOrder(collection, fields);
  const columns = useColumns(can('update') ? onOpen : undefined);
  const rowActions = (field: Field, index: number) => (
    <RowMenu name={labelOf(field)}>
      {can('update') && (
        <>
          <Menu.Item onClick={() => onOpen(field)}>{t('common:actions.edit')}</Menu.Item>
          <Menu.Item disabled={index === 0 || order.isPending} onClick={() => order.move(index, -1)}>
            {t('words.moveUp')}
          </Menu.Item>
          <Menu.Item
            disabled={index === fields.length - 1 || order.isPending}
            onClick={() => order.move(index, 1)}
          >
            {t('words.moveDown')}
          </Menu.Item>
        </>
      )}
      {can('delete') && <DeleteItem onClick={() => setDeleting(field)} />}
    </RowMenu>
  );
  return (
    <>
      <ActionError error={order.error} title={t('common:error.saveFailed')} />
      <DataTable
        label={t('words.fields')}
        columns={columns}
        rows={fields}
        rowKey={({ field }) => field}
        rowActions={can('update') || can('delete') ? rowActions : undefined}
        busy={order.isPending}
      />
      {deleting && (
        <FieldDeletion collection={collection} field={deleting} onClose={() => setDeleting(undefined)} />
      )}
    </>
  );
}

function useColumns(onOpen: ((field: Field) => void) | undefined): Column<Field>[] {
  const { t } = useTranslation(['collections', 'common']);
  const labelOf = useFieldLabel();
  return [
    {
      header: t('form.name'),
      cell: (field) =>
        onOpen === undefined ? (
          labelOf(field)
        ) : (
          <UnstyledButton className="row-button" onClick={() => onOpen(field)}>
            {labelOf(field)}
          </UnstyledButton>
        ),
    },
    { header: t('fieldForm.name'), cell: ({ field }) => <Code>{field}</Code> },
    { header: t('fieldForm.kind'), cell: (field) => t(`kinds.${kindOfField(field)}`) },
    {
      header: t('words.rules'),
      cell: (field) => {
        const rules = (['required', 'unique', 'hidden'] as const).filter((rule) => field[rule]);
        return rules.length === 0 ? (
          <Nothing />
        ) : (
          <Group gap={6} component="span">
            {rules.map((rule) => (
              <Badge key={rule} color="gray">
                {t(`fieldForm.${rule}`)}
              </Badge>
            ))}
          </Group>
        );
      },
    },
  ];
}

/** Confirms the deletion of a field, with the number of values deleted with it. */
function FieldDeletion({
  collection,
  field,
  onClose,
}: {
  collection: string;
  field: Field;
  onClose: () => void;
}) {
  const { t } = useTranslation(['collections', 'common']);
  const scope = useOrganization();
  const labelOf = useFieldLabel();
  const { data } = useQuery(filledQuery(scope, collection, field.field));
  const remove = useMutation(scope.api.content.deleteField.mutationOptions(notifyOf(t('fieldList.deleted'))));
  return (
    <ConfirmDialog
      title={t('fieldList.deleteTitle', { name: labelOf(field) })}
      confirmLabel={t('common:actions.delete')}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync({ organization_id: scope.orgId, collection, field: field.field })}
    >
      <Text>
        {data === undefined ? '' : t('fieldList.deleteValues', { count: data.filled })}{' '}
        {t('fieldList.deleteBody')}
      </Text>
    </ConfirmDialog>
  );
}
