import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ContactList } from '#web/identity/contact-details/contact-list.tsx';
import { organizationContactTypesQuery } from '#web/identity/contact-details/reference.ts';
import { client } from '#web/platform/api.ts';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { useDenialReason } from '#web/identity/organizations/use-denial-reason.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';

const operations = client.organizations.contacts;

const contactsQuery = ({ api, orgId: id }: OrganizationContext) =>
  api.organizations.contacts.list.queryOptions({ input: { id } });

export const Route = createFileRoute('/o/$orgId/settings/contacts')({
  loader: ({ context }) =>
    context.preload((scope) => [scope.can('read', 'Organization') && contactsQuery(scope)]),
  component: Contacts,
});

function Contacts() {
  const { t } = useTranslation('settings');
  const scope = useOrganization();
  const { canEver, orgId: id } = scope;
  const denialReason = useDenialReason();
  const query = useQuery(contactsQuery(scope));
  const { data: types = [] } = useQuery(organizationContactTypesQuery);
  return (
    <SettingsPage section="contacts">
      <ContactList
        query={query}
        types={types}
        purpose={t('contacts.purpose')}
        canEver={canEver('update', 'Organization')}
        denialReason={denialReason('update', 'Organization')}
        owner={id}
        operations={{
          create: (values) => operations.create({ id, ...values }),
          update: ({ id: contact_id, ...values }) => operations.update({ id, contact_id, ...values }),
          delete: ({ id: contact_id }) => operations.delete({ id, contact_id }),
          restore: ({ id: contact_id }) => operations.restore({ id, contact_id }),
        }}
      />
    </SettingsPage>
  );
}
