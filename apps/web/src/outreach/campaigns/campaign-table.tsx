import type { ListedCampaign } from '@reachout/contract/campaigns.ts';
import type { RecordAttributes } from '@reachout/contract/abilities.ts';
import { campaignCan } from '@reachout/contract/states/campaign.ts';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { useBulkActions } from '#web/identity/organizations/bulk-actions.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import type { BulkAction } from '#web/ui/bulk-bar.tsx';
import type { RecordDeletion } from '#web/ui/deletion.ts';
import { ListTable } from '#web/ui/list-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { DeleteItem, DuplicateItem, RowMenu } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useDuplicate } from '#web/ui/use-duplicate.ts';
import { ArchiveItem, useCampaignStatus } from './archive-item.tsx';

interface Props extends TableState<ListedCampaign> {
  deletion: RecordDeletion;
  /** The visible columns of `useCampaignColumns`. */
  columns: readonly ListColumn<ListedCampaign>[];
}

/** The campaigns of the organization or of a brand. */
export function CampaignTable({ deletion, columns, ...table }: Props) {
  const { t } = useTranslation('campaigns');
  const { orgId } = useOrganization();
  const { error, itemsFor } = useCampaignActions(deletion);
  const bulk = useCampaignBulk(table.rows, deletion);
  const rowActions = (campaign: ListedCampaign, index: number) => {
    const items = itemsFor?.(campaign, index);
    return items && <RowMenu name={campaign.name}>{items}</RowMenu>;
  };
  return (
    <>
      <ActionError error={error} />
      <ListTable
        {...table}
        label={t('title')}
        columns={columns}
        rowActions={itemsFor && rowActions}
        bulk={bulk}
        nameOf={({ name }) => name}
        owner={orgId}
      />
    </>
  );
}

interface Actions {
  /** Menu items of a row, if its brand permits any; undefined if no action is permitted at all. */
  itemsFor: ((campaign: ListedCampaign, index: number) => ReactNode) | undefined;
  error: unknown;
}

/** Permissions are those of the brand, in the menu of a row as in bulk. */
const ownerOf = ({ brand }: ListedCampaign): RecordAttributes => ({
  client_id: brand.client.id,
  brand_id: brand.id,
});

function useCampaignActions(deletion: RecordDeletion): Actions {
  const { api, orgId, can } = useOrganization();
  const navigate = useNavigate();
  const status = useCampaignStatus();
  const duplicate = useDuplicate(api.campaigns.duplicate.mutationOptions(), ({ id }) =>
    navigate({ to: '/o/$orgId/campaigns/$campaignId', params: { orgId, campaignId: id } }),
  );
  const mayDuplicate = (owner?: RecordAttributes) =>
    can('create', 'Campaign', owner) && can('create', 'Touchpoint', owner);
  const mayAny = (owner?: RecordAttributes) =>
    mayDuplicate(owner) || can('update', 'Campaign', owner) || can('delete', 'Campaign', owner);
  const itemsFor = (campaign: ListedCampaign, index: number) => {
    const owner = ownerOf(campaign);
    return (
      mayAny(owner) && (
        <>
          {mayDuplicate(owner) && (
            <DuplicateItem
              onClick={() => duplicate.run(campaign.name, (name) => ({ id: campaign.id, name }))}
            />
          )}
          {can('update', 'Campaign', owner) && <ArchiveItem campaign={campaign} status={status} />}
          {can('delete', 'Campaign', owner) && (
            <DeleteItem onClick={() => deletion.remove(campaign, index)} />
          )}
        </>
      )
    );
  };
  return {
    itemsFor: mayAny() ? itemsFor : undefined,
    error: status.error ?? duplicate.error,
  };
}

function useCampaignBulk(
  rows: readonly ListedCampaign[],
  deletion: RecordDeletion,
): BulkAction<ListedCampaign>[] {
  const { can } = useOrganization();
  const may = (action: 'update' | 'delete', campaign: ListedCampaign) =>
    can(action, 'Campaign', ownerOf(campaign));
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
