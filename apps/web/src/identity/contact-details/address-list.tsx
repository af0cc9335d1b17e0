import type { Address } from '@reachout/contract/contact-details.ts';
import { IconMapPin } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { AddressForm, type AddressValues } from './address-form.tsx';
import { ContactDetailsList } from './contact-details-list.tsx';
import type { ContactDetailsOperations, ContactDetailsProps } from './contact-details.ts';
import { countryNames } from './country-name.ts';

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
