import { useTranslation } from 'react-i18next';
import { BrandCell } from '#web/clients/brands/brand-cell.tsx';
import { useFigureColumns } from '#web/clients/figures/figure-columns.tsx';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ChannelIcon } from '#web/outreach/channels/channel-icon.tsx';
import { FigurePicture } from '#web/outreach/channels/email/email-picture.tsx';
import { LinkAnchor } from '#web/platform/links.tsx';
import { RowName } from '#web/ui/row-name.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Time } from '#web/ui/time.tsx';
import { shownStatus } from './shown-status.ts';
import { isTouchpoint, type CampaignRow, type GroupedRow, type TouchpointRow } from './touchpoint-rows.ts';

/**
 * The columns of a list of touchpoints.
 * @param isGrouped  whether they are listed below their campaigns, which show the brand and the totals
 */
export function useTouchpointColumns({ isGrouped }: { isGrouped: boolean }): ListColumn<GroupedRow>[] {
  const { t } = useTranslation(['touchpoints', 'common', 'campaigns']);
  const figures = useFigureColumns<GroupedRow>((row) => row.figures);
  const brand: ListColumn<GroupedRow> = {
    name: 'brand',
    header: t('campaigns:brand'),
    isOfGroups: true,
    cell: (row) => (isTouchpoint(row) ? null : <BrandCell brand={row.brand} client={row.client_name} />),
  };
  return [
    {
      name: 'name',
      header: t('common:form.name'),
      sort: isGrouped ? 'campaign_name' : 'name',
      cell: (row) => (isTouchpoint(row) ? <TouchpointName row={row} /> : <CampaignName row={row} />),
    },
    ...(isGrouped ? [brand] : []),
    {
      name: 'status',
      header: t('common:filter.status'),
      cell: (row) => (
        <StatusBadge
          {...(isTouchpoint(row) ? shownStatus(row.status, row.figures) : { status: row.status })}
        />
      ),
    },
    ...figures,
    {
      name: 'updated_at',
      header: t('updated'),
      sort: isGrouped ? 'touchpoint_updated_at' : 'updated_at',
      isDescendingFirst: true,
      isOptional: true,
      hide: 2,
      cell: (row) => (isTouchpoint(row) ? <Time at={row.updated_at} /> : null),
    },
  ];
}

function TouchpointName({ row }: { row: TouchpointRow }) {
  const { orgId } = useOrganization();
  const picture =
    row.type === 'email' ? (
      <FigurePicture figures={row.figures} version={row.updated_at} />
    ) : (
      <span className="picture-place">
        <ChannelIcon type={row.type} />
      </span>
    );
  return (
    <RowName picture={picture}>
      <LinkAnchor
        to="/o/$orgId/touchpoints/$touchpointId"
        params={{ orgId, touchpointId: row.id }}
        title={row.name}
      >
        {row.name}
      </LinkAnchor>
    </RowName>
  );
}

function CampaignName({ row: { id, name } }: { row: CampaignRow }) {
  const { orgId } = useOrganization();
  return (
    <RowName>
      <LinkAnchor
        to="/o/$orgId/campaigns/$campaignId"
        params={{ orgId, campaignId: id }}
        c="inherit"
        title={name}
      >
        {name}
      </LinkAnchor>
    </RowName>
  );
}
