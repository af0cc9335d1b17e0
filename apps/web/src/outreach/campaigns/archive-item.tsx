import { Menu } from '@mantine/core';
import type { Campaign } from '@reachout/contract/campaigns.ts';
import { campaignCan } from '@reachout/contract/states/campaign.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { notify } from '#web/ui/notify.tsx';

/** Archives a campaign, or takes it out of the archive. */
export function ArchiveItem({
  campaign,
  setStatus,
}: {
  campaign: Campaign;
  setStatus: ReturnType<typeof useCampaignStatus>['set'];
}) {
  const { t } = useTranslation(['campaigns', 'common']);
  const { id } = campaign;
  if (campaignCan.reopen(campaign))
    return <Menu.Item onClick={() => setStatus({ id, status: 'draft' })}>{t('reopen')}</Menu.Item>;
  const canArchive = campaignCan.archive(campaign);
  return (
    <Menu.Item disabled={!canArchive} onClick={() => setStatus({ id, status: 'archived' })}>
      {t('common:actions.archive')}
      {!canArchive && <span className="beside">{t('archiveLater')}</span>}
    </Menu.Item>
  );
}

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
