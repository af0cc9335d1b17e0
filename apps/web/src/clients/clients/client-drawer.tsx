import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { NameDrawer } from '#web/ui/name-drawer.tsx';

/** Creates a client and opens its page. Mount it to open it. */
export function ClientDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('clients');
  const { api, orgId } = useOrganization();
  const navigate = useNavigate();
  const create = useMutation(
    api.clients.create.mutationOptions({
      onSuccess: ({ id }) => navigate({ to: '/o/$orgId/clients/$clientId', params: { orgId, clientId: id } }),
    }),
  );
  return (
    <NameDrawer
      title={t('new')}
      label={t('nameClient')}
      submitLabel={t('new')}
      done={t('created')}
      onClose={onClose}
      submit={(name) => create.mutateAsync({ organization_id: orgId, name })}
    />
  );
}
