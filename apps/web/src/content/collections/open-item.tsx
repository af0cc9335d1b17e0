import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import { useQuery } from '@tanstack/react-query';
import { linkOptions, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ForbiddenState } from '#web/ui/states.tsx';
import { valueText } from '#web/ui/value-text.ts';
import { useCollectionName } from './collection-name.ts';
import { fieldsOfForms } from './form-fields.ts';
import { ItemForm } from './item-form.tsx';
import { itemQuery, itemsQuery, type ItemsSearch } from './item-queries.ts';

interface Props {
  collection: string;
  fields: readonly Field[];
  /** That of the list beside it. */
  search: ItemsSearch;
  itemId: string;
  /** Otherwise it has the page for itself. */
  isBeside: boolean;
}

/** An item that is edited at its own address. It is requested only if the list beside it does not have it. */
export function OpenItem({ collection, fields, search, itemId, isBeside }: Props) {
  const { t } = useTranslation('collections');
  const nameOf = useCollectionName();
  const navigate = useNavigate();
  const scope = useOrganization();
  const { orgId } = scope;
  const list = useQuery({ ...itemsQuery(scope, collection, search, fields), enabled: isBeside });
  const listed = list.data?.items.find((item) => valueText(item['id']) === itemId);
  const alone = useQuery({
    ...itemQuery(scope, collection, itemId),
    enabled: listed === undefined && !(isBeside && list.isPending),
  });
  // What is edited stays, even if the list changes meanwhile.
  const [item, setItem] = useState<Item>();
  const found = listed ?? alone.data;
  if (item === undefined && found !== undefined) setItem(found);
  const place = { params: { orgId, collection }, search };
  const form = item && (
    <ItemForm
      isOnPage
      isTitled={isBeside}
      collection={collection}
      fields={fieldsOfForms(fields)}
      item={item}
      onClose={(isSaved) =>
        void navigate({
          to: '/o/$orgId/collections/$collection',
          ...place,
          // The search of the list may have changed since.
          search: true,
          ignoreBlocker: isSaved,
          resetScroll: !isBeside,
        })
      }
    />
  );
  return (
    <>
      {!isBeside && (
        <PageHeader
          title={t('item.edit')}
          section={nameOf(collection)}
          crumbs={linkOptions([
            { to: '/o/$orgId/collections', params: { orgId }, label: t('words.collections') },
            { to: '/o/$orgId/collections/$collection', ...place, label: nameOf(collection) },
          ])}
        />
      )}
      {!scope.can('update', 'Content') ? (
        <ForbiddenState order={2} />
      ) : (
        (form ?? (
          <AsyncRegion query={alone} what={t('item.what')}>
            {() => null}
          </AsyncRegion>
        ))
      )}
    </>
  );
}
