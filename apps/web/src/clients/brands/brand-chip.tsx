import { BrandMark, type MarkedBrand } from './brand-mark.tsx';
import classes from './brand-chip.module.css';

interface Props {
  brand: MarkedBrand;
  /** The name of its client; omitted on the client's own pages. */
  client?: string;
}

/** Logo and name of a brand on its color. */
export function BrandChip({ brand, client }: Props) {
  return (
    <span
      className={classes.chip}
      data-brand-color={brand.color}
      title={[client, brand.name].filter(Boolean).join(' › ')}
    >
      <BrandMark brand={brand} size={20} />
      <span className={classes.words}>
        {client !== undefined && <span className={classes.client}>{client} › </span>}
        {brand.name}
      </span>
    </span>
  );
}
