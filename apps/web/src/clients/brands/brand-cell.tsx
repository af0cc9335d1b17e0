import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { BrandMark, type MarkedBrand } from './brand-mark.tsx';
import classes from './brand-cell.module.css';

/** The brand in a table row: logo, name and client. */
export function BrandCell({ brand, client }: { brand: MarkedBrand & { id: string }; client: string }) {
  const { orgId } = useOrganization();
  return (
    <span className={classes.cell} title={`${client} › ${brand.name}`}>
      <BrandMark brand={brand} size={22} />
      <span className={classes.words}>
        <LinkAnchor to="/o/$orgId/brands/$brandId" params={{ orgId, brandId: brand.id }} c="inherit">
          {brand.name}
        </LinkAnchor>
        <span className={classes.client}>{client}</span>
      </span>
    </span>
  );
}
