import type { Figures } from '@reachout/contract/figures.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandMark } from '#web/clients/brands/brand-mark.tsx';
import { useFigureColumns } from '#web/clients/figures/figure-columns.tsx';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { Logo } from '#web/identity/organizations/organization-logo.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { RowName } from '#web/ui/row-name.tsx';
import { isBrand, type BrandRow, type ClientListRow, type ClientRow } from './client-rows.ts';

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
  const { orgId } = useOrganization();
  return (
    <RowName picture={<Logo name={name} logo={logo_url} size={24} />}>
      <LinkAnchor to="/o/$orgId/clients/$clientId" params={{ orgId, clientId: id }} c="inherit" title={name}>
        {name}
      </LinkAnchor>
      {brand_count !== 1 && (
        <span className="beside quiet">
          {t(brand_count === 0 ? 'noBrands' : 'brandCount', { count: brand_count })}
        </span>
      )}
    </RowName>
  );
}

function BrandName({ row }: { row: BrandRow }) {
  const { orgId } = useOrganization();
  return (
    <RowName picture={<BrandMark brand={row} size={24} />}>
      <LinkAnchor to="/o/$orgId/brands/$brandId" params={{ orgId, brandId: row.id }} title={row.name}>
        {row.name}
      </LinkAnchor>
    </RowName>
  );
}
