import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import type { ComponentType } from 'react';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FileMark } from '#web/content/files/file-mark.tsx';
import { useFormat } from '#web/i18n/format.ts';
import { useRoomBeside } from '#web/identity/account/list-beside.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import type { Column } from '#web/ui/data-table.tsx';
import { valueText } from '#web/ui/value-text.ts';
import { isImageFile } from './field-kind.ts';
import { useFieldLabel } from './field-label.ts';
import { useFieldText } from './field-text.ts';
import { isEditableInPlace, ItemCell } from './item-cell.tsx';
import type { ItemsSearch } from './item-queries.ts';
import { isNumber } from './item-values.ts';

/** Without `item`, a new one is created. */
export interface Editing {
  item?: Item;
  /** The item whose values a new one starts with. */
  copyOf?: Item;
}

/** Column name that cannot conflict with a field name. */
export const subscriptionColumn = 'Subscription';

export interface SubscriptionProps {
  collection: string;
  /** Ids of the contacts on the page. */
  keys: readonly string[];
  of: string;
}

interface Options {
  collection: string;
  /** Ids of the items on the page. */
  keys: readonly string[];
  /** That of the list, which stays beside an item. */
  search: ItemsSearch;
  /** Whether items are opened to edit them. Contacts have a page instead. */
  canOpen: boolean;
  /** Whether values are edited in place. */
  isEditable: boolean;
  /** Shows whether a contact gets mail; undefined for other items. */
  Subscription: ComponentType<SubscriptionProps> | undefined;
}

/** @returns a function that creates the column of a field or of the subscription; rows are one line high */
export function useItemColumns({ collection, keys, search, canOpen, isEditable, Subscription }: Options) {
  const { t } = useTranslation(['collections', 'consent']);
  const { orgId } = useOrganization();
  const { itemId, contactId } = useParams({ strict: false });
  const hasRoom = useRoomBeside();
  const labelOf = useFieldLabel();
  const textOf = useFieldText();
  const format = useFormat();
  const subscription: Column<Item> = {
    header: t('consent:title'),
    cell: (item) =>
      Subscription && <Subscription collection={collection} keys={keys} of={valueText(item['id'])} />,
  };
  const columnOf = (field: Field, leads: 'page' | 'form' | undefined): Column<Item> => ({
    header: labelOf(field),
    sort: field.field,
    ...(isNumber(field) ? { align: 'end' } : {}),
    cell: (item) => {
      const value = item[field.field];
      if (field.field === 'date_created' && typeof value === 'string')
        return <span className="one-line">{format.dateTime(value)}</span>;
      if (isImageFile(field) && typeof value === 'string') return <FileMark id={value} isImage />;
      const text = textOf(field, value);
      const isValue = value !== null && value !== undefined && value !== '';
      const line = (
        <span className={isValue ? 'cut-line' : 'cut-line nothing'} title={text}>
          {text}
        </span>
      );
      if (leads === 'page')
        return (
          <span aria-current={valueText(item['id']) === contactId ? 'true' : undefined}>
            <LinkAnchor
              to="/o/$orgId/contacts/$contactId"
              params={{ orgId, contactId: valueText(item['id']) }}
              search={{ ...search, ...(collection === 'contacts' ? {} : { collection }), beside: true }}
              resetScroll={!hasRoom}
            >
              {line}
            </LinkAnchor>
          </span>
        );
      if (leads === 'form' && canOpen)
        return (
          <span aria-current={valueText(item['id']) === itemId ? 'true' : undefined}>
            <LinkAnchor
              data-cell
              to="/o/$orgId/collections/$collection/items/$itemId"
              params={{ orgId, collection, itemId: valueText(item['id']) }}
              search={search}
              resetScroll={!hasRoom}
            >
              {line}
            </LinkAnchor>
          </span>
        );
      if (isEditable && isEditableInPlace(field))
        return (
          <ItemCell collection={collection} field={field} item={item} name={labelOf(field)} text={text} />
        );
      return line;
    },
  });
  return { columnOf, subscription };
}
