import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ContactList } from '#web/identity/contact-details/contact-list.tsx';
import { organizationContactTypesQuery } from '#web/identity/contact-details/reference.ts';
import { client } from '#web/platform/api.ts';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { useRefusal } from '#web/identity/organizations/use-refusal.ts';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';

export const Route = createFileRoute('/o/$orgId/settings/contacts')({ component: Contacts });

const operations = client.organizations.contacts;

function Contacts() {
  const { t } = useTranslation('settings');
  const { api, mayEver, orgId: id } = useOrganization();
  const refusal = useRefusal();
  const query = useQuery(api.organizations.contacts.list.queryOptions({ input: { id } }));
  const { data: types = [] } = useQuery(organizationContactTypesQuery);
  return (
    <SettingsPage section="contacts">
      <ContactList
        query={query}
        types={types}
        purpose={t('contacts.purpose')}
        mayEver={mayEver('update', 'Organization')}
        refusal={refusal('update', 'Organization')}
        refresh={() => refreshOrganization(id)}
        operations={{
          create: (values) => operations.create({ id, ...values }),
          update: (contact_id, values) => operations.update({ id, contact_id, ...values }),
          remove: (contact_id) => operations.delete({ id, contact_id }),
          restore: (contact_id) => operations.restore({ id, contact_id }),
        }}
      />
    </SettingsPage>
  );
}
