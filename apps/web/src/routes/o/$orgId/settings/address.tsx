import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AddressList } from '#web/identity/contact-details/address-list.tsx';
import { client } from '#web/platform/api.ts';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { useRefusal } from '#web/identity/organizations/use-refusal.ts';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';

export const Route = createFileRoute('/o/$orgId/settings/address')({ component: Addresses });

const operations = client.organizations.addresses;

function Addresses() {
  const { t } = useTranslation('settings');
  const { api, mayEver, orgId: id, organization } = useOrganization();
  const refusal = useRefusal();
  const query = useQuery(api.organizations.addresses.list.queryOptions({ input: { id } }));
  return (
    <SettingsPage section="address">
      <AddressList
        query={query}
        purpose={t('address.purpose')}
        mayEver={mayEver('update', 'Organization')}
        refusal={refusal('update', 'Organization')}
        countryId={organization.country_id}
        refresh={() => refreshOrganization(id)}
        operations={{
          create: (values) => operations.create({ id, ...values }),
          update: (address_id, values) => operations.update({ id, address_id, ...values }),
          remove: (address_id) => operations.delete({ id, address_id }),
          restore: (address_id) => operations.restore({ id, address_id }),
        }}
      />
    </SettingsPage>
  );
}
