import { Group, Menu, Text } from '@mantine/core';
import type { Field, Item } from '@reachout/contract/content.ts';
import { IconDatabase, IconFileImport, IconUsers } from '@tabler/icons-react';
import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { consentField, hasSubscriptions } from '#web/content/consent/subscription-queries.ts';
import { useListColumns, type ListColumn } from '#web/identity/account/list-columns.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { notify } from '#web/ui/notify.tsx';
import { DeleteItem, RowMenu } from '#web/ui/row-menu.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { valueText } from '#web/ui/value-text.ts';
import { useCollectionName } from './collection-name.ts';
import { byImportance, firstFields } from './field-order.ts';
import { subscriptionColumn, useItemColumns, type Editing } from './item-columns.tsx';
import { itemList } from './item-queries.ts';
import { useItemWords } from './item-words.ts';

interface Props {
  collection: string;
  fields: readonly Field[];
  query: UseQueryResult<{ items: Item[]; count: number }>;
  search: string | undefined;
  create: ReactNode;
  /** Shows an item, to be edited by those who may. */
  onOpen: (editing: Editing) => void;
}

export function ItemList({ collection, fields, query, search, create, onOpen }: Props) {
  const { t } = useTranslation(['collections', 'common', 'consent']);
  const nameOf = useCollectionName();
  const { orgId, can, canEver } = useOrganization();
  const hasContacts = hasSubscriptions(fields);
  const words = useItemWords(hasContacts);
  const [deleting, setDeleting] = useState<Item>();
  const { columns, choice } = useColumns({ collection, fields, query, onOpen });
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
      {can('update', 'Content') && <Menu.Item onClick={() => onOpen({ item })}>{words.edit}</Menu.Item>}
      <DeleteItem onClick={() => setDeleting(item)} />
    </RowMenu>
  );
  return (
    <>
      <ListPage
        query={query}
        what={words.what}
        searchLabel={words.search}
        actions={
          <Group gap="xs">
            {choice}
            {importLink}
          </Group>
        }
        noResults={words.noMatch(search)}
        empty={
          <EmptyState
            icon={hasContacts ? IconUsers : IconDatabase}
            title={words.emptyTitle}
            actions={
              <>
                {create}
                {importLink}
              </>
            }
            text={canEver('create', 'Content') ? words.emptyBody : words.emptyReader}
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
        <ItemDeletion
          collection={collection}
          hasContacts={hasContacts}
          item={deleting}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}

/** Columns that are shown at first: more do not fit beside each other. */
const firstColumns = 6;

/** The columns that are shown, and the button that chooses them. */
function useColumns({
  collection,
  fields,
  query,
  onOpen,
}: Pick<Props, 'collection' | 'fields' | 'query' | 'onOpen'>) {
  const scope = useOrganization();
  const hasContacts = hasSubscriptions(fields);
  const showsSubscriptions = hasContacts && scope.can('read', 'Consent');
  const sorted = fields
    .filter(({ field }) => !(hasContacts && field === consentField))
    .toSorted(byImportance);
  const names = sorted.map(({ field }) => field);
  if (showsSubscriptions) names.splice(1, 0, subscriptionColumn);
  const first = hasContacts ? firstFields : names.slice(0, firstColumns);
  const { columnOf, subscription } = useItemColumns({
    collection,
    keys: query.data?.items.map((item) => valueText(item['id'])) ?? [],
    onOpen: scope.can('update', 'Content') ? onOpen : undefined,
  });
  const columns = names.map((name, place): ListColumn<Item> => {
    const isOptional = !first.includes(name);
    if (name === subscriptionColumn) return { ...subscription, name, isOptional };
    const leads = place === 0 ? (hasContacts ? 'page' : 'form') : undefined;
    const field = sorted.find((one) => one.field === name)!;
    return { ...columnOf(field, leads), name, isOptional };
  });
  return useListColumns(`collection.${collection}`, columns);
}

interface DeletionProps {
  collection: string;
  hasContacts: boolean;
  item: Item;
  onClose: () => void;
  onDeleted?: () => void;
}

/** Asks before an item is deleted. Mount it to open it. */
export function ItemDeletion({ collection, hasContacts, item, onClose, onDeleted }: DeletionProps) {
  const { t } = useTranslation('common');
  const words = useItemWords(hasContacts);
  const { api, orgId } = useOrganization();
  const remove = useMutation(
    api.content.deleteItem.mutationOptions({
      onSuccess: () => {
        notify(words.deleted);
        onDeleted?.();
      },
    }),
  );
  return (
    <ConfirmDialog
      title={words.deleteTitle}
      confirmLabel={t('actions.delete')}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync({ organization_id: orgId, collection, key: valueText(item['id']) })}
    >
      <Text>{words.deleteBody}</Text>
    </ConfirmDialog>
  );
}
