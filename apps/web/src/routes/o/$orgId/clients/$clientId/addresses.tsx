import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AddressList } from '#web/identity/contact-details/address-list.tsx';
import { client } from '#web/platform/api.ts';
import { useClient } from '#web/clients/clients/client-context.ts';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { useRefusal } from '#web/identity/organizations/use-refusal.ts';
import { refreshOrganization } from '#web/platform/refresh.ts';

export const Route = createFileRoute('/o/$orgId/clients/$clientId/addresses')({ component: Addresses });

const operations = client.clients.addresses;

function Addresses() {
  const { t } = useTranslation('clients');
  const { api, mayEver, orgId } = useOrganization();
  const { id } = useClient();
  const refusal = useRefusal();
  const query = useQuery(api.clients.addresses.list.queryOptions({ input: { id } }));
  return (
    <AddressList
      query={query}
      purpose={t('addressesPurpose')}
      mayEver={mayEver('update', 'Client')}
      refusal={refusal('update', 'Client', { client_id: id })}
      refresh={() => refreshOrganization(orgId)}
      operations={{
        create: (values) => operations.create({ id, ...values }),
        update: (address_id, values) => operations.update({ id, address_id, ...values }),
        remove: (address_id) => operations.delete({ id, address_id }),
        restore: (address_id) => operations.restore({ id, address_id }),
      }}
    />
  );
}
