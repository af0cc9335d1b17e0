import type { ListedCampaign } from '@reachout/contract/campaigns.ts';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import type { RecordDeletion } from '#web/ui/deletion.ts';
import { DeleteItem, DuplicateItem } from '#web/ui/row-menu.tsx';
import { useDuplicate } from '#web/ui/use-duplicate.ts';
import { ArchiveItem, useCampaignStatus } from './archive-item.tsx';

interface Actions {
  /** Menu items of a row; undefined if no action is permitted. */
  itemsFor: ((campaign: ListedCampaign, index: number) => ReactNode) | undefined;
  error: unknown;
}

/** Actions on a campaign in a list. */
export function useCampaignActions(deletion: RecordDeletion): Actions {
  const { api, orgId, can } = useOrganization();
  const navigate = useNavigate();
  const status = useCampaignStatus();
  const duplicate = useDuplicate(api.campaigns.duplicate.mutationOptions(), ({ id }) =>
    navigate({ to: '/o/$orgId/campaigns/$campaignId', params: { orgId, campaignId: id } }),
  );
  const may = {
    duplicate: can('create', 'Campaign') && can('create', 'Touchpoint'),
    update: can('update', 'Campaign'),
    delete: can('delete', 'Campaign'),
  };
  const itemsFor = (campaign: ListedCampaign, index: number) => (
    <>
      {may.duplicate && (
        <DuplicateItem onClick={() => duplicate.run(campaign.name, (name) => ({ id: campaign.id, name }))} />
      )}
      {may.update && <ArchiveItem campaign={campaign} status={status} />}
      {may.delete && <DeleteItem onClick={() => deletion.remove(campaign, index)} />}
    </>
  );
  return {
    itemsFor: may.duplicate || may.update || may.delete ? itemsFor : undefined,
    error: status.error ?? duplicate.error,
  };
}
