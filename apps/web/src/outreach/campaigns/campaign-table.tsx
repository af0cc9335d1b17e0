import type { ListedCampaign } from '@reachout/contract/campaigns.ts';
import { useTranslation } from 'react-i18next';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import type { RecordDeletion } from '#web/ui/deletion.ts';
import { ListTable } from '#web/ui/list-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useCampaignActions } from './campaign-actions.tsx';
import { useCampaignBulk } from './campaign-bulk.ts';

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
  const rowActions = (campaign: ListedCampaign, index: number) => (
    <RowMenu name={campaign.name}>{itemsFor?.(campaign, index)}</RowMenu>
  );
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
