import type { ListedCampaign } from '@reachout/contract/campaigns.ts';
import { useTranslation } from 'react-i18next';
import { BrandCell } from '#web/clients/brands/brand-cell.tsx';
import { useFigureColumns } from '#web/clients/figures/figure-columns.tsx';
import { useFormat } from '#web/i18n/format.ts';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { FigurePicture } from '#web/outreach/channels/email/email-picture.tsx';
import { LinkAnchor } from '#web/platform/links.tsx';
import { RowName } from '#web/ui/row-name.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Time } from '#web/ui/time.tsx';

/** @param withBrand  false on the page of a brand */
export function useCampaignColumns(withBrand: boolean): ListColumn<ListedCampaign>[] {
  const { t } = useTranslation(['campaigns', 'common']);
  const format = useFormat();
  const { orgId } = useOrganization();
  const figures = useFigureColumns<ListedCampaign>((campaign) => campaign.figures);
  const brand: ListColumn<ListedCampaign> = {
    name: 'brand',
    header: t('brand'),
    cell: (campaign) => <BrandCell brand={campaign.brand} client={campaign.brand.client.name} />,
  };
  return [
    {
      name: 'name',
      header: t('common:form.name'),
      sort: 'name',
      cell: (campaign) => (
        <RowName picture={<FigurePicture figures={campaign.figures} version={campaign.updated_at} />}>
          <LinkAnchor
            to="/o/$orgId/campaigns/$campaignId"
            params={{ orgId, campaignId: campaign.id }}
            title={campaign.name}
          >
            {campaign.name}
          </LinkAnchor>
        </RowName>
      ),
    },
    ...(withBrand ? [brand] : []),
    {
      name: 'status',
      header: t('common:filter.status'),
      sort: 'status',
      cell: (campaign) => <StatusBadge status={campaign.status} />,
    },
    {
      name: 'touchpoints',
      header: t('touchpoints'),
      align: 'end',
      isOptional: true,
      hide: 2,
      cell: (campaign) => format.number(campaign.touchpoint_count),
    },
    ...figures,
    {
      name: 'updated_at',
      header: t('updated'),
      sort: 'updated_at',
      isDescendingFirst: true,
      isOptional: true,
      hide: 2,
      cell: (campaign) => <Time at={campaign.updated_at} />,
    },
  ];
}
