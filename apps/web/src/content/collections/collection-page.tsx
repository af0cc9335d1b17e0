import { useQuery } from '@tanstack/react-query';
import { linkOptions, Navigate, useNavigate } from '@tanstack/react-router';
import type { Field } from '@reachout/contract/content-fields.ts';
import { useTranslation } from 'react-i18next';
import { hasSubscriptions } from '#web/content/collections/contact-fields.ts';
import { OwnerChip } from '#web/content/owners/owner-chip.tsx';
import { ListBeside, recordPanel, useRoomBeside } from '#web/identity/account/list-beside.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { valueText } from '#web/ui/value-text.ts';
import { useCollectionActions } from './collection-actions.tsx';
import { useCollectionName } from './collection-name.ts';
import { CollectionView } from './collection-view.tsx';
import { collectionsQuery, fieldsQuery, itemsQuery, type ItemsSearch } from './item-queries.ts';
import { OpenItem } from './open-item.tsx';

interface Props {
  collection: string;
  search: ItemsSearch;
  /** The key of the item that is open. */
  itemId: string | undefined;
}

/** The items of a collection, and the one that is open beside them. */
export function CollectionPage({ collection, search, itemId }: Props) {
  const { t } = useTranslation('collections');
  const scope = useOrganization();
  const { orgId } = scope;
  const navigate = useNavigate();
  const fields = useQuery(fieldsQuery(scope, collection));
  return (
    <AsyncRegion page query={fields} what={t('item.what')}>
      {({ data }) =>
        !hasSubscriptions(data) ? (
          <ListBeside
            {...recordPanel}
            name="item"
            label={t('item.edit')}
            list={<Items collection={collection} search={search} fields={data} />}
            record={
              itemId === undefined
                ? undefined
                : (isBeside) => (
                    <OpenItem
                      key={itemId}
                      collection={collection}
                      fields={data}
                      search={search}
                      itemId={itemId}
                      isBeside={isBeside}
                    />
                  )
            }
            onClose={() =>
              void navigate({
                to: '/o/$orgId/collections/$collection',
                params: { orgId, collection },
                search: true,
                resetScroll: false,
              })
            }
          />
        ) : // Contacts have their own pages.
        itemId === undefined ? (
          <Navigate to="/o/$orgId/contacts" params={{ orgId }} search={{ ...search, collection }} replace />
        ) : (
          <Navigate
            to="/o/$orgId/contacts/$contactId"
            params={{ orgId, contactId: itemId }}
            search={{ collection }}
            replace
          />
        )
      }
    </AsyncRegion>
  );
}

function Items({ collection, search, fields }: Omit<Props, 'itemId'> & { fields: readonly Field[] }) {
  const { t } = useTranslation(['collections', 'common']);
  const nameOf = useCollectionName();
  const navigate = useNavigate();
  const hasRoom = useRoomBeside();
  const scope = useOrganization();
  const { orgId } = scope;
  const items = useQuery(itemsQuery(scope, collection, search, fields));
  const { data: collections } = useQuery(collectionsQuery(scope, true));
  const own = collections?.items.find((each) => each.collection === collection);
  const { itemsFor, dialog, error } = useCollectionActions();
  return (
    <CollectionView
      collection={collection}
      fields={fields}
      items={items}
      search={search}
      onOpen={(item) =>
        void navigate({
          to: '/o/$orgId/collections/$collection/items/$itemId',
          params: { orgId, collection, itemId: valueText(item['id']) },
          search,
          resetScroll: !hasRoom,
        })
      }
      header={(create) => (
        <>
          <PageHeader
            title={nameOf(collection)}
            note={own && t('item.count', { count: own.item_count })}
            badge={own && <OwnerChip owner={own} />}
            more={own && itemsFor(own)}
            section={t('words.collections')}
            crumbs={linkOptions([
              { to: '/o/$orgId/collections', params: { orgId }, label: t('words.collections') },
            ])}
            primary={create}
          />
          <ActionError error={error} title={t('common:error.saveFailed')} />
          {dialog}
        </>
      )}
    />
  );
}
