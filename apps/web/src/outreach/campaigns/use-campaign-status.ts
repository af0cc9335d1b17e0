import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { notify } from '#web/ui/notify.tsx';

/** Archives a campaign, or opens it again. */
export function useCampaignStatus() {
  const { t } = useTranslation('campaigns');
  const { api } = useOrganization();
  const { mutate: set, error } = useMutation(
    api.campaigns.update.mutationOptions({
      onSuccess: ({ status }) => notify(t(status === 'archived' ? 'archived' : 'reopened')),
    }),
  );
  return { set, error };
}
