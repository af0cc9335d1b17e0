import { Anchor } from '@mantine/core';
import type { ContactPerson } from '@reachout/contract/contact-details.ts';
import { IconAddressBook } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ContactDetailsList } from './contact-details-list.tsx';
import type { ContactDetailsOperations, ContactDetailsProps } from './contact-details.ts';
import { ContactForm, type ContactValues } from './contact-form.tsx';
import { useContactTypeName } from './use-contact-type-name.ts';

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
      first={{ header: t('contact.name'), cell: (contact) => contact.full_name }}
      columns={[
        {
          header: t('contact.type'),
          cell: (contact) => typeName({ id: contact.contact_type_id, name: contact.contact_type }),
        },
        {
          header: t('contact.email'),
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
          header: t('contact.phone'),
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
