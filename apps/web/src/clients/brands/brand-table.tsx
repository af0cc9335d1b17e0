import type { Brand } from '@reachout/contract/clients.ts';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { DeleteItem, RowMenu } from '#web/ui/row-menu.tsx';
import { Time } from '#web/ui/time.tsx';
import { BrandMark } from './brand-mark.tsx';

interface Props extends TableState<Brand> {
  onDelete: (brand: Brand, index: number) => void;
}

export function BrandTable({ onDelete, ...table }: Props) {
  const { t } = useTranslation(['clients', 'common']);
  const { orgId, can } = useOrganization();
  const columns: Column<Brand>[] = [
    {
      header: t('brand'),
      sort: 'name',
      cell: (brand) => (
        <span className="with-mark">
          <BrandMark brand={brand} size={24} />
          <LinkAnchor to="/o/$orgId/brands/$brandId" params={{ orgId, brandId: brand.id }}>
            {brand.name}
          </LinkAnchor>
        </span>
      ),
    },
    {
      header: t('updated'),
      sort: 'updated_at',
      width: 220,
      cell: (brand) => <Time at={brand.updated_at} />,
    },
  ];
  const rowActions = (brand: Brand, index: number) => (
    <RowMenu name={brand.name}>
      <DeleteItem onClick={() => onDelete(brand, index)} />
    </RowMenu>
  );
  return (
    <DataTable
      {...table}
      label={t('brands')}
      columns={columns}
      rowActions={can('delete', 'Brand') ? rowActions : undefined}
    />
  );
}
