import type { ListedBrand } from '@reachout/contract/clients.ts';
import type { Figures } from '@reachout/contract/figures.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigureColumns } from '#web/clients/figures/figure-columns.tsx';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { useBulkActions } from '#web/identity/organizations/bulk-actions.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import type { RecordDeletion } from '#web/ui/deletion.ts';
import { ListTable } from '#web/ui/list-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { DeleteItem, RowMenu } from '#web/ui/row-menu.tsx';
import { RowName } from '#web/ui/row-name.tsx';
import { Time } from '#web/ui/time.tsx';
import { BrandMark } from './brand-mark.tsx';

interface Props extends TableState<ListedBrand> {
  columns: readonly ListColumn<ListedBrand>[];
  deletion: RecordDeletion;
}

export function BrandTable({ columns, deletion, ...table }: Props) {
  const { t } = useTranslation('clients');
  const { orgId, can } = useOrganization();
  const mayDelete = (brand: ListedBrand) =>
    can('delete', 'Brand', { client_id: brand.client_id, brand_id: brand.id });
  const bulk = useBulkActions<ListedBrand>({
    rows: table.rows,
    remove: {
      isFor: mayDelete,
      operation: ({ id }) => client.brands.delete({ id }),
      restore: ({ id }) => client.brands.restore({ id }),
      deletion,
    },
  });
  const rowActions = (brand: ListedBrand, index: number) =>
    mayDelete(brand) ? (
      <RowMenu name={brand.name}>
        <DeleteItem onClick={() => deletion.remove(brand, index)} />
      </RowMenu>
    ) : null;
  return (
    <ListTable
      {...table}
      label={t('brands')}
      columns={columns}
      rowActions={table.rows.some(mayDelete) ? rowActions : undefined}
      bulk={bulk}
      canSelect={mayDelete}
      nameOf={({ name }) => name}
      owner={orgId}
    />
  );
}

/** @param pictureOf  renders the email thumbnail for a brand */
export function useBrandColumns(
  pictureOf: (figures: Figures | null) => ReactNode,
): ListColumn<ListedBrand>[] {
  const { t } = useTranslation(['clients', 'lists']);
  const { orgId } = useOrganization();
  const figures = useFigureColumns<ListedBrand>((brand) => brand.figures);
  return [
    {
      name: 'name',
      header: t('brand'),
      sort: 'name',
      cell: (brand) => (
        <RowName picture={<BrandMark brand={brand} size={24} />}>
          <LinkAnchor to="/o/$orgId/brands/$brandId" params={{ orgId, brandId: brand.id }} title={brand.name}>
            {brand.name}
          </LinkAnchor>
        </RowName>
      ),
    },
    { name: 'email', header: t('lists:figures.email'), cell: (brand) => pictureOf(brand.figures) },
    ...figures,
    {
      name: 'updated_at',
      header: t('updated'),
      sort: 'updated_at',
      isDescendingFirst: true,
      isOptional: true,
      cell: (brand) => <Time at={brand.updated_at} />,
    },
  ];
}
