import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SocialList } from '#web/identity/contact-details/social-list.tsx';
import { client } from '#web/platform/api.ts';
import { useClient } from '#web/clients/clients/client-context.ts';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { useDenialReason } from '#web/identity/organizations/use-denial-reason.ts';

const operations = client.clients.socials;

const socialsQuery = ({ api }: OrganizationContext, id: string) =>
  api.clients.socials.list.queryOptions({ input: { id } });

export const Route = createFileRoute('/o/$orgId/clients/$clientId/socials')({
  loader: ({ context, params }) => context.preload((scope) => [socialsQuery(scope, params.clientId)]),
  component: Socials,
});

function Socials() {
  const { t } = useTranslation('clients');
  const scope = useOrganization();
  const { id } = useClient();
  const denialReason = useDenialReason();
  const query = useQuery(socialsQuery(scope, id));
  return (
    <SocialList
      query={query}
      purpose={t('socialsPurpose')}
      canEver={scope.canEver('update', 'Client')}
      denialReason={denialReason('update', 'Client', { client_id: id })}
      owner={scope.orgId}
      operations={{
        create: (values) => operations.create({ id, ...values }),
        update: ({ id: social_id, ...values }) => operations.update({ id, social_id, ...values }),
        delete: ({ id: social_id }) => operations.delete({ id, social_id }),
      }}
    />
  );
}
