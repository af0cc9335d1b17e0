import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { clientContactTypesQuery } from '#web/identity/contact-details/reference.ts';
import { ContactList } from '#web/identity/contact-details/contact-list.tsx';
import { client } from '#web/platform/api.ts';
import { useClient } from '#web/clients/clients/client-context.ts';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { useDenialReason } from '#web/identity/organizations/use-denial-reason.ts';

const operations = client.clients.contacts;

const contactsQuery = ({ api }: OrganizationContext, id: string) =>
  api.clients.contacts.list.queryOptions({ input: { id } });

export const Route = createFileRoute('/o/$orgId/clients/$clientId/contacts')({
  loader: ({ context, params }) => context.preload((scope) => [contactsQuery(scope, params.clientId)]),
  component: Contacts,
});

function Contacts() {
  const { t } = useTranslation('clients');
  const scope = useOrganization();
  const { id } = useClient();
  const denialReason = useDenialReason();
  const query = useQuery(contactsQuery(scope, id));
  const { data: types = [] } = useQuery(clientContactTypesQuery);
  return (
    <ContactList
      query={query}
      types={types}
      purpose={t('contactsPurpose')}
      canEver={scope.canEver('update', 'Client')}
      denialReason={denialReason('update', 'Client', { client_id: id })}
      owner={scope.orgId}
      operations={{
        create: (values) => operations.create({ id, ...values }),
        update: ({ id: contact_id, ...values }) => operations.update({ id, contact_id, ...values }),
        delete: ({ id: contact_id }) => operations.delete({ id, contact_id }),
        restore: ({ id: contact_id }) => operations.restore({ id, contact_id }),
      }}
    />
  );
}
