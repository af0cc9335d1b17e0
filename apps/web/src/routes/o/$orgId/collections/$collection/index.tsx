import { useQuery } from '@tanstack/react-query';
import { createFileRoute, linkOptions, Navigate } from '@tanstack/react-router';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import { useTranslation } from 'react-i18next';
import { useCollectionActions } from '#web/content/collections/collection-actions.tsx';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { CollectionView } from '#web/content/collections/collection-view.tsx';
import {
  collectionsQuery,
  fieldsQuery,
  itemsQuery,
  readItemsSearch,
} from '#web/content/collections/item-queries.ts';
import { hasSubscriptions } from '#web/content/consent/subscription-queries.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { OwnerChip } from '#web/content/owners/owner-chip.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';

export const Route = createFileRoute('/o/$orgId/collections/$collection/')({
  beforeLoad: loadContactTexts,
  validateSearch: readItemsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params: { collection }, deps }) =>
    context.preload((scope) => [fieldsQuery(scope, collection), itemsQuery(scope, collection, deps)]),
  component: CollectionPage,
});

function CollectionPage() {
  const { t } = useTranslation(['collections', 'common']);
  const nameOf = useCollectionName();
  const { collection } = Route.useParams();
  const search = Route.useSearch();
  const scope = useOrganization();
  const { orgId } = scope;
  const fields = useQuery(fieldsQuery(scope, collection));
  const items = useQuery({
    ...itemsQuery(scope, collection, search, fields.data?.data),
    enabled: fields.data !== undefined,
  });
  const { data: collections } = useQuery(collectionsQuery(scope, true));
  const own = collections?.items.find((each) => each.collection === collection);
  const { itemsFor, dialog, error } = useCollectionActions();
  return (
    <AsyncRegion page query={fields} what={t('item.what')}>
      {({ data }) =>
        hasSubscriptions(data) ? (
          // Contacts have their own page.
          <Navigate to="/o/$orgId/contacts" params={{ orgId }} search={{ ...search, collection }} replace />
        ) : (
          <CollectionView
            collection={collection}
            fields={data}
            items={items}
            search={search}
            header={(create) => (
              <>
                <PageHeader
                  title={nameOf(collection)}
                  note={own && t('item.count', { count: own.item_count })}
                  badge={own && <OwnerChip owner={own} />}
                  more={own && itemsFor(own)}
                  section={t('title')}
                  crumbs={linkOptions([
                    { to: '/o/$orgId/collections', params: { orgId }, label: t('title') },
                  ])}
                  primary={create}
                />
                <ActionError error={error} title={t('common:error.saveFailed')} />
                {dialog}
              </>
            )}
          />
        )
      }
    </AsyncRegion>
  );
}
