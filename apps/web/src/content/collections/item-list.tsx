import { Menu, Text, UnstyledButton } from '@mantine/core';
import type { Field, Item } from '@reachout/contract/content.ts';
import { IconDatabase, IconFileImport } from '@tabler/icons-react';
import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat, type Format } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { notify } from '#web/ui/notify.tsx';
import { DeleteItem, RowMenu } from '#web/ui/row-menu.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { valueText } from '#web/ui/value-text.ts';
import { useCollectionName } from './collection-name.ts';
import { byImportance } from './field-order.ts';
import { itemList } from './item-queries.ts';

/** Without an item a new one is made. */
export interface Editing {
  item?: Item;
}

interface Props {
  collection: string;
  fields: readonly Field[];
  query: UseQueryResult<{ items: Item[]; count: number }>;
  search: string | undefined;
  create: ReactNode;
  onEdit: (editing: Editing) => void;
}

export function ItemList({ collection, fields, query, search, create, onEdit }: Props) {
  const { t } = useTranslation(['collections', 'common']);
  const format = useFormat();
  const nameOf = useCollectionName();
  const { orgId, can, canEver } = useOrganization();
  const [deleting, setDeleting] = useState<Item>();
  const columns = columnsOf(fields, format, t, can('update', 'Content') ? onEdit : undefined);
  const importLink = can('create', 'Content') && (
    <LinkButton
      variant="default"
      to="/o/$orgId/collections/$collection/import"
      params={{ orgId, collection }}
      leftSection={<IconFileImport size={16} stroke={1.75} />}
    >
      {t('import')}
    </LinkButton>
  );
  const rowActions = (item: Item) => (
    <RowMenu name={valueText(item[fields[0]?.field ?? 'id'] ?? item['id'])}>
      <Menu.Item onClick={() => onEdit({ item })}>{t('editItem')}</Menu.Item>
      <DeleteItem onClick={() => setDeleting(item)} />
    </RowMenu>
  );
  return (
    <>
      <ListPage
        query={query}
        what={t('whatItems')}
        searchLabel={t('search')}
        actions={importLink}
        noResults={t('noMatch', { search })}
        empty={
          <EmptyState
            icon={IconDatabase}
            title={t('empty.title')}
            actions={
              <>
                {create}
                {importLink}
              </>
            }
            text={t(canEver('create', 'Content') ? 'empty.body' : 'empty.reader')}
          />
        }
        list={itemList}
      >
        {(table) => (
          <DataTable
            {...table}
            label={nameOf(collection)}
            columns={columns}
            rowKey={(item) => valueText(item['id'])}
            rowActions={can('delete', 'Content') ? rowActions : undefined}
          />
        )}
      </ListPage>
      {deleting && (
        <ItemDeletion collection={collection} item={deleting} onClose={() => setDeleting(undefined)} />
      )}
    </>
  );
}

function ItemDeletion({
  collection,
  item,
  onClose,
}: {
  collection: string;
  item: Item;
  onClose: () => void;
}) {
  const { t } = useTranslation(['collections', 'common']);
  const { api, orgId } = useOrganization();
  const remove = useMutation(
    api.content.deleteItem.mutationOptions({ onSuccess: () => notify(t('itemDeleted')) }),
  );
  return (
    <ConfirmDialog
      title={t('deleteItemTitle')}
      confirmLabel={t('common:actions.delete')}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync({ organization_id: orgId, collection, key: valueText(item['id']) })}
    >
      <Text>{t('deleteItemBody')}</Text>
    </ConfirmDialog>
  );
}

type Translate = ReturnType<typeof useTranslation<['collections', 'common']>>['t'];

function columnsOf(
  fields: readonly Field[],
  format: Format,
  t: Translate,
  onEdit: ((editing: Editing) => void) | undefined,
): Column<Item>[] {
  return fields.toSorted(byImportance).map((field, place) => ({
    header: field.field,
    sort: field.field,
    ...(isNumber(field) ? { align: 'end' as const } : {}),
    cell: (item) => {
      const text = cellText(item[field.field], field, format, t);
      return place === 0 && onEdit ? (
        <UnstyledButton className="row-button" onClick={() => onEdit({ item })}>
          {text}
        </UnstyledButton>
      ) : (
        text
      );
    },
  }));
}

const isNumber = (field: Field) => ['integer', 'bigInteger', 'float', 'decimal'].includes(field.type);

function cellText(value: unknown, field: Field, format: Format, t: Translate): string {
  if (value === null || value === undefined || value === '') return t('common:none');
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (typeof value === 'number') return format.number(value);
  if (typeof value === 'object') return JSON.stringify(value);
  const text = value as string;
  if (field.type === 'date') return format.date(text);
  return field.type === 'timestamp' ? format.dateTime(text) : text;
}
