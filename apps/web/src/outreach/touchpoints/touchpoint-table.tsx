import type { ListedTouchpoint } from '@reachout/contract/touchpoints.ts';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ChannelIcon } from '#web/outreach/channels/channel-icon.tsx';
import { LinkAnchor } from '#web/platform/links.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { DeleteItem, RowMenu } from '#web/ui/row-menu.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import type { RecordDeletion } from '#web/ui/deletion.ts';
import { Time } from '#web/ui/time.tsx';
import { shownStatus } from './shown-status.ts';

interface Props extends TableState<ListedTouchpoint> {
  deletion: RecordDeletion;
}

/** The touchpoints of one campaign or brand. */
export function TouchpointTable({ deletion, ...table }: Props) {
  const { t } = useTranslation(['touchpoints', 'common']);
  const { orgId, can } = useOrganization();
  const columns: Column<ListedTouchpoint>[] = [
    {
      header: t('common:form.name'),
      sort: 'name',
      cell: (row) => (
        <span className="with-mark">
          <ChannelIcon type={row.type} />
          <LinkAnchor to="/o/$orgId/touchpoints/$touchpointId" params={{ orgId, touchpointId: row.id }}>
            {row.name}
          </LinkAnchor>
        </span>
      ),
    },
    {
      header: t('common:filter.status'),
      cell: (row) => <StatusBadge status={shownStatus(row.status, row.figures)} />,
    },
    { header: t('updated'), sort: 'updated_at', cell: (row) => <Time at={row.updated_at} /> },
  ];
  const rowActions = ({ id, name }: ListedTouchpoint, index: number) => (
    <RowMenu name={name}>
      <DeleteItem onClick={() => deletion.remove({ id, name }, index)} />
    </RowMenu>
  );
  return (
    <DataTable
      {...table}
      label={t('title')}
      columns={columns}
      rowActions={can('delete', 'Touchpoint') ? rowActions : undefined}
    />
  );
}
