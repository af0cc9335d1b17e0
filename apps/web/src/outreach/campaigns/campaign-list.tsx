import type { ListedCampaign } from '@reachout/contract/campaigns.ts';
import { recordLists } from '@reachout/contract/record-lists.ts';
import { IconSpeakerphone } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { BrandCell } from '#web/clients/brands/brand-cell.tsx';
import { useFigureColumns } from '#web/clients/figures/figure-columns.tsx';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { countColumn, nameColumn, statusColumn, updatedColumn } from '#web/identity/lists/columns.tsx';
import { RecordLink } from '#web/identity/lists/record-link.tsx';
import { RecordList, type RecordListProps } from '#web/identity/lists/record-list.tsx';
import { FigurePicture } from '#web/outreach/channels/email/email-picture.tsx';
import { recordPages } from '#web/identity/lists/record-pages.ts';

type Props = Pick<
  RecordListProps<ListedCampaign, ListedCampaign>,
  'query' | 'list' | 'header' | 'columnsOf' | 'filters' | 'create'
> & { isOfBrand?: boolean };

/** The campaigns of the organization, or of a brand. */
export function CampaignList({ isOfBrand = false, ...list }: Props) {
  return (
    <RecordList
      {...list}
      records={recordLists.campaigns}
      texts="campaigns"
      icon={IconSpeakerphone}
      columns={useColumns(isOfBrand)}
      nameOf={({ name }) => name}
      recordPage={recordPages.campaign}
    />
  );
}

function useColumns(isOfBrand: boolean): ListColumn<ListedCampaign>[] {
  const { t } = useTranslation(['campaigns', 'common']);
  const figures = useFigureColumns<ListedCampaign>((campaign) => campaign.figures);
  const brand: ListColumn<ListedCampaign> = {
    name: 'brand',
    header: t('words.brand'),
    cell: (campaign) => <BrandCell brand={campaign.brand} client={campaign.brand.client.name} />,
  };
  return [
    nameColumn({
      header: t('common:form.name'),
      sort: 'name',
      picture: ({ figures: of, updated_at }) => <FigurePicture figures={of} version={updated_at} />,
      cell: ({ id, name }) => <RecordLink page={recordPages.campaign} id={id} name={name} />,
    }),
    ...(isOfBrand ? [] : [brand]),
    statusColumn(t('words.status'), ({ status }) => status, { sort: 'status' }),
    countColumn('touchpoints', t('words.touchpoints'), (campaign) => campaign.touchpoint_count, {
      isOptional: true,
      hide: 2,
    }),
    ...figures,
    updatedColumn(t('words.updated'), { isOptional: true, hide: 2 }),
  ];
}
