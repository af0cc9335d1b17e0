import { contactDetails } from '#web/i18n/en/contact-details.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { Anchor, Select, TextInput } from '@mantine/core';
import type { ContactPerson } from '@reachout/contract/contact-details.ts';
import { isEmail, isPhone } from '@reachout/contract/rules/addresses.ts';
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

/** Server input for a contact person, the same for organizations and clients. */
interface ContactValues {
  contact_type_id: string;
  full_name: string;
  email: string | null;
  phone: string | null;
}

interface ContactFormProps extends DetailsFormProps<ContactPerson, ContactValues> {
  types: readonly { id: string; name: string }[];
}

function ContactForm({ row: contact, types, submit, drawer }: ContactFormProps) {
  const { t } = useTranslation(['contactDetails', 'common']);
  const typeName = useContactTypeName();
  const checkName = useNameCheck();
  const form = useServerForm<{ [K in keyof ContactValues]: string }>({
    initial: {
      contact_type_id: contact?.contact_type_id ?? types[0]?.id ?? '',
      full_name: contact?.full_name ?? '',
      email: contact?.email ?? '',
      phone: contact?.phone ?? '',
    },
    limits: { email: 254, phone: 40 },
    checks: {
      contact_type_id: (value) => (value ? null : t('common:form.required')),
      full_name: checkName,
      email: (value) => (value.trim() === '' || isEmail(value) ? null : t('common:form.email')),
      phone: (value) => (value.trim() === '' || isPhone(value) ? null : t('contact.phoneCheck')),
    },
    submit: (values) =>
      submit({
        contact_type_id: values.contact_type_id,
        full_name: values.full_name.trim(),
        email: values.email.trim() || null,
        phone: values.phone.trim() || null,
      }),
  });
  const text = (name: keyof ContactValues) => ({
    autoComplete: 'off',
    ...form.fields.getInputProps(name),
  });
  const optional = t('common:optional');
  return (
    <FormDrawer {...drawer} form={form}>
      <TextInput data-autofocus label={t('contact.name')} {...text('full_name')} />
      <Select
        label={t('contact.type')}
        allowDeselect={false}
        data={types.map((type) => ({ value: type.id, label: typeName(type) }))}
        {...form.fields.getInputProps('contact_type_id')}
      />
      <TextInput type="email" label={`${t('contact.email')} ${optional}`} {...text('email')} />
      <TextInput type="tel" label={`${t('contact.phone')} ${optional}`} {...text('phone')} />
    </FormDrawer>
  );
}

type KnownType = keyof typeof contactDetails.contactTypes;
const isKnown = (id: string): id is KnownType => Object.hasOwn(contactDetails.contactTypes, id);

/** @returns a function that translates a contact type; one unknown to this release is shown by its name on the server */
export function useContactTypeName(): (type: { id: string; name: string }) => string {
  const { t } = useTranslation('contactDetails');
  return ({ id, name }) => (isKnown(id) ? t(`contactTypes.${id}`) : name);
}
