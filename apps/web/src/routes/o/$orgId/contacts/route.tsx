import { Select } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Outlet, useParams } from '@tanstack/react-router';
import { loadContactTexts, loadTouchpointTexts } from '#web/i18n/i18n.ts';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { CollectionView } from '#web/content/collections/collection-view.tsx';
import { collectionsQuery, fieldsQuery, itemsQuery } from '#web/content/collections/item-queries.ts';
import {
  contactCollection,
  firstContacts,
  readContactsSearch,
} from '#web/content/collections/contact-search.ts';
import { useCloseContact } from '#web/content/collections/use-close-contact.ts';
import { OwnerChip } from '#web/content/owners/owner-chip.tsx';
import { useContactListActions } from '#web/contacts/people/contact-list-actions.tsx';
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
  const { t } = useTranslation('collections');
  const nameOf = useCollectionName();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const scope = useOrganization();
  const all = useQuery(collectionsQuery(scope));
  const people = all.data?.items.filter((list) => list.has_contacts) ?? [];
  const collection =
    search.collection ?? (isOpen ? contactCollection : firstContacts(people, scope.clientId));
  const isKnown = search.collection !== undefined || isOpen || !all.isPending;
  const list = people.find((each) => each.collection === collection);
  const { items: more, dialog } = useContactListActions(collection, list);
  const hasNone = all.data !== undefined && people.length === 0;
  const fields = useQuery({ ...fieldsQuery(scope, collection), enabled: isKnown && !hasNone });
  const items = useQuery({
    ...itemsQuery(scope, collection, search, fields.data?.data),
    enabled: fields.data !== undefined,
  });
  if (hasNone)
    return (
      <>
        <PageHeader title={t('words.contacts')} />
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
                  title={t('words.contacts')}
                  primary={create}
                  badge={list && <OwnerChip owner={list} />}
                  more={more}
                />
                {people.length > 1 && (
                  <Select
                    mb="md"
                    maw={320}
                    label={t('list')}
                    data={people.map(({ collection: value, brand, client }) => ({
                      value,
                      label: [...new Set([nameOf(value), (brand ?? client)?.name])]
                        .filter(Boolean)
                        .join(' · '),
                    }))}
                    value={collection}
                    allowDeselect={false}
                    onChange={(chosen) =>
                      chosen !== null &&
                      void navigate({ to: '/o/$orgId/contacts', search: { collection: chosen } })
                    }
                  />
                )}
              </>
            )}
          />
        )}
      </AsyncRegion>
      {dialog}
    </>
  );
}
