import { Button, Stack } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, linkOptions } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadContactTexts, loadTouchpointTexts } from '#web/i18n/i18n.ts';
import { ItemForm } from '#web/content/collections/item-form.tsx';
import { ItemDeletion } from '#web/content/collections/item-deletion.tsx';
import { fieldsQuery } from '#web/content/collections/item-queries.ts';
import { ContactSignUps } from '#web/content/sign-ups/contact-sign-ups.tsx';
import { SubscriptionPanel } from '#web/content/consent/subscription-panel.tsx';
import { ContactDetails } from '#web/content/contacts/contact-details.tsx';
import { contactName } from '#web/content/contacts/contact-name.ts';
import { ContactNotes } from '#web/content/contacts/contact-notes.tsx';
import { contactQuery } from '#web/content/contacts/contact-queries.ts';
import { contactCollection, readContactSearch } from '#web/content/contacts/contact-search.ts';
import { useItemSharing } from '#web/content/shares/share-item.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ContactTimeline } from '#web/insight/timeline/contact-timeline.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DeleteItem } from '#web/ui/row-menu.tsx';
import { CardSkeleton, ColumnsSkeleton } from '#web/ui/page-skeletons.tsx';
import { RecordSkeleton } from '#web/ui/skeletons.tsx';
import { valueText } from '#web/ui/value-text.ts';
import columns from '#web/ui/two-columns.module.css';

export const Route = createFileRoute('/o/$orgId/contacts/$contactId')({
  beforeLoad: async () => {
    await Promise.all([loadContactTexts(), loadTouchpointTexts()]);
  },
  validateSearch: readContactSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params: { contactId }, deps: { collection = contactCollection } }) =>
    context.preload((scope) => [fieldsQuery(scope, collection), contactQuery(scope, collection, contactId)]),
  component: ContactPage,
});

function ContactPage() {
  const { t } = useTranslation('collections');
  const { contactId } = Route.useParams();
  const { collection = contactCollection } = Route.useSearch();
  const scope = useOrganization();
  const fields = useQuery(fieldsQuery(scope, collection));
  const contact = useQuery(contactQuery(scope, collection, contactId));
  return (
    <AsyncRegion page query={contact} what={t('contact.what')} skeleton={<ContactSkeleton />}>
      {({ data: item }) => (
        <AsyncRegion page query={fields} what={t('contact.what')} skeleton={<ContactSkeleton />}>
          {({ data }) => <Contact collection={collection} fields={data.filter(isOwn)} item={item} />}
        </AsyncRegion>
      )}
    </AsyncRegion>
  );
}

const isOwn = ({ field, hidden, readonly }: Field) => !hidden && !readonly && field !== 'id';

function Contact({ collection, fields, item }: { collection: string; fields: Field[]; item: Item }) {
  const { t } = useTranslation('collections');
  const { orgId, can } = useOrganization();
  const navigate = Route.useNavigate();
  const [isEditing, setEditing] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const sharing = useItemSharing(collection);
  const key = valueText(item['id']);
  const name = contactName(item);
  const address = valueText(item['email']);
  const search = { collection };
  const share = sharing.menuItem({ key, name });
  const place = { collection, contactKey: key };
  return (
    <>
      <PageHeader
        title={name}
        section={t('contacts')}
        crumbs={linkOptions([{ to: '/o/$orgId/contacts', params: { orgId }, search, label: t('contacts') }])}
        note={name === address ? undefined : address}
        primary={
          can('update', 'Content') && (
            <Button leftSection={<IconPencil size={16} stroke={1.75} />} onClick={() => setEditing(true)}>
              {t('person.edit')}
            </Button>
          )
        }
        more={
          (share || can('delete', 'Content')) && (
            <>
              {share}
              {can('delete', 'Content') && <DeleteItem onClick={() => setDeleting(true)} />}
            </>
          )
        }
      />
      <div className={columns.columns}>
        <Stack gap="md" miw={0}>
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
          onDeleted={() => void navigate({ to: '/o/$orgId/contacts', params: { orgId }, search })}
        />
      )}
    </>
  );
}

function ContactSkeleton() {
  return (
    <RecordSkeleton>
      <ColumnsSkeleton
        main={<CardSkeleton lines={8} />}
        beside={
          <>
            <CardSkeleton lines={5} />
            <CardSkeleton lines={2} />
          </>
        }
      />
    </RecordSkeleton>
  );
}
