import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SocialList } from '#web/identity/contact-details/social-list.tsx';
import { client } from '#web/platform/api.ts';
import { useClient } from '#web/clients/clients/client-context.ts';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { useRefusal } from '#web/identity/organizations/use-refusal.ts';
import { refreshOrganization } from '#web/platform/refresh.ts';

export const Route = createFileRoute('/o/$orgId/clients/$clientId/socials')({ component: Socials });

const operations = client.clients.socials;

function Socials() {
  const { t } = useTranslation('clients');
  const { api, mayEver, orgId } = useOrganization();
  const { id } = useClient();
  const refusal = useRefusal();
  const query = useQuery(api.clients.socials.list.queryOptions({ input: { id } }));
  return (
    <SocialList
      query={query}
      purpose={t('socialsPurpose')}
      mayEver={mayEver('update', 'Client')}
      refusal={refusal('update', 'Client', { client_id: id })}
      refresh={() => refreshOrganization(orgId)}
      operations={{
        create: (values) => operations.create({ id, ...values }),
        update: (social_id, values) => operations.update({ id, social_id, ...values }),
        remove: (social_id) => operations.delete({ id, social_id }),
      }}
    />
  );
}
