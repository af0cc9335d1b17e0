import { contactDetails } from '#web/i18n/en/contact-details.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import { Anchor } from '@mantine/core';
import type { ContactPerson } from '@reachout/contract/contact-details.ts';
import { IconAddressBook } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ContactDetailsList } from './contact-details-list.tsx';
import type { ContactDetailsOperations, ContactDetailsProps, DetailsFormProps } from './contact-details.ts';

interface Props extends ContactDetailsProps<ContactPerson, ContactDetailsOperations<ContactValues>> {
  /** The contact types, in the sort order of the list. */
  types: readonly { id: string; name: string }[];
}

/** The contact persons of an organization or a client, by type. */
export function ContactList({ types, ...book }: Props) {
  const { t } = useTranslation(['contactDetails', 'common']);
  const typeName = useContactTypeName();
  const place = (contact: ContactPerson) => types.findIndex(({ id }) => id === contact.contact_type_id);
  return (
    <ContactDetailsList<ContactPerson, ContactValues>
      {...book}
      kind="contact"
      icon={IconAddressBook}
      sort={(one, other) => place(one) - place(other) || one.full_name.localeCompare(other.full_name)}
      name={(contact) => contact.full_name}
      first={{ header: t('form.name'), cell: (contact) => contact.full_name }}
      columns={[
        {
          header: t('contact.type'),
          cell: (contact) => typeName({ id: contact.contact_type_id, name: contact.contact_type }),
        },
        {
          header: t('words.email'),
          cell: (contact) =>
            contact.email === null ? (
              t('common:none')
            ) : (
              <Anchor href={`mailto:${contact.email}`} className="break" size="sm">
                {contact.email}
              </Anchor>
            ),
        },
        {
          header: t('words.phone'),
          cell: (contact) =>
            contact.phone === null ? (
              t('common:none')
            ) : (
              <Anchor href={`tel:${contact.phone.replace(/[^\d+]/g, '')}`} size="sm">
                {contact.phone}
              </Anchor>
            ),
        },
      ]}
      undo={({ id }) => book.operations.restore({ id })}
      form={(form) => <ContactForm {...form} types={types} />}
    />
  );
}

/** Server input for a contact person, the same for organizations and clients. */
type ContactValues = Omit<ContactPerson, 'id' | 'contact_type' | 'created_at' | 'updated_at'>;

interface ContactFormProps extends DetailsFormProps<ContactPerson, ContactValues> {
  types: readonly { id: string; name: string }[];
}

function ContactForm({ row: contact, types, submit, drawer }: ContactFormProps) {
  const { t } = useTranslation('contactDetails');
  const typeName = useContactTypeName();
  const form = useRecordForm(boundsOf('clients.contacts.create'), {
    record: contact,
    fields: {
      full_name: { label: t('form.name'), autoComplete: 'off' },
      contact_type_id: {
        label: t('contact.type'),
        isOptional: false,
        initial: types[0]?.id,
        options: types.map((type) => ({ value: type.id, label: typeName(type) })),
      },
      email: { label: t('words.email'), autoComplete: 'off' },
      phone: { label: t('words.phone'), autoComplete: 'off' },
    },
    save: submit,
  });
  return <RecordDrawer form={form} {...drawer} />;
}

type KnownType = keyof typeof contactDetails.contactTypes;
const isKnown = (id: string): id is KnownType => Object.hasOwn(contactDetails.contactTypes, id);

/** @returns a function that translates a contact type; one unknown to this release is shown by its name on the server */
export function useContactTypeName(): (type: { id: string; name: string }) => string {
  const { t } = useTranslation('contactDetails');
  return ({ id, name }) => (isKnown(id) ? t(`contactTypes.${id}`) : name);
}
