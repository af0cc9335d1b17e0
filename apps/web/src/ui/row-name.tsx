import type { ReactNode } from 'react';
import classes from './row-name.module.css';

/** The first cell of a dense table: what a record looks like, and its name, cut where it does not fit. */
export function RowName({ picture, children }: { picture?: ReactNode; children: ReactNode }) {
  return (
    <span className={classes.name}>
      {picture}
      <span className={classes.words}>{children}</span>
    </span>
  );
}
