import { Menu, Select } from '@mantine/core';
import type { Collection } from '@reachout/contract/content.ts';
import { startingCollections } from '@reachout/contract/rules/starting-collections.ts';
import { IconUsers } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute, Outlet, useParams } from '@tanstack/react-router';
import { loadContactTexts, loadTouchpointTexts } from '#web/i18n/i18n.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { CollectionView } from '#web/content/collections/collection-view.tsx';
import { CollectionDeletion } from '#web/content/collections/collection-deletion.tsx';
import { collectionsQuery, fieldsQuery, itemsQuery } from '#web/content/collections/item-queries.ts';
import { useDirectus } from '#web/content/collections/use-directus.ts';
import {
  contactCollection,
  firstContacts,
  readContactsSearch,
} from '#web/content/collections/contact-search.ts';
import { useCloseContact } from '#web/content/collections/use-close-contact.ts';
import { OwnerChip } from '#web/content/owners/owner-chip.tsx';
import { OwnerDrawer } from '#web/content/owners/owner-drawer.tsx';
import { ListBeside, recordPanel } from '#web/identity/account/list-beside.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { SubscriptionCell } from '#web/contacts/consent/subscription-badge.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { roomBeside } from '#web/platform/room-beside.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { EmptyState } from '#web/ui/states.tsx';

export const Route = createFileRoute('/o/$orgId/contacts')({
  beforeLoad: async ({ params }) => {
    await Promise.all([loadContactTexts(), 'contactId' in params && loadTouchpointTexts()]);
  },
  validateSearch: readContactsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps, params, cause }) => {
    const isOpen = 'contactId' in params;
    // The list of a contact that was opened from it is there already.
    if (isOpen && !(cause === 'enter' && deps.beside && matchMedia(roomBeside).matches)) return;
    context.preload(async (scope) => {
      const lists = collectionsQuery(scope);
      let collection = deps.collection ?? (isOpen ? contactCollection : undefined);
      // Which list is shown depends on the lists: a connected Directus may have none of the usual name.
      if (collection === undefined) {
        const { data } = await context.queryClient.ensureQueryData(lists);
        const people = data.filter((list) => list.has_contacts);
        if (people.length === 0) return [lists];
        collection = firstContacts(people, scope.clientId);
      }
      return [lists, fieldsQuery(scope, collection), itemsQuery(scope, collection, deps)];
    });
  },
  component: ContactsPage,
});

/** The contacts, and the one that is open beside them. */
function ContactsPage() {
  const { t } = useTranslation('collections');
  const { contactId } = useParams({ strict: false });
  const search = Route.useSearch();
  const close = useCloseContact();
  const isOpen = contactId !== undefined;
  return (
    <ListBeside
      {...recordPanel}
      name="contact"
      label={t('contact.title')}
      list={isOpen && !search.beside ? undefined : <ContactList isOpen={isOpen} />}
      record={isOpen ? <Outlet /> : undefined}
      onClose={close}
    />
  );
}

/**
 * People: the items of the collections whose items have an address.
 * @param isOpen  whether a contact of the list is open beside it
 */
function ContactList({ isOpen }: { isOpen: boolean }) {
  const { t } = useTranslation(['collections', 'common']);
  const nameOf = useCollectionName();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const scope = useOrganization();
  const all = useQuery(collectionsQuery(scope));
  const lists = all.data;
  const people = lists?.items.filter((list) => list.has_contacts) ?? [];
  const names = people.map((list) => list.collection);
  const [dialog, setDialog] = useState<'new' | 'edit'>();
  const [deleting, setDeleting] = useState<Collection>();
  const collection =
    search.collection ?? (isOpen ? contactCollection : firstContacts(people, scope.clientId));
  const isKnown = search.collection !== undefined || isOpen || !all.isPending;
  const list = people.find((each) => each.collection === collection);
  const choose = (chosen: string) =>
    void navigate({ to: '/o/$orgId/contacts', search: { collection: chosen } });
  const showFields = () =>
    void navigate({ to: '/o/$orgId/collections/$collection/fields', params: { collection } });
  const add = useMutation(scope.api.content.createCollection.mutationOptions());
  const edit = useMutation(scope.api.content.updateCollection.mutationOptions());
  const labelOf = ({ collection: name, brand, client }: (typeof people)[number]) =>
    [...new Set([nameOf(name), (brand ?? client)?.name])].filter(Boolean).join(' · ');
  const isDirectus = useDirectus();
  const canDelete =
    list !== undefined &&
    scope.can('delete', 'Content') &&
    !isDirectus &&
    !startingCollections.includes(collection);
  const hasNone = lists !== undefined && people.length === 0;
  const fields = useQuery({ ...fieldsQuery(scope, collection), enabled: isKnown && !hasNone });
  const items = useQuery({
    ...itemsQuery(scope, collection, search, fields.data?.data),
    enabled: fields.data !== undefined,
  });
  if (hasNone)
    return (
      <>
        <PageHeader title={t('contacts')} />
        <EmptyState icon={IconUsers} title={t('noLists.title')} text={t('noLists.body')} />
      </>
    );
  return (
    <>
      <AsyncRegion page query={fields} what={t('person.what')}>
        {({ data }) => (
          <CollectionView
            key={collection}
            collection={collection}
            fields={data}
            items={items}
            search={search}
            Subscription={SubscriptionCell}
            header={(create) => (
              <>
                <PageHeader
                  title={t('contacts')}
                  primary={create}
                  badge={list && <OwnerChip owner={list} />}
                  more={
                    (scope.can('read', 'Consent') ||
                      (['create', 'update', 'delete'] as const).some((action) =>
                        scope.can(action, 'Content'),
                      )) && (
                      <>
                        {scope.can('read', 'Consent') && (
                          <Menu.Item
                            onClick={() =>
                              void navigate({
                                to: '/o/$orgId/suppressions',
                                params: { orgId: scope.orgId },
                                search: {},
                              })
                            }
                          >
                            {t('suppressions')}
                          </Menu.Item>
                        )}
                        {scope.can('read', 'Consent') && (
                          <Menu.Item
                            onClick={() =>
                              void navigate({
                                to: '/o/$orgId/data-requests',
                                params: { orgId: scope.orgId },
                                search: {},
                              })
                            }
                          >
                            {t('dataRequests')}
                          </Menu.Item>
                        )}
                        {scope.can('create', 'Content') && !isDirectus && (
                          <Menu.Item onClick={() => setDialog('new')}>{t('newList')}</Menu.Item>
                        )}
                        {(scope.can('create', 'Content') || scope.can('update', 'Content')) && (
                          <Menu.Item onClick={showFields}>{t('fields')}</Menu.Item>
                        )}
                        {list && scope.can('update', 'Content') && (
                          <Menu.Item onClick={() => setDialog('edit')}>{t('editList')}</Menu.Item>
                        )}
                        {canDelete && (
                          <Menu.Item c="var(--app-danger)" onClick={() => setDeleting(list)}>
                            {t('deleteList.action')}
                          </Menu.Item>
                        )}
                      </>
                    )
                  }
                />
                {names.length > 1 && (
                  <Select
                    mb="md"
                    maw={320}
                    label={t('list')}
                    data={people.map((each) => ({ value: each.collection, label: labelOf(each) }))}
                    value={collection}
                    allowDeselect={false}
                    onChange={(chosen) => chosen !== null && choose(chosen)}
                  />
                )}
                {dialog === 'new' && (
                  <OwnerDrawer
                    title={t('newList')}
                    label={t('listName')}
                    submitLabel={t('newList')}
                    initial={{ name: '', client_id: scope.clientId ?? null, brand_id: null }}
                    onClose={() => setDialog(undefined)}
                    submit={async (values) => {
                      const made = await add.mutateAsync({ organization_id: scope.orgId, ...values });
                      choose(made.collection);
                    }}
                  />
                )}
                {dialog === 'edit' && list && (
                  <OwnerDrawer
                    title={t('editList')}
                    label={t('listName')}
                    submitLabel={t('common:actions.save')}
                    initial={{ ...list, name: nameOf(collection) }}
                    onClose={() => setDialog(undefined)}
                    submit={({ name, ...owner }) =>
                      edit.mutateAsync({
                        organization_id: scope.orgId,
                        collection,
                        ...owner,
                        // A name that the platform translates is not stored as a label.
                        ...(name !== nameOf(collection) && { name }),
                      })
                    }
                  />
                )}
              </>
            )}
          />
        )}
      </AsyncRegion>
      {/* Stays mounted while the page navigates to another list. */}
      {deleting && (
        <CollectionDeletion
          deleted={deleting}
          onClose={() => setDeleting(undefined)}
          leave={() => navigate({ to: '/o/$orgId/contacts', search: {} })}
        />
      )}
    </>
  );
}
