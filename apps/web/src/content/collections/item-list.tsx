import { Menu, Text } from '@mantine/core';
import type { Field, Item } from '@reachout/contract/content.ts';
import type { SubscriptionSummary } from '@reachout/contract/consent.ts';
import { IconDatabase, IconFileImport } from '@tabler/icons-react';
import { useMutation, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasSubscriptions, summariesQuery } from '#web/content/consent/subscription-queries.ts';
import { useFormat } from '#web/i18n/format.ts';
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
import { itemList } from './item-queries.ts';
import { columnsOf, type Editing } from './item-columns.tsx';

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
  const format = useFormat();
  const nameOf = useCollectionName();
  const scope = useOrganization();
  const { orgId, can, canEver } = scope;
  const showsSubscriptions = hasSubscriptions(fields) && can('read', 'Consent');
  const keys = query.data?.items.map((item) => valueText(item['id'])) ?? [];
  const { data: summaries = new Map<string, SubscriptionSummary>() } = useQuery({
    ...summariesQuery(scope, collection, keys),
    enabled: showsSubscriptions && keys.length > 0,
  });
  const [deleting, setDeleting] = useState<Item>();
  const columns = columnsOf(fields, format, t, {
    summaries: showsSubscriptions ? summaries : undefined,
    // A contact has a subscription to look at, too.
    onOpen: can('update', 'Content') || showsSubscriptions ? onOpen : undefined,
  });
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
      <Menu.Item onClick={() => onOpen({ item })}>{t('editItem')}</Menu.Item>
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
