import { useQuery } from '@tanstack/react-query';
import { createFileRoute, linkOptions } from '@tanstack/react-router';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { ContactDrawer } from '#web/content/consent/contact-drawer.tsx';
import { fieldsQuery, itemsQuery, readItemsSearch } from '#web/content/collections/item-queries.ts';
import type { Editing } from '#web/content/collections/item-columns.tsx';
import { ItemList } from '#web/content/collections/item-list.tsx';
import { ItemForm } from '#web/content/collections/item-form.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ForbiddenState } from '#web/ui/states.tsx';
import { valueText } from '#web/ui/value-text.ts';

export const Route = createFileRoute('/o/$orgId/collections/$collection/')({
  beforeLoad: loadContactTexts,
  validateSearch: readItemsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params: { collection }, deps }) =>
    context.preload((scope) => [fieldsQuery(scope, collection), itemsQuery(scope, collection, deps)]),
  component: CollectionPage,
});

const stamps = new Set(['id', 'date_created', 'date_updated', 'user_created']);

function CollectionPage() {
  const { t } = useTranslation('collections');
  const nameOf = useCollectionName();
  const { collection } = Route.useParams();
  const search = Route.useSearch();
  const scope = useOrganization();
  const [editing, setEditing] = useState<Editing>();
  const close = () => setEditing(undefined);
  const canEdit = scope.can('update', 'Content');
  const fields = useQuery(fieldsQuery(scope, collection));
  const items = useQuery(itemsQuery(scope, collection, search));
  const create = (
    <CreateButton permission={['create', 'Content']} onClick={() => setEditing({})}>
      {t('newItem')}
    </CreateButton>
  );
  return (
    <>
      <PageHeader
        title={nameOf(collection)}
        section={t('title')}
        crumbs={linkOptions([
          { to: '/o/$orgId/collections', params: { orgId: scope.orgId }, label: t('title') },
        ])}
        primary={items.data?.count === 0 && search.search === undefined ? undefined : create}
      />
      <AsyncRegion query={fields} what={t('whatItems')}>
        {({ data: all }) => {
          const shown = all.filter((field) => !field.hidden && !stamps.has(field.field));
          if (shown.length === 0) return <ForbiddenState text={t('noFields')} />;
          return (
            <>
              <ItemList
                collection={collection}
                fields={shown}
                query={items}
                search={search.search}
                create={create}
                onOpen={setEditing}
              />
              {editing?.item && !canEdit && (
                <ContactDrawer
                  title={valueText(editing.item['email'])}
                  collection={collection}
                  contactKey={valueText(editing.item['id'])}
                  onClose={close}
                />
              )}
              {editing && (canEdit || editing.item === undefined) && (
                <ItemForm
                  key={valueText(editing.item?.['id'] ?? 'new')}
                  collection={collection}
                  fields={all.filter((field) => !stamps.has(field.field))}
                  item={editing.item}
                  onClose={close}
                />
              )}
            </>
          );
        }}
      </AsyncRegion>
    </>
  );
}
