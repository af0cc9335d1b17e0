import { Box, Portal } from '@mantine/core';
import type { BrandColor } from '@reachout/contract/rules/brand-colors.ts';

/** Colors the lower edge of the sticky header bar on every page of a brand. */
export function BrandEdge({ color }: { color: BrandColor }) {
  return (
    <Portal target="#page-crumbs">
      <Box
        pos="absolute"
        inset="auto 0 -3px"
        h={4}
        bg="var(--brand-fill)"
        style={{ pointerEvents: 'none' }}
        data-brand-color={color}
        aria-hidden
      />
    </Portal>
  );
}
