import { Paper, SimpleGrid, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Says once, politely, what is on its way; the gray bars say nothing. */
export function Loading({ what, children }: { what: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div aria-busy="true">
      <VisuallyHidden role="status">{t('load.loading', { what })}</VisuallyHidden>
      <div aria-hidden="true">{children}</div>
    </div>
  );
}

export function RowsSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <Paper withBorder radius="md">
      <Stack gap={0}>
        {Array.from({ length: rows }, (_, index) => (
          <div key={index} className="skeleton-row">
            <Skeleton height={12} width={`${30 + ((index * 17) % 30)}%`} />
            <Skeleton height={12} width="16%" />
            <Skeleton height={12} width="10%" />
          </div>
        ))}
      </Stack>
    </Paper>
  );
}

export function CardsSkeleton({ cards = 3 }: { cards?: number }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
      {Array.from({ length: cards }, (_, index) => (
        <Skeleton key={index} height={132} radius="md" />
      ))}
    </SimpleGrid>
  );
}

export function PanelSkeleton({ height = 240 }: { height?: number }) {
  return <Skeleton height={height} radius="md" />;
}
