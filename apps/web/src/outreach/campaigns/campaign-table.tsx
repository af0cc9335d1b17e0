import type { ListedCampaign } from '@reachout/contract/campaigns.ts';
import { useTranslation } from 'react-i18next';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { BulkBar } from '#web/ui/bulk-bar.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import type { RecordDeletion } from '#web/ui/deletion.ts';
import type { TableState } from '#web/ui/list-page.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { useSelection } from '#web/ui/selection.ts';
import { ActionError } from '#web/ui/states.tsx';
import { useCampaignActions } from './campaign-actions.tsx';
import { useCampaignBulk } from './campaign-bulk.ts';

interface Props extends TableState<ListedCampaign> {
  deletion: RecordDeletion;
  /** From `useCampaignColumns`, as far as they are shown. */
  columns: readonly ListColumn<ListedCampaign>[];
}

/** The campaigns of the organization or of a brand. */
export function CampaignTable({ deletion, columns, ...table }: Props) {
  const { t } = useTranslation('campaigns');
  const { orgId } = useOrganization();
  const { error, itemsFor } = useCampaignActions(deletion);
  const bulk = useCampaignBulk(table.rows, deletion);
  const selection = useSelection(table.rows, { idOf, nameOf });
  const isSelectable = bulk.length > 0;
  const rowActions = (campaign: ListedCampaign, index: number) => (
    <RowMenu name={campaign.name}>{itemsFor?.(campaign, index)}</RowMenu>
  );
  return (
    <>
      <ActionError error={error} />
      <DataTable
        {...table}
        isDense
        label={t('title')}
        columns={columns}
        selection={isSelectable ? selection : undefined}
        rowActions={itemsFor && rowActions}
      />
      {isSelectable && <BulkBar selection={selection} actions={bulk} idOf={idOf} owner={orgId} />}
    </>
  );
}

const idOf = ({ id }: ListedCampaign): string => id;
const nameOf = ({ name }: ListedCampaign): string => name;
