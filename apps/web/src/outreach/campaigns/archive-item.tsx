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
  status,
}: {
  campaign: Campaign;
  status: ReturnType<typeof useCampaignStatus>;
}) {
  const { t } = useTranslation(['campaigns', 'common']);
  if (campaignCan.reopen(campaign))
    return <Menu.Item onClick={() => status.reopen(campaign)}>{t('reopen')}</Menu.Item>;
  const canArchive = campaignCan.archive(campaign);
  return (
    <Menu.Item disabled={!canArchive} onClick={() => status.archive(campaign)}>
      {t('common:actions.archive')}
      {!canArchive && <span className="beside">{t('archiveLater')}</span>}
    </Menu.Item>
  );
}

/** Archives a campaign, or opens it again. */
export function useCampaignStatus() {
  const { t } = useTranslation(['campaigns', 'common']);
  const { api } = useOrganization();
  const { mutateAsync, error } = useMutation(api.campaigns.update.mutationOptions());
  // A failure is shown where the mutation's error is.
  const set = (campaign: Campaign, status: 'archived' | 'draft', onDone: () => void) =>
    void mutateAsync({ id: campaign.id, status }).then(onDone, () => undefined);
  const reopen = (campaign: Campaign) => set(campaign, 'draft', () => notify(t('reopened')));
  const archive = (campaign: Campaign) =>
    set(campaign, 'archived', () =>
      // What was no draft comes back as one: that is no undoing.
      campaign.status === 'draft'
        ? notify(t('archived'), { label: t('common:actions.undo'), run: () => reopen(campaign) })
        : notify(t('archived')),
    );
  return { archive, reopen, error };
}
