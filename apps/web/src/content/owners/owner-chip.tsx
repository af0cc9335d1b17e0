import type { BrandSummary } from '@reachout/contract/clients.ts';
import { useTranslation } from 'react-i18next';
import { BrandChip } from '#web/clients/brands/brand-chip.tsx';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { Logo } from '#web/identity/organizations/organization-logo.tsx';
import { QuietText } from '#web/ui/text.ts';
import classes from './owner-chip.module.css';

interface Props {
  owner: { client: { id: string; name: string } | null; brand: BrandSummary | null };
}

/** The owner of a record: the brand on its color, the client, or all clients. */
export function OwnerChip({ owner: { client, brand } }: Props) {
  const { t } = useTranslation();
  if (brand !== null) return <BrandChip brand={brand} {...(client && { client: client.name })} />;
  if (client !== null)
    return (
      <span className="with-mark" title={client.name}>
        <Logo name={client.name} size={20} />
        <span className={classes.name}>{client.name}</span>
      </span>
    );
  return <QuietText span>{t('owner.shared')}</QuietText>;
}

/** The column of a list with the owners of its records. */
export function useOwnerColumn<Row extends Props['owner']>(): ListColumn<Row> {
  const { t } = useTranslation();
  return { name: 'owner', header: t('owner.label'), cell: (row) => <OwnerChip owner={row} /> };
}
