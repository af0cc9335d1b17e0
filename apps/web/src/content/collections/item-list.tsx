import { Group } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import { IconDatabase, IconFileImport, IconUsers } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { consentField, hasSubscriptions } from '#web/content/collections/contact-fields.ts';
import { useListColumns, type ColumnOverride, type ListColumn } from '#web/identity/account/list-columns.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { valueText } from '#web/ui/value-text.ts';
import { byPlace, firstFields } from './field-order.ts';
import { subscriptionColumn, useItemColumns, type Editing, type SubscriptionProps } from './item-columns.tsx';
import { ItemExport } from './item-export.tsx';
import { ItemFilter } from './item-filter.tsx';
import { defaultOrderOf, itemList, type ItemsSearch } from './item-queries.ts';
import { ItemTable } from './item-table.tsx';
import { useItemWords } from './item-words.ts';
import { useDirectus } from './use-directus.ts';
import { useViews } from './use-views.ts';
import { ViewMenu } from './view-menu.tsx';

interface Props {
  collection: string;
  fields: readonly Field[];
  query: UseQueryResult<{ items: Item[]; count: number; hasMore: boolean }>;
  search: ItemsSearch;
  header: (create: ReactNode) => ReactNode;
  /** Opens an item, for editing if the user has permission, or the form of a new one. */
  onOpen: (editing: Editing) => void;
  Subscription?: ComponentType<SubscriptionProps> | undefined;
}

export function ItemList({ collection, fields, query, search, header, onOpen, Subscription }: Props) {
  const { t } = useTranslation('collections');
  const { orgId, can } = useOrganization();
  const hasContacts = hasSubscriptions(fields);
  const words = useItemWords(hasContacts);
  const change = useChangeSearch<ItemsSearch>();
  const isDirectus = useDirectus();
  const defaultOrder = defaultOrderOf(fields);
  const views = useViews(collection, search, defaultOrder);
  const override = views.columns && {
    chosen: views.columns,
    change: (columns: string[]) => change({ columns }),
  };
  const { columns, choice } = useColumns({ collection, fields, query, search, Subscription }, override);
  const importLink = can('create', 'Content') && (
    <LinkButton
      to="/o/$orgId/collections/$collection/import"
      params={{ orgId, collection }}
      leftSection={<IconFileImport size={16} />}
    >
      {t('words.import')}
    </LinkButton>
  );
  return (
    <RecordList
      query={query}
      list={{ ...itemList, defaultOrder }}
      isSearchable
      header={header}
      texts={hasContacts ? 'collections:person' : 'collections:item'}
      label={t(hasContacts ? 'words.contacts' : 'count')}
      icon={hasContacts ? IconUsers : IconDatabase}
      columns={columns}
      create={{
        permission: ['create', 'Content'],
        label: words.add,
        onClick: () => onOpen({}),
        beside: importLink,
      }}
      filters={[
        {
          names: ['filter'],
          control: (
            <>
              <ViewMenu
                collection={collection}
                search={search}
                views={views}
                defaultOrder={defaultOrder}
                words={words}
                isReadOnly={isDirectus}
                columns={columns.map(({ name }) => name)}
              />
              <ItemFilter
                collection={collection}
                fields={fields}
                rule={search.filter}
                onChange={(filter) => change({ filter })}
              />
            </>
          ),
        },
      ]}
      onClear={() => views.apply(undefined)}
      actions={
        <Group gap="xs">
          {choice}
          {importLink}
          <ItemExport
            collection={collection}
            search={search}
            count={query.data?.count ?? 0}
            hasMore={query.data?.hasMore ?? false}
            words={words}
          />
        </Group>
      }
      table={(table) => (
        <ItemTable {...table} collection={collection} fields={fields} columns={columns} onOpen={onOpen} />
      )}
    />
  );
}

/** Number of columns shown by default: more do not fit side by side, and long texts do not fit at all. */
const firstColumns = 5;
/** The highest position at which columns are hidden; those that share it are hidden together. */
const maxHide = 12;
const isShort = ({ type }: Field): boolean => type !== 'text' && type !== 'json';

/** The visible columns, and the button that selects them. */
function useColumns(
  {
    collection,
    fields,
    query,
    search,
    Subscription,
  }: Pick<Props, 'collection' | 'fields' | 'query' | 'search' | 'Subscription'>,
  override: ColumnOverride | undefined,
) {
  const scope = useOrganization();
  const hasContacts = hasSubscriptions(fields);
  const showsSubscriptions = Subscription !== undefined && hasContacts && scope.can('read', 'Consent');
  const canUpdate = scope.can('update', 'Content');
  const sorted = fields.filter(({ field }) => !(hasContacts && field === consentField)).toSorted(byPlace);
  const names = sorted.map(({ field }) => field);
  if (showsSubscriptions) names.splice(1, 0, subscriptionColumn);
  const short = sorted.filter(isShort).map(({ field }) => field);
  const first = hasContacts ? firstFields : short.slice(0, firstColumns);
  const { columnOf, subscription } = useItemColumns({
    collection,
    keys: query.data?.items.map((item) => valueText(item['id'])) ?? [],
    search,
    canOpen: canUpdate,
    isEditable: canUpdate && !hasContacts,
    Subscription,
  });
  const columns = names.map((name, place): ListColumn<Item> => {
    const isOptional = !first.includes(name);
    if (name === subscriptionColumn) return { ...subscription, name, isOptional };
    // The columns on the right are hidden first where there is no room.
    const hide = place === 0 ? {} : { hide: Math.min(names.length - place, maxHide) };
    const leads = place === 0 ? (hasContacts ? 'page' : 'form') : undefined;
    const field = sorted.find((one) => one.field === name)!;
    return { ...columnOf(field, leads), ...hide, name, isOptional };
  });
  return useListColumns(`collection.${collection}`, columns, override);
}
