import { Group, TextInput } from '@mantine/core';
import type { Address } from '@reachout/contract/contact-details.ts';
import { IconMapPin } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { ContactDetailsList } from './contact-details-list.tsx';
import type { ContactDetailsOperations, ContactDetailsProps, DetailsFormProps } from './contact-details.ts';
import { countryNames } from './country-name.ts';
import { CountrySelect } from './country-select.tsx';

interface Props extends ContactDetailsProps<Address, ContactDetailsOperations<AddressValues>> {
  /** Default country of a new address. */
  countryId?: string | null;
}

/** The addresses of a user, an organization or a client. */
export function AddressList({ countryId = null, ...book }: Props) {
  const { t, i18n } = useTranslation(['contactDetails', 'common']);
  const country = countryNames(i18n.language);
  return (
    <ContactDetailsList<Address, AddressValues>
      {...book}
      kind="address"
      icon={IconMapPin}
      name={(address) => address.line1}
      first={{
        header: t('address.line1'),
        cell: (address) => [address.line1, address.line2].filter(Boolean).join(', '),
      }}
      columns={[
        {
          header: t('address.city'),
          cell: (address) => [address.postal_code, address.city].filter(Boolean).join(' '),
        },
        { header: t('address.region'), cell: (address) => address.region ?? t('common:none') },
        { header: t('address.country'), cell: (address) => country(address.country_id) },
      ]}
      undo={({ id }) => book.operations.restore({ id })}
      form={(form) => <AddressForm {...form} countryId={countryId} />}
    />
  );
}

/** Server input for an address, the same for users, organizations and clients. */
interface AddressValues {
  line1: string;
  line2: string | null;
  postal_code: string | null;
  city: string;
  region: string | null;
  country_id: string;
}

interface AddressFormProps extends DetailsFormProps<Address, AddressValues> {
  /** Default for a new address. */
  countryId: string | null;
}

function AddressForm({ row: address, countryId, submit, drawer }: AddressFormProps) {
  const { t } = useTranslation(['contactDetails', 'common']);
  const required = (value: string | null) => (value?.trim() ? null : t('common:form.required'));
  const form = useServerForm<{ [K in keyof AddressValues]: string }>({
    initial: {
      line1: address?.line1 ?? '',
      line2: address?.line2 ?? '',
      postal_code: address?.postal_code ?? '',
      city: address?.city ?? '',
      region: address?.region ?? '',
      country_id: address?.country_id ?? countryId ?? '',
    },
    limits: { line1: 200, line2: 200, postal_code: 20, city: 120, region: 120 },
    checks: { line1: required, city: required, country_id: required },
    submit: (values) =>
      submit({
        line1: values.line1.trim(),
        line2: values.line2.trim() || null,
        postal_code: values.postal_code.trim() || null,
        city: values.city.trim(),
        region: values.region.trim() || null,
        country_id: values.country_id,
      }),
  });
  const text = (name: keyof AddressValues, autoComplete: string) => ({
    autoComplete,
    ...form.fields.getInputProps(name),
  });
  const optional = t('common:optional');
  return (
    <FormDrawer {...drawer} form={form}>
      <TextInput data-autofocus label={t('address.line1')} {...text('line1', 'address-line1')} />
      <TextInput label={`${t('address.line2')} ${optional}`} {...text('line2', 'address-line2')} />
      <Group grow preventGrowOverflow={false} align="flex-start">
        <TextInput label={`${t('address.postalCode')} ${optional}`} {...text('postal_code', 'postal-code')} />
        <TextInput label={t('address.city')} {...text('city', 'address-level2')} />
      </Group>
      <TextInput label={`${t('address.region')} ${optional}`} {...text('region', 'address-level1')} />
      <CountrySelect label={t('address.country')} {...form.fields.getInputProps('country_id')} />
    </FormDrawer>
  );
}
