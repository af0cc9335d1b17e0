import { Group, Menu } from '@mantine/core';
import type { Campaign } from '@reachout/contract/campaigns.ts';
import { campaignCan } from '@reachout/contract/states/campaign.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BrandChip } from '#web/clients/brands/brand-chip.tsx';
import { BrandEdge } from '#web/clients/brands/brand-edge.tsx';
import { CalendarItem } from '#web/clients/clients/calendar-item.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { recordPages } from '#web/identity/lists/record-pages.ts';
import { NameDrawer } from '#web/ui/name-drawer.tsx';
import { NewEmailButton } from '#web/outreach/new-email/new-email-button.tsx';
import { usePauseAll } from '#web/outreach/touchpoints/use-pause-all.tsx';
import { DeleteItem, DuplicateItem } from '#web/ui/row-menu.tsx';
import { useDuplicate } from '#web/ui/use-duplicate.ts';
import { ActionError } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { notify, notifyOf } from '#web/ui/notify.tsx';

interface Props {
  campaign: Campaign;
  onAdd: () => void;
  onDelete: () => void;
}

/** Name, parents and actions of a campaign. */
export function CampaignHeader({ campaign, onAdd, onDelete }: Props) {
  const { t } = useTranslation(['campaigns', 'problems']);
  const { api, orgId, can } = useOrganization();
  const status = useCampaignStatus();
  const [renaming, setRenaming] = useState(false);
  const navigate = useNavigate();
  const duplicate = useDuplicate(api.campaigns.duplicate.mutationOptions(), ({ id }) =>
    navigate({ to: '/o/$orgId/campaigns/$campaignId', params: { orgId, campaignId: id } }),
  );
  const { brand } = campaign;
  const isUnderWay = campaign.status === 'running' || campaign.status === 'paused';
  const pauseAll = usePauseAll('campaign', {
    id: campaign.id,
    canPause: isUnderWay || campaign.status === 'scheduled',
    canResume: isUnderWay,
  });
  return (
    <>
      <BrandEdge color={brand.color} />
      <PageHeader
        title={campaign.name}
        section={t('words.campaigns')}
        crumbs={[
          { ...recordPages.client(orgId, brand.client.id), label: brand.client.name },
          { ...recordPages.brand(orgId, brand.id), label: brand.name },
        ]}
        badge={<StatusBadge status={campaign.status} />}
        note={<BrandChip brand={brand} client={brand.client.name} />}
        primary={
          <Group gap="xs">
            <CreateButton
              variant="default"
              permission={['create', 'Touchpoint']}
              reason={campaignCan.addTouchpoint(campaign) ? undefined : t('problems:code.campaign_archived')}
              onClick={onAdd}
            >
              {t('addTouchpoint')}
            </CreateButton>
            {campaignCan.addTouchpoint(campaign) && (
              <NewEmailButton brand={brand.id} campaign={campaign.id} />
            )}
          </Group>
        }
        more={
          <>
            {pauseAll.items}
            {can('read', 'Touchpoint') && <CalendarItem search={{ campaign: campaign.id }} />}
            {can('create', 'Campaign') && can('create', 'Touchpoint') && (
              <DuplicateItem
                onClick={() => duplicate.run(campaign.name, (name) => ({ id: campaign.id, name }))}
              />
            )}
            {can('update', 'Campaign') && (
              <>
                <Menu.Item onClick={() => setRenaming(true)}>{t('rename')}</Menu.Item>
                <ArchiveItem campaign={campaign} status={status} />
              </>
            )}
            {can('delete', 'Campaign') && <DeleteItem onClick={onDelete} />}
          </>
        }
      />
      <ActionError error={status.error ?? duplicate.error ?? pauseAll.error} />
      {renaming && <RenameCampaign campaign={campaign} onClose={() => setRenaming(false)} />}
    </>
  );
}

function RenameCampaign({ campaign: { id, name }, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { t } = useTranslation(['campaigns', 'common']);
  const { api } = useOrganization();
  const rename = useMutation(api.campaigns.update.mutationOptions());
  return (
    <NameDrawer
      title={t('rename')}
      label={t('name')}
      initial={name}
      submitLabel={t('common:actions.save')}
      done={t('renamed')}
      onClose={onClose}
      submit={(next) => rename.mutateAsync({ id, name: next })}
    />
  );
}

function ArchiveItem({
  campaign,
  status: { archive, unarchive },
}: {
  campaign: Campaign;
  status: ReturnType<typeof useCampaignStatus>;
}) {
  const { t } = useTranslation(['lists', 'common']);
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
function useCampaignStatus() {
  const { t } = useTranslation(['lists', 'common']);
  const { api } = useOrganization();
  const unarchiving = useMutation(api.campaigns.unarchive.mutationOptions(notifyOf(t('words.unarchived'))));
  const archiving = useMutation(
    api.campaigns.update.mutationOptions({
      onSuccess: ({ id }) =>
        notify(t('status.archived'), {
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
