import { useMutation } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useClient } from '#web/clients/clients/client-context.ts';
import { ClientSettings } from '#web/clients/clients/client-settings.tsx';
import { useDenialReason } from '#web/identity/organizations/use-denial-reason.ts';

export const Route = createFileRoute('/o/$orgId/clients/$clientId/settings')({ component: Settings });

function Settings() {
  const { t } = useTranslation('clients');
  const record = useClient();
  const { clients } = useOrganization().api;
  const denialReason = useDenialReason();
  const update = useMutation(clients.update.mutationOptions());
  return (
    <ClientSettings
      record={record}
      nameLabel={t('nameClient')}
      denialReason={denialReason('update', 'Client', { client_id: record.id })}
      rename={(name) => update.mutateAsync({ id: record.id, name })}
    />
  );
}
