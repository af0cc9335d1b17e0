import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { CollectionView } from '#web/content/collections/collection-view.tsx';
import { collectionsQuery, fieldsQuery, itemsQuery } from '#web/content/collections/item-queries.ts';
import { contactCollection, readContactsSearch } from '#web/content/contacts/contact-search.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';

export const Route = createFileRoute('/o/$orgId/contacts/')({
  beforeLoad: loadContactTexts,
  validateSearch: readContactsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    const collection = deps.collection ?? contactCollection;
    return context.preload((scope) => [
      collectionsQuery(scope),
      fieldsQuery(scope, collection),
      itemsQuery(scope, collection, deps),
    ]);
  },
  component: ContactsPage,
});

/** People: the items of the collections whose items have an address. */
function ContactsPage() {
  const { t } = useTranslation('collections');
  const nameOf = useCollectionName();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const scope = useOrganization();
  const { data: lists } = useQuery(collectionsQuery(scope));
  const names = lists?.items.filter((list) => list.has_contacts).map((list) => list.collection) ?? [];
  const first = names.length === 0 || names.includes(contactCollection) ? contactCollection : names[0]!;
  const collection = search.collection ?? first;
  const fields = useQuery(fieldsQuery(scope, collection));
  const items = useQuery(itemsQuery(scope, collection, search));
  return (
    <AsyncRegion page query={fields} what={t('person.what')}>
      {({ data }) => (
        <CollectionView
          key={collection}
          collection={collection}
          fields={data}
          items={items}
          search={search.search}
          header={(create) => (
            <>
              <PageHeader title={t('contacts')} primary={create} />
              {names.length > 1 && (
                <Select
                  mb="md"
                  maw={320}
                  label={t('list')}
                  data={names.map((name) => ({ value: name, label: nameOf(name) }))}
                  value={collection}
                  allowDeselect={false}
                  onChange={(chosen) =>
                    chosen !== null &&
                    void navigate({ search: chosen === first ? {} : { collection: chosen } })
                  }
                />
              )}
            </>
          )}
        />
      )}
    </AsyncRegion>
  );
}
