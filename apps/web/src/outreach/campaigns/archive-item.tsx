import { Menu } from '@mantine/core';
import type { Campaign } from '@reachout/contract/campaigns.ts';
import { campaignCan } from '@reachout/contract/states/campaign.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { notify } from '#web/ui/notify.tsx';

export function ArchiveItem({
  campaign,
  status: { archive, unarchive },
}: {
  campaign: Campaign;
  status: ReturnType<typeof useCampaignStatus>;
}) {
  const { t } = useTranslation(['campaigns', 'common']);
  const { id } = campaign;
  if (campaignCan.reopen(campaign))
    return <Menu.Item onClick={() => unarchive({ id })}>{t('common:actions.unarchive')}</Menu.Item>;
  const canArchive = campaignCan.archive(campaign);
  return (
    <Menu.Item disabled={!canArchive} onClick={() => archive({ id, status: 'archived' })}>
      {t('common:actions.archive')}
      {!canArchive && <span className="beside">{t('archiveLater')}</span>}
    </Menu.Item>
  );
}

/** Mutations to archive and unarchive a campaign. */
export function useCampaignStatus() {
  const { t } = useTranslation(['campaigns', 'common']);
  const { api } = useOrganization();
  const unarchiving = useMutation(
    api.campaigns.unarchive.mutationOptions({ onSuccess: () => notify(t('unarchived')) }),
  );
  const archiving = useMutation(
    api.campaigns.update.mutationOptions({
      onSuccess: ({ id }) =>
        notify(t('archived'), {
          label: t('common:actions.undo'),
          run: () => unarchiving.mutate({ id }),
        }),
    }),
  );
  return {
    archive: archiving.mutate,
    unarchive: unarchiving.mutate,
    error: archiving.error ?? unarchiving.error,
  };
}
