import { useTranslation } from 'react-i18next';
import { BrandCell } from '#web/clients/brands/brand-cell.tsx';
import { useFigureColumns } from '#web/clients/figures/figure-columns.tsx';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { RecordLink } from '#web/identity/lists/record-link.tsx';
import { ChannelIcon } from '#web/outreach/channels/channel-icon.tsx';
import { FigurePicture } from '#web/outreach/channels/email/email-picture.tsx';
import { recordPages } from '#web/identity/lists/record-pages.ts';
import { RowName } from '#web/ui/row-name.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Time } from '#web/ui/time.tsx';
import { shownStatus } from './shown-status.ts';
import {
  isTouchpoint,
  type CampaignRow,
  type GroupedRow,
  type TouchpointRow,
} from '@reachout/contract/rules/grouped-rows.ts';

/**
 * The columns of a list of touchpoints.
 * @param isGrouped  whether they are listed below their campaigns, which show the brand and the totals
 */
export function useTouchpointColumns({ isGrouped }: { isGrouped: boolean }): ListColumn<GroupedRow>[] {
  const { t } = useTranslation(['touchpoints', 'common', 'campaigns']);
  const figures = useFigureColumns<GroupedRow>((row) => row.figures);
  const brand: ListColumn<GroupedRow> = {
    name: 'brand',
    header: t('words.brand'),
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
      header: t('words.status'),
      cell: (row) => (
        <StatusBadge
          {...(isTouchpoint(row) ? shownStatus(row.status, row.figures) : { status: row.status })}
        />
      ),
    },
    ...figures,
    {
      name: 'updated_at',
      header: t('words.updated'),
      sort: isGrouped ? 'touchpoint_updated_at' : 'updated_at',
      isDescendingFirst: true,
      isOptional: true,
      hide: 2,
      cell: (row) => (isTouchpoint(row) ? <Time at={row.updated_at} /> : null),
    },
  ];
}

function TouchpointName({ row: { figures, id, name, type, updated_at } }: { row: TouchpointRow }) {
  const picture =
    type === 'email' ? (
      <FigurePicture figures={figures} version={updated_at} />
    ) : (
      <span className="picture-place">
        <ChannelIcon type={type} />
      </span>
    );
  return (
    <RowName picture={picture}>
      <RecordLink page={recordPages.touchpoint} id={id} name={name} />
    </RowName>
  );
}

function CampaignName({ row: { id, name } }: { row: CampaignRow }) {
  return (
    <RowName>
      <RecordLink page={recordPages.campaign} id={id} name={name} c="inherit" />
    </RowName>
  );
}
