import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AddressList } from '#web/identity/contact-details/address-list.tsx';
import { api, client } from '#web/platform/api.ts';
import { preload } from '#web/platform/preload.ts';
import { MePage } from '#web/identity/account/me-page.tsx';

export const Route = createFileRoute('/me/addresses')({
  loader: () =>
    preload(async () => [(await import('#web/platform/api.ts')).api.me.addresses.list.queryOptions()]),
  component: Addresses,
});

function Addresses() {
  const { t } = useTranslation('account');
  return (
    <MePage title={t('entries.addresses')} note={t('addresses.note')}>
      <AddressList
        query={useQuery(api.me.addresses.list.queryOptions())}
        purpose={t('addresses.purpose')}
        operations={client.me.addresses}
        owner="me"
      />
    </MePage>
  );
}
