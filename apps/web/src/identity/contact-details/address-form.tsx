import { Group, TextInput } from '@mantine/core';
import type { Address } from '@reachout/contract/contact-details.ts';
import { useTranslation } from 'react-i18next';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { useServerForm } from '#web/ui/form.tsx';
import { CountrySelect } from './country-select.tsx';

/** What the server takes for an address, the same for people, organizations and clients. */
export interface AddressValues {
  line1: string;
  line2: string | null;
  postal_code: string | null;
  city: string;
  region: string | null;
  country_id: string;
}

interface Props {
  /** The one to change; without it a new one is made. */
  address?: Address;
  /** What a new one starts with. */
  countryId?: string | null;
  submit: (values: AddressValues) => Promise<unknown>;
  onClose: () => void;
}

export function AddressForm({ address, countryId, submit, onClose }: Props) {
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
  const { getInputProps } = form.fields;
  const optional = t('common:optional');
  return (
    <FormDrawer
      opened
      onClose={onClose}
      title={address ? t('address.change') : t('address.add')}
      form={form}
      submitLabel={address ? t('common:actions.save') : t('address.add')}
    >
      <TextInput
        data-autofocus
        label={t('address.line1')}
        maxLength={200}
        autoComplete="address-line1"
        {...getInputProps('line1')}
      />
      <TextInput
        label={`${t('address.line2')} ${optional}`}
        maxLength={200}
        autoComplete="address-line2"
        {...getInputProps('line2')}
      />
      <Group grow preventGrowOverflow={false} align="flex-start">
        <TextInput
          label={`${t('address.postalCode')} ${optional}`}
          maxLength={20}
          autoComplete="postal-code"
          {...getInputProps('postal_code')}
        />
        <TextInput
          label={t('address.city')}
          maxLength={120}
          autoComplete="address-level2"
          {...getInputProps('city')}
        />
      </Group>
      <TextInput
        label={`${t('address.region')} ${optional}`}
        maxLength={120}
        autoComplete="address-level1"
        {...getInputProps('region')}
      />
      <CountrySelect label={t('address.country')} {...getInputProps('country_id')} />
    </FormDrawer>
  );
}
