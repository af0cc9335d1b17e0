/* oxlint-disable jsx-a11y/no-static-element-interactions -- the arrow keys go from cell to cell, as well as Tab and clicks do */
// By hand: its columns are the fields of the collection, and cells are edited in place.
import { Menu } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import { maxBatch } from '@reachout/contract/rules/lengths.ts';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasSubscriptions } from '#web/content/collections/contact-fields.ts';
import { useItemSharing } from '#web/content/shares/share-item.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { BulkBar, type BulkAction } from '#web/ui/bulk-bar.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { notify } from '#web/ui/notify.tsx';
import { DeleteItem, DuplicateItem, RowMenu } from '#web/ui/row-menu.tsx';
import { useSelection } from '#web/ui/selection.ts';
import { valueText } from '#web/ui/value-text.ts';
import { useCloseContact } from './use-close-contact.ts';
import { useCollectionName } from './collection-name.ts';
import { byPlace } from './field-order.ts';
import { walkCells } from './item-cell.tsx';
import type { Editing } from './item-columns.tsx';
import { ItemDeletion } from './item-deletion.tsx';
import { useItemWords } from './item-words.ts';

interface Props extends TableState<Item> {
  collection: string;
  fields: readonly Field[];
  columns: readonly Column<Item>[];
  onOpen: (editing: Editing) => void;
}

/** A table of items, with selection and bulk deletion. */
export function ItemTable({ collection, fields, columns, onOpen, ...table }: Props) {
  const nameOfCollection = useCollectionName();
  const { orgId, can } = useOrganization();
  const hasContacts = hasSubscriptions(fields);
  const words = useItemWords(hasContacts);
  const [deleting, setDeleting] = useState<Item>();
  const [leading] = fields.toSorted(byPlace);
  const nameOf = (item: Item) => valueText(item[leading?.field ?? 'id'] ?? item['id']);
  const closeDeleted = useCloseDeleted(collection);
  const bulk = useItemBulk(collection, words.deleteManyBody, closeDeleted);
  const sharing = useItemSharing(collection);
  const selection = useSelection<Item>(table.rows, { idOf, nameOf });
  const mayAct = can('create', 'Content') || can('update', 'Content') || can('delete', 'Content');
  const rowActions = (item: Item) => (
    <RowMenu name={nameOf(item)}>
      {can('update', 'Content') && <Menu.Item onClick={() => onOpen({ item })}>{words.edit}</Menu.Item>}
      {can('create', 'Content') && <DuplicateItem onClick={() => onOpen({ copyOf: item })} />}
      {sharing.menuItem({ key: idOf(item), name: nameOf(item) })}
      {can('delete', 'Content') && <DeleteItem onClick={() => setDeleting(item)} />}
    </RowMenu>
  );
  return (
    <div onKeyDown={walkCells}>
      <DataTable
        {...table}
        label={nameOfCollection(collection)}
        columns={columns}
        isBrief={hasContacts}
        rowKey={idOf}
        rowActions={mayAct ? rowActions : undefined}
        selection={bulk.length > 0 && table.rows.length > 0 ? selection : undefined}
      />
      {bulk.length > 0 && <BulkBar selection={selection} actions={bulk} idOf={idOf} owner={orgId} />}
      {sharing.drawer}
      {deleting && (
        <ItemDeletion
          collection={collection}
          hasContacts={hasContacts}
          item={deleting}
          onDeleted={() => closeDeleted([deleting])}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </div>
  );
}

const idOf = (item: Item): string => valueText(item['id']);

/** @returns a function that closes the open item or contact if it is one of those given, whose changes have nowhere to go */
function useCloseDeleted(collection: string): (items: readonly Item[]) => void {
  const navigate = useNavigate();
  const closeContact = useCloseContact();
  const { orgId } = useOrganization();
  const { itemId, contactId } = useParams({ strict: false });
  return (items) => {
    const isOpen = items.some((item) => idOf(item) === (itemId ?? contactId));
    if (isOpen && contactId === undefined)
      void navigate({
        to: '/o/$orgId/collections/$collection',
        params: { orgId, collection },
        search: true,
        ignoreBlocker: true,
        resetScroll: false,
      });
    else if (isOpen) closeContact({ ignoreBlocker: true });
  };
}

/** Bulk actions on items; empty without permission. */
function useItemBulk(
  collection: string,
  question: string,
  onDeleted: (items: readonly Item[]) => void,
): BulkAction<Item>[] {
  const { t } = useTranslation(['lists', 'common']);
  const { orgId, can } = useOrganization();
  if (!can('delete', 'Content')) return [];
  return [
    {
      label: t('common:actions.delete'),
      reason: t('bulk.noneToDelete'),
      isDestructive: true,
      isFor: () => true,
      operation: (item) => client.content.deleteItem({ organization_id: orgId, collection, key: idOf(item) }),
      batch: {
        size: maxBatch,
        operation: (items) =>
          client.content.deleteItems({ organization_id: orgId, collection, items: items.map(idOf) }),
      },
      question: { title: (count) => t('bulk.deleteTitle', { count }), body: question },
      onDone: (done) => {
        notify(t('bulk.deleted', { count: done.length }));
        onDeleted(done);
      },
    },
  ];
}
