// By hand: the menu of one record.
import { Button, CloseButton, Group, Stack, Text, Title } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, linkOptions } from '@tanstack/react-router';
import { useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ItemForm } from '#web/content/collections/item-form.tsx';
import { ItemDeletion } from '#web/content/collections/item-deletion.tsx';
import { fieldsQuery, itemsQuery } from '#web/content/collections/item-queries.ts';
import { ContactSignUps } from '#web/contacts/sign-ups/contact-sign-ups.tsx';
import { SubscriptionPanel } from '#web/contacts/consent/subscription-panel.tsx';
import { ContactDetails } from '#web/contacts/people/contact-details.tsx';
import { contactName } from '#web/contacts/people/contact-name.ts';
import { ContactNotes } from '#web/contacts/people/contact-notes.tsx';
import { contactQuery } from '#web/contacts/people/contact-queries.ts';
import { contactCollection, withoutContact } from '#web/content/collections/contact-search.ts';
import { useCloseContact } from '#web/content/collections/use-close-contact.ts';
import { useItemSharing } from '#web/content/shares/share-item.tsx';
import { useRoomBeside } from '#web/identity/account/list-beside.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ContactTimeline } from '#web/insight/timeline/contact-timeline.tsx';
import { loadEventGraphTexts } from '#web/i18n/i18n.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { LinkButton } from '#web/platform/links.tsx';
import { roomBeside } from '#web/platform/room-beside.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DeleteItem, RowMenu } from '#web/ui/row-menu.tsx';
import { CardSkeleton, ColumnsSkeleton } from '#web/ui/page-skeletons.tsx';
import { RecordSkeleton } from '#web/ui/skeletons.tsx';
import { QuietText } from '#web/ui/text.ts';
import { valueText } from '#web/ui/value-text.ts';
import columns from '#web/ui/two-columns.module.css';

const ContactReactions = lazyPart(() => import('#web/delivery/graph/contact-reactions.tsx'), {
  texts: loadEventGraphTexts,
});

export const Route = createFileRoute('/o/$orgId/contacts/$contactId')({
  loaderDeps: ({ search: { collection = contactCollection, beside } }) => ({ collection, beside }),
  loader: ({ context, params: { contactId }, deps: { collection, beside } }) =>
    context.preload((scope) => [
      fieldsQuery(scope, collection),
      !(beside && matchMedia(roomBeside).matches) && contactQuery(scope, collection, contactId),
    ]),
  component: ContactPage,
});

function ContactPage() {
  const { contactId } = Route.useParams();
  // What is typed for one contact must not be kept for the next.
  return <OpenContact key={contactId} contactId={contactId} />;
}

/** A contact on its page, or beside its list. It is requested only if the list beside it does not have it. */
function OpenContact({ contactId }: { contactId: string }) {
  const { t } = useTranslation(['collections', 'common']);
  const search = Route.useSearch();
  const { collection = contactCollection } = search;
  const isBeside = useRoomBeside() && search.beside === true;
  const close = useCloseContact();
  const scope = useOrganization();
  const fields = useQuery(fieldsQuery(scope, collection));
  const list = useQuery({
    ...itemsQuery(scope, collection, search, fields.data?.data),
    enabled: isBeside && fields.data !== undefined,
  });
  const listed = list.data?.items.find((item) => valueText(item['id']) === contactId);
  const contact = useQuery({
    ...contactQuery(scope, collection, contactId),
    enabled: listed === undefined && !(isBeside && list.isPending),
    // It stays, even if the list changes meanwhile.
    ...(listed && { initialData: { data: listed }, initialDataUpdatedAt: list.dataUpdatedAt }),
  });
  const states = {
    page: !isBeside,
    what: t('contact.what'),
    skeleton: isBeside ? <CardSkeleton lines={5} /> : contactSkeleton,
  };
  return (
    <section aria-label={isBeside ? t('contact.title') : undefined}>
      {isBeside && (
        <Group justify="space-between" mb="xs">
          <QuietText aria-hidden>{t('contact.title')}</QuietText>
          <CloseButton aria-label={t('common:actions.close')} onClick={() => close()} />
        </Group>
      )}
      {/* Outside, because a list without fields is not requested, and the contact waits for it. */}
      <AsyncRegion {...states} query={fields}>
        {({ data }) => (
          <AsyncRegion {...states} query={contact}>
            {(read) => (
              <Contact
                collection={collection}
                fields={data.filter(isOwn)}
                item={listed ?? read.data}
                isBeside={isBeside}
              />
            )}
          </AsyncRegion>
        )}
      </AsyncRegion>
    </section>
  );
}

const isOwn = ({ field, hidden, readonly }: Field) => !hidden && !readonly && field !== 'id';

interface ContactProps {
  collection: string;
  fields: Field[];
  item: Item;
  isBeside: boolean;
}

function Contact({ collection, fields, item, isBeside }: ContactProps) {
  const { t } = useTranslation('collections');
  const { orgId, can } = useOrganization();
  const close = useCloseContact();
  const list = withoutContact(Route.useSearch());
  const [isEditing, setEditing] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const sharing = useItemSharing(collection);
  const key = valueText(item['id']);
  const name = contactName(item);
  const address = valueText(item['email']);
  const share = sharing.menuItem({ key, name });
  const place = { collection, contactKey: key };
  const note = name === address ? undefined : address;
  const edit = can('update', 'Content') && (
    <Button
      {...(isBeside ? { size: 'xs' } : { variant: 'filled' })}
      leftSection={<IconPencil size={16} />}
      onClick={() => setEditing(true)}
    >
      {t('person.edit')}
    </Button>
  );
  const more = (share || can('delete', 'Content')) && (
    <>
      {share}
      {can('delete', 'Content') && <DeleteItem onClick={() => setDeleting(true)} />}
    </>
  );
  return (
    <>
      {isBeside ? (
        <Stack gap="xs" mb="md">
          <div className="break">
            <Title order={2}>{name}</Title>
            <TabTitle name={name} />
            {note && <Text c="dimmed">{note}</Text>}
          </div>
          <Group gap="xs">
            {edit}
            <LinkButton
              size="xs"
              to="/o/$orgId/contacts/$contactId"
              params={{ orgId, contactId: key }}
              search={list}
            >
              {t('contact.page')}
            </LinkButton>
            {more && <RowMenu name={name}>{more}</RowMenu>}
          </Group>
        </Stack>
      ) : (
        <PageHeader
          title={name}
          section={t('words.contacts')}
          crumbs={linkOptions([
            { to: '/o/$orgId/contacts', params: { orgId }, search: list, label: t('words.contacts') },
          ])}
          note={note}
          primary={edit}
          more={more}
        />
      )}
      <div className={columns.columns} data-narrow={isBeside || undefined}>
        <Stack gap="md" miw={0}>
          {can('read', 'Touchpoint') && <ContactReactions {...place} />}
          {can('read', 'Statistics') && <ContactTimeline {...place} />}
        </Stack>
        <Stack gap="md" miw={0}>
          <ContactDetails fields={fields} item={item} />
          {can('read', 'Consent') && <SubscriptionPanel {...place} />}
          {can('read', 'Consent') && <ContactSignUps {...place} />}
          {/* Notes belong to no client: users limited to some clients cannot see them. */}
          {can('read', 'Consent', {}) && <ContactNotes {...place} />}
        </Stack>
      </div>
      {isEditing && (
        <ItemForm collection={collection} fields={fields} item={item} onClose={() => setEditing(false)} />
      )}
      {sharing.drawer}
      {isDeleting && (
        <ItemDeletion
          collection={collection}
          hasContacts
          item={item}
          onClose={() => setDeleting(false)}
          onDeleted={() => close({ ignoreBlocker: true, resetScroll: !isBeside })}
        />
      )}
    </>
  );
}

/** Names the document after the contact while it is beside its list, whose header has named it. */
function TabTitle({ name }: { name: string }) {
  const { t } = useTranslation('collections');
  const { organization } = useOrganization();
  const titleOfList = [t('words.contacts'), organization.name].join(' · ');
  const title = `${name} · ${titleOfList}`;
  // Before the header of a page that replaces the list, or the contact's own one, sets its title.
  useLayoutEffect(() => {
    document.title = title;
    return () => {
      document.title = titleOfList;
    };
  }, [title, titleOfList]);
  return null;
}

const contactSkeleton = (
  <RecordSkeleton>
    <ColumnsSkeleton main={[8]} beside={[5, 2]} />
  </RecordSkeleton>
);
