import type { ListedBrand } from '@reachout/contract/clients.ts';
import type { Figures } from '@reachout/contract/figures.ts';
import { recordLists } from '@reachout/contract/record-lists.ts';
import { IconTag } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigureColumns } from '#web/clients/figures/figure-columns.tsx';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { nameColumn, updatedColumn } from '#web/identity/lists/columns.tsx';
import { RecordLink } from '#web/identity/lists/record-link.tsx';
import { RecordList, type RecordListProps } from '#web/identity/lists/record-list.tsx';
import { recordPages } from '#web/identity/lists/record-pages.ts';
import { BrandMark } from './brand-mark.tsx';

interface Props extends Pick<RecordListProps<ListedBrand, ListedBrand>, 'query' | 'list'> {
  /** Renders the email thumbnail for a brand; passed in because this module does not depend on emails. */
  pictureOf: (figures: Figures | null) => ReactNode;
}

/** The brands of a client; the layout above has the create action. */
export function BrandList({ pictureOf, ...list }: Props) {
  const { t } = useTranslation();
  return (
    <RecordList
      {...list}
      records={recordLists.brands}
      header={false}
      texts="clients:brandList"
      label={t('words.brands')}
      icon={IconTag}
      columns={useColumns(pictureOf)}
      columnsOf="brands"
      nameOf={({ name }) => name}
    />
  );
}

function useColumns(pictureOf: Props['pictureOf']): ListColumn<ListedBrand>[] {
  const { t } = useTranslation(['clients', 'lists']);
  const figures = useFigureColumns<ListedBrand>((brand) => brand.figures);
  return [
    nameColumn({
      header: t('words.brand'),
      sort: 'name',
      picture: (brand) => <BrandMark brand={brand} size={24} />,
      cell: ({ id, name }) => <RecordLink page={recordPages.brand} id={id} name={name} />,
    }),
    { name: 'email', header: t('lists:figures.email'), cell: (brand) => pictureOf(brand.figures) },
    ...figures,
    updatedColumn(t('words.updated'), { isOptional: true }),
  ];
}
