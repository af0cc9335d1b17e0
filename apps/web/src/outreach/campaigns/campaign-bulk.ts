import type { ListedCampaign } from '@reachout/contract/campaigns.ts';
import { campaignCan } from '@reachout/contract/states/campaign.ts';
import { useBulkActions } from '#web/identity/organizations/bulk-actions.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import type { BulkAction } from '#web/ui/bulk-bar.tsx';
import type { RecordDeletion } from '#web/ui/deletion.ts';

/** Bulk actions on campaigns. */
export function useCampaignBulk(
  rows: readonly ListedCampaign[],
  deletion: RecordDeletion,
): BulkAction<ListedCampaign>[] {
  const { can } = useOrganization();
  const may = (action: 'update' | 'delete', { brand }: ListedCampaign) =>
    can(action, 'Campaign', { client_id: brand.client.id, brand_id: brand.id });
  const mayUpdate = can('update', 'Campaign');
  return useBulkActions<ListedCampaign>({
    rows,
    archive: mayUpdate && {
      isFor: (campaign) => campaignCan.archive(campaign) && may('update', campaign),
      operation: ({ id }) => client.campaigns.update({ id, status: 'archived' }),
    },
    unarchive: mayUpdate && {
      isFor: (campaign) => campaignCan.reopen(campaign) && may('update', campaign),
      operation: ({ id }) => client.campaigns.unarchive({ id }),
    },
    remove: can('delete', 'Campaign') && {
      isFor: (campaign) => may('delete', campaign),
      operation: ({ id }) => client.campaigns.delete({ id }),
      restore: ({ id }) => client.campaigns.restore({ id }),
      deletion,
    },
  });
}
