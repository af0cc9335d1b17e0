import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AddressList } from '#web/identity/contact-details/address-list.tsx';
import { client } from '#web/platform/api.ts';
import { useClient } from '#web/clients/clients/client-context.ts';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { useDenialReason } from '#web/identity/organizations/use-denial-reason.ts';

const operations = client.clients.addresses;

const addressesQuery = ({ api }: OrganizationContext, id: string) =>
  api.clients.addresses.list.queryOptions({ input: { id } });

export const Route = createFileRoute('/o/$orgId/clients/$clientId/addresses')({
  loader: ({ context, params }) => context.preload((scope) => [addressesQuery(scope, params.clientId)]),
  component: Addresses,
});

function Addresses() {
  const { t } = useTranslation('clients');
  const scope = useOrganization();
  const { id } = useClient();
  const denialReason = useDenialReason();
  const query = useQuery(addressesQuery(scope, id));
  return (
    <AddressList
      query={query}
      purpose={t('addressesPurpose')}
      canEver={scope.canEver('update', 'Client')}
      denialReason={denialReason('update', 'Client', { client_id: id })}
      owner={scope.orgId}
      operations={{
        create: (values) => operations.create({ id, ...values }),
        update: ({ id: address_id, ...values }) => operations.update({ id, address_id, ...values }),
        delete: ({ id: address_id }) => operations.delete({ id, address_id }),
        restore: ({ id: address_id }) => operations.restore({ id, address_id }),
      }}
    />
  );
}
