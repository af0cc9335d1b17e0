import type { Campaign } from '@reachout/contract/campaigns.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { BrandMark } from '#web/clients/brands/brand-mark.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { DeleteItem, RowMenu } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import type { RecordDeletion } from '#web/ui/deletion.ts';
import { Time } from '#web/ui/time.tsx';
import { ArchiveItem, useCampaignStatus } from './archive-item.tsx';

interface Props extends TableState<Campaign> {
  deletion: RecordDeletion;
  /** On a brand's own page the brand needs no column. */
  withBrand: boolean;
}

export function CampaignTable({ deletion, withBrand, ...table }: Props) {
  const { t } = useTranslation(['campaigns', 'common']);
  const { can } = useOrganization();
  const columns = useColumns(withBrand);
  const status = useCampaignStatus();
  const rowActions = (campaign: Campaign, index: number) => (
    <RowMenu name={campaign.name}>
      {can('update', 'Campaign') && <ArchiveItem campaign={campaign} status={status} />}
      {can('delete', 'Campaign') && <DeleteItem onClick={() => deletion.remove(campaign, index)} />}
    </RowMenu>
  );
  return (
    <>
      <ActionError error={status.error} />
      <DataTable
        {...table}
        label={t('title')}
        columns={columns}
        rowActions={can('update', 'Campaign') || can('delete', 'Campaign') ? rowActions : undefined}
      />
    </>
  );
}

function useColumns(withBrand: boolean): Column<Campaign>[] {
  const { t } = useTranslation(['campaigns', 'common']);
  const format = useFormat();
  const { orgId } = useOrganization();
  const brandColumn: Column<Campaign> = {
    header: t('brandClient'),
    cell: (campaign) => (
      <span className="with-mark">
        <BrandMark brand={campaign.brand} size={22} />
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
  return [
    {
      header: t('common:form.name'),
      sort: 'name',
      cell: (campaign) => (
        <LinkAnchor to="/o/$orgId/campaigns/$campaignId" params={{ orgId, campaignId: campaign.id }}>
          {campaign.name}
        </LinkAnchor>
      ),
    },
    {
      header: t('common:filter.status'),
      sort: 'status',
      cell: (campaign) => <StatusBadge status={campaign.status} />,
    },
    ...(withBrand ? [brandColumn] : []),
    { header: t('touchpoints'), align: 'end', cell: (campaign) => format.number(campaign.touchpoint_count) },
    {
      header: t('updated'),
      sort: 'updated_at',
      cell: (campaign) => <Time at={campaign.updated_at} />,
    },
  ];
}
