import type { Address } from '@reachout/contract/contact-details.ts';
import { IconMapPin } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';
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
          header: t('words.city'),
          cell: (address) => [address.postal_code, address.city].filter(Boolean).join(' '),
        },
        { header: t('words.region'), cell: (address) => address.region ?? t('common:none') },
        { header: t('words.country'), cell: (address) => country(address.country_id) },
      ]}
      undo={({ id }) => book.operations.restore({ id })}
      form={(form) => <AddressForm {...form} countryId={countryId} />}
    />
  );
}

/** Server input for an address, the same for users, organizations and clients. */
type AddressValues = Omit<Address, 'id' | 'country' | 'created_at' | 'updated_at'>;

interface AddressFormProps extends DetailsFormProps<Address, AddressValues> {
  /** Default for a new address. */
  countryId: string | null;
}

function AddressForm({ row: address, countryId, submit, drawer }: AddressFormProps) {
  const { t } = useTranslation('contactDetails');
  const form = useRecordForm(boundsOf('clients.addresses.create'), {
    record: address,
    fields: {
      line1: { label: t('address.line1'), autoComplete: 'address-line1' },
      line2: { label: t('address.line2'), autoComplete: 'address-line2' },
      postal_code: { label: t('words.postalCode'), autoComplete: 'postal-code' },
      city: { label: t('words.city'), autoComplete: 'address-level2', isBeside: true },
      region: { label: t('words.region'), autoComplete: 'address-level1' },
      country_id: { label: t('words.country'), input: CountrySelect, initial: countryId },
    },
    save: submit,
  });
  return <RecordDrawer form={form} {...drawer} />;
}
