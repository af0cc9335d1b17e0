import { Select, TextInput } from '@mantine/core';
import type { ContactPerson } from '@reachout/contract/contact-details.ts';
import { useTranslation } from 'react-i18next';
import { isEmail, isPhone } from '@reachout/contract/rules/addresses.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import type { DetailsFormProps } from './contact-details.ts';
import { useContactTypeName } from './use-contact-type-name.ts';

/** Server input for a contact person, the same for organizations and clients. */
export interface ContactValues {
  contact_type_id: string;
  full_name: string;
  email: string | null;
  phone: string | null;
}

interface Props extends DetailsFormProps<ContactPerson, ContactValues> {
  types: readonly { id: string; name: string }[];
}

export function ContactForm({ row: contact, types, submit, drawer }: Props) {
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
