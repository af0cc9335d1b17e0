import { Menu } from '@mantine/core';
import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
import { IconMail, IconWorld } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import type { useGoneRows } from '#web/ui/use-gone-rows.ts';

interface Props {
  rows: readonly Touchpoint[];
  order: string;
  onOrder: (order: string) => void;
  deletion: ReturnType<typeof useGoneRows>;
}

/** The touchpoints of one campaign or brand. */
export function TouchpointTable({ rows, order, onOrder, deletion }: Props) {
  const { t } = useTranslation(['touchpoints', 'common']);
  const format = useFormat();
  const { orgId, can } = useOrganization();
  const columns: Column<Touchpoint>[] = [
    {
      key: 'name',
      header: t('common:form.name'),
      sort: 'name',
      cell: (row) => (
        <span className="with-mark">
          <TypeIcon type={row.type} />
          <LinkAnchor
            to="/o/$orgId/touchpoints/$touchpointId/design"
            params={{ orgId, touchpointId: row.id }}
          >
            {row.name}
          </LinkAnchor>
        </span>
      ),
    },
    {
      key: 'status',
      header: t('common:filter.status'),
      cell: (row) => <StatusBadge status={row.status} />,
    },
    {
      key: 'updated',
      header: t('updated'),
      sort: 'updated_at',
      cell: (row) => format.relative(row.updated_at),
    },
  ];
  const rowActions = ({ id, name }: Touchpoint, index: number) => (
    <RowMenu name={name}>
      <Menu.Item
        c="var(--app-danger)"
        onClick={() =>
          void deletion.remove({
            id,
            name,
            index,
            remove: () => client.touchpoints.delete({ id }),
            restore: () => client.touchpoints.restore({ id }),
          })
        }
      >
        {t('common:actions.delete')}
      </Menu.Item>
    </RowMenu>
  );
  return (
    <>
      <ActionError error={deletion.error} />
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        order={order}
        onOrder={onOrder}
        gone={deletion.gone}
        {...(can('delete', 'Touchpoint') ? { rowActions } : {})}
      />
    </>
  );
}

export function TypeIcon({ type }: { type: string | null }) {
  const { t } = useTranslation();
  const Picture = type === 'website' ? IconWorld : IconMail;
  return (
    <Picture
      size={18}
      stroke={1.75}
      role="img"
      aria-label={t(type === 'website' ? 'type.website' : 'type.email')}
      className="quiet-icon"
    />
  );
}
