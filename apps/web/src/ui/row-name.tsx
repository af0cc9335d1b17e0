import type { ReactNode } from 'react';
import classes from './row-name.module.css';

/** The first cell of a dense table: a picture of the record and its name, truncated if necessary. */
export function RowName({ picture, children }: { picture?: ReactNode; children: ReactNode }) {
  return (
    <span className={classes.name}>
      {picture}
      <span className={classes.words}>{children}</span>
    </span>
  );
}
