import { Portal } from '@mantine/core';
import type { BrandColor } from '@reachout/contract/rules/brand-colors.ts';
import classes from './brand-edge.module.css';

/** Colors the lower edge of the sticky header bar on every page of a brand. */
export function BrandEdge({ color }: { color: BrandColor }) {
  return (
    <Portal target="#page-crumbs">
      <span className={classes.edge} data-brand-color={color} aria-hidden />
    </Portal>
  );
}
