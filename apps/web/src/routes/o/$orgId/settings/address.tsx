import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AddressList } from '#web/identity/contact-details/address-list.tsx';
import { client } from '#web/platform/api.ts';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { useDenialReason } from '#web/identity/organizations/use-denial-reason.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';

const operations = client.organizations.addresses;

const addressesQuery = ({ api, orgId: id }: OrganizationContext) =>
  api.organizations.addresses.list.queryOptions({ input: { id } });

export const Route = createFileRoute('/o/$orgId/settings/address')({
  loader: ({ context }) =>
    context.preload((scope) => [scope.can('read', 'Organization') && addressesQuery(scope)]),
  component: Addresses,
});

function Addresses() {
  const { t } = useTranslation('settings');
  const scope = useOrganization();
  const { canEver, orgId: id, organization } = scope;
  const denialReason = useDenialReason();
  const query = useQuery(addressesQuery(scope));
  return (
    <SettingsPage section="address">
      <AddressList
        query={query}
        purpose={t('address.purpose')}
        canEver={canEver('update', 'Organization')}
        denialReason={denialReason('update', 'Organization')}
        countryId={organization.country_id}
        owner={id}
        operations={{
          create: (values) => operations.create({ id, ...values }),
          update: ({ id: address_id, ...values }) => operations.update({ id, address_id, ...values }),
          delete: ({ id: address_id }) => operations.delete({ id, address_id }),
          restore: ({ id: address_id }) => operations.restore({ id, address_id }),
        }}
      />
    </SettingsPage>
  );
}
