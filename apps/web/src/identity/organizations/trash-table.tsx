import { Badge, Button } from '@mantine/core';
import type { TrashItem } from '@reachout/contract/organizations.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { changes } from '#web/platform/query-client.ts';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { notify } from '#web/ui/notify.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { Time } from '#web/ui/time.tsx';
import { useOrganization } from './use-organization.ts';

const kinds = {
  client: { subject: 'Client', restore: client.clients.restore },
  brand: { subject: 'Brand', restore: client.brands.restore },
  campaign: { subject: 'Campaign', restore: client.campaigns.restore },
  touchpoint: { subject: 'Touchpoint', restore: client.touchpoints.restore },
} as const;

/** Deleted records that can still be restored. */
export function TrashTable(table: TableState<TrashItem>) {
  const { t } = useTranslation(['settings', 'common']);
  const { orgId, can } = useOrganization();
  const restore = useMutation({
    ...changes(orgId),
    mutationFn: ({ kind, id }: TrashItem): Promise<unknown> => kinds[kind].restore({ id }),
    onSuccess: (_restored, { name }) => notify(t('common:restored', { what: name })),
  });
  const columns: Column<TrashItem>[] = [
    { header: t('common:form.name'), cell: (item) => <span className="break">{item.name}</span> },
    {
      header: t('common:filter.type'),
      cell: (item) => (
        <Badge color="gray" className="status-badge">
          {t(`trash.kinds.${item.kind}`)}
        </Badge>
      ),
    },
    { header: t('trash.place'), cell: (item) => item.place.join(' › ') || t('common:none') },
    { header: t('trash.deleted'), cell: (item) => <Time at={item.deleted_at} /> },
    { header: t('trash.until'), cell: (item) => <Time at={item.restorable_until} as="date" /> },
  ];
  return (
    <>
      <ActionError error={restore.error} />
      <DataTable
        {...table}
        label={t('sections.trash')}
        columns={columns}
        rowActions={(item) =>
          can('delete', kinds[item.kind].subject) && (
            <Button
              size="compact-sm"
              variant="default"
              loading={restore.isPending && restore.variables.id === item.id}
              aria-label={t('trash.restore', { name: item.name })}
              onClick={() => restore.mutate(item)}
            >
              {t('common:actions.restore')}
            </Button>
          )
        }
      />
    </>
  );
}
