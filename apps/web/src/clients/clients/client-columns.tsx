import type { Figures } from '@reachout/contract/figures.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandMark } from '#web/clients/brands/brand-mark.tsx';
import { useFigureColumns } from '#web/clients/figures/figure-columns.tsx';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { RecordLink } from '#web/identity/lists/record-link.tsx';
import { Logo } from '#web/identity/organizations/organization-logo.tsx';
import { recordPages } from '#web/identity/lists/record-pages.ts';
import { RowName } from '#web/ui/row-name.tsx';
import {
  isBrand,
  type BrandRow,
  type ClientListRow,
  type ClientRow,
} from '@reachout/contract/rules/grouped-rows.ts';

/** @param pictureOf  renders the email thumbnail for a record; passed in because this module does not depend on emails */
export function useClientColumns(
  pictureOf: (figures: Figures | null) => ReactNode,
): ListColumn<ClientListRow>[] {
  const { t } = useTranslation(['clients', 'common', 'lists']);
  const figures = useFigureColumns<ClientListRow>((row) => row.figures);
  return [
    {
      name: 'name',
      header: t('common:form.name'),
      sort: 'client_name',
      cell: (row) => (isBrand(row) ? <BrandName row={row} /> : <ClientName row={row} />),
    },
    {
      name: 'email',
      header: t('lists:figures.email'),
      // Emails belong to brands, so a client has no thumbnail.
      cell: (row) => (isBrand(row) ? pictureOf(row.figures) : null),
    },
    ...figures,
  ];
}

function ClientName({ row: { id, name, logo_url, brand_count } }: { row: ClientRow }) {
  const { t } = useTranslation('clients');
  return (
    <RowName picture={<Logo name={name} logo={logo_url} size={24} />}>
      <RecordLink page={recordPages.client} id={id} name={name} c="inherit" />
      {brand_count !== 1 && (
        <span className="beside quiet">
          {t(brand_count === 0 ? 'noBrands' : 'brandCount', { count: brand_count })}
        </span>
      )}
    </RowName>
  );
}

function BrandName({ row }: { row: BrandRow }) {
  return (
    <RowName picture={<BrandMark brand={row} size={24} />}>
      <RecordLink page={recordPages.brand} id={row.id} name={row.name} />
    </RowName>
  );
}
