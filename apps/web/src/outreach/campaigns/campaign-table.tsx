import { Menu } from '@mantine/core';
import type { Campaign } from '@reachout/contract/campaigns.ts';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { useFormat } from '#web/i18n/format.ts';
import { Mark } from '#web/identity/organizations/organization-logo.tsx';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { notify } from '#web/ui/notify.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { useAction } from '#web/ui/use-action.ts';
import type { useGoneRows } from '#web/ui/use-gone-rows.ts';

interface Props {
  rows: readonly Campaign[];
  order: string;
  onOrder: (order: string) => void;
  deletion: ReturnType<typeof useGoneRows>;
  /** On a brand's own page the brand needs no column. */
  withBrand: boolean;
}

export function CampaignTable({ rows, order, onOrder, deletion, withBrand }: Props) {
  const { t } = useTranslation(['campaigns', 'common']);
  const format = useFormat();
  const { orgId, can } = useOrganization();
  const action = useAction();
  const setStatus = (campaign: Campaign, status: 'draft' | 'archived') =>
    void action.run(async () => {
      await client.campaigns.update({ id: campaign.id, status });
      await refreshOrganization(orgId);
      notify(t(status === 'archived' ? 'archived' : 'reopened'));
    });

  const brandColumn: Column<Campaign> = {
    key: 'brand',
    header: t('brandClient'),
    cell: (campaign) => (
      <span className="with-mark">
        <Mark name={campaign.brand.name} logo={campaign.brand.logo_url} size={22} />
        <span>
          <LinkAnchor
            to="/o/$orgId/brands/$brandId"
            params={{ orgId, brandId: campaign.brand.id }}
            c="inherit"
          >
            {campaign.brand.name}
          </LinkAnchor>
          <span className="beside">{campaign.brand.client.name}</span>
        </span>
      </span>
    ),
  };
  const columns: Column<Campaign>[] = [
    {
      key: 'name',
      header: t('common:form.name'),
      sort: 'name',
      cell: (campaign) => (
        <LinkAnchor to="/o/$orgId/campaigns/$campaignId" params={{ orgId, campaignId: campaign.id }}>
          {campaign.name}
        </LinkAnchor>
      ),
    },
    {
      key: 'status',
      header: t('common:filter.status'),
      sort: 'status',
      cell: (campaign) => <StatusBadge status={campaign.status} />,
    },
    ...(withBrand ? [brandColumn] : []),
    {
      key: 'touchpoints',
      header: t('touchpoints'),
      align: 'end',
      cell: (campaign) => format.number(campaign.touchpoint_count),
    },
    {
      key: 'updated_at',
      header: t('updated'),
      sort: 'updated_at',
      cell: (campaign) => <time dateTime={campaign.updated_at}>{format.relative(campaign.updated_at)}</time>,
    },
  ];
  const rowActions = (campaign: Campaign, index: number) => (
    <RowMenu name={campaign.name}>
      {can('update', 'Campaign') &&
        (campaign.status === 'archived' ? (
          <Menu.Item onClick={() => setStatus(campaign, 'draft')}>{t('reopen')}</Menu.Item>
        ) : (
          <Menu.Item onClick={() => setStatus(campaign, 'archived')}>{t('common:actions.archive')}</Menu.Item>
        ))}
      {can('delete', 'Campaign') && (
        <Menu.Item
          c="var(--app-danger)"
          onClick={() =>
            void deletion.remove({
              id: campaign.id,
              name: campaign.name,
              index,
              remove: () => client.campaigns.delete({ id: campaign.id }),
              restore: () => client.campaigns.restore({ id: campaign.id }),
            })
          }
        >
          {t('common:actions.delete')}
        </Menu.Item>
      )}
    </RowMenu>
  );
  return (
    <>
      <ActionError error={action.error ?? deletion.error} />
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        rowKey={(campaign) => campaign.id}
        order={order}
        onOrder={onOrder}
        gone={deletion.gone}
        {...(can('update', 'Campaign') || can('delete', 'Campaign') ? { rowActions } : {})}
      />
    </>
  );
}
