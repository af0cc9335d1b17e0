import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState, type ComponentType, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ForbiddenState } from '#web/ui/states.tsx';
import { valueText } from '#web/ui/value-text.ts';
import { fieldsOfForms, isStamp } from './form-fields.ts';
import type { Editing, SubscriptionProps } from './item-columns.tsx';
import { ItemForm } from './item-form.tsx';
import { ItemList } from './item-list.tsx';
import type { ItemsSearch } from './item-queries.ts';

interface Props {
  collection: string;
  fields: readonly Field[];
  items: UseQueryResult<{ items: Item[]; count: number; hasMore: boolean }>;
  search: ItemsSearch;
  /** Renders the page header with the create action; the empty state has its own. */
  header: (create: ReactNode) => ReactNode;
  /** Opens an item at its own address; without it, in a drawer. */
  onOpen?: (item: Item) => void;
  /** Shows whether a contact gets mail. */
  Subscription?: ComponentType<SubscriptionProps>;
}

/** The items of a collection, with the form to create or edit one. */
export function CollectionView({ collection, fields, items, search, header, onOpen, Subscription }: Props) {
  const { t } = useTranslation('collections');
  const [editing, setEditing] = useState<Editing>();
  const shown = fields.filter(
    (field) => !field.hidden && (field.field === 'date_created' || !isStamp(field)),
  );
  if (shown.every(isStamp))
    return (
      <>
        {header(undefined)}
        <ForbiddenState text={t('noFields')} order={2} />
      </>
    );
  return (
    <>
      <ItemList
        collection={collection}
        fields={shown}
        query={items}
        search={search}
        header={header}
        Subscription={Subscription}
        onOpen={(next) => (next.item && onOpen ? onOpen(next.item) : setEditing(next))}
      />
      {editing && (
        <ItemForm
          key={valueText(editing.item?.['id'] ?? editing.copyOf?.['id'] ?? 'new')}
          collection={collection}
          fields={fieldsOfForms(fields)}
          item={editing.item}
          copyOf={editing.copyOf}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  );
}
