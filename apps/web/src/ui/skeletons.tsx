import { Paper, SimpleGrid, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './skeletons.module.css';

/** Announces politely, once, what is being loaded; the gray bars are hidden from screen readers. */
export function Loading({ what, children }: { what: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div aria-busy="true">
      <VisuallyHidden role="status">{t('load.loading', { what })}</VisuallyHidden>
      <div aria-hidden="true">{children}</div>
    </div>
  );
}

const range = (length: number) => Array.from({ length }, (_, index) => index);

/** A table with its header row. */
export function RowsSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <Paper withBorder radius="md">
      <div className={classes.headers}>
        <Skeleton height={8} width={64} />
        <Skeleton height={8} width={48} />
      </div>
      {range(rows).map((row) => (
        <div key={row} className={classes.row}>
          <Skeleton height={12} width={`${30 + ((row * 17) % 30)}%`} />
          <Skeleton height={12} width="16%" />
          <Skeleton height={12} width="10%" />
        </div>
      ))}
    </Paper>
  );
}

/** The rows of a card: a picture, a name with a line below, a status. */
export function MarkedRowsSkeleton({ rows }: { rows: number }) {
  return (
    <div className={classes.marked}>
      {range(rows).map((row) => (
        <div key={row} className={classes.markedRow}>
          <Skeleton height={28} width={28} radius="xs" />
          <Stack gap={8} flex={1}>
            <Skeleton height={10} width={`${30 + ((row * 17) % 30)}%`} />
            <Skeleton height={8} width="48%" />
          </Stack>
          <Skeleton height={22} width={72} />
        </div>
      ))}
    </div>
  );
}

/** The page of a record: title, a line below, tabs if any, and content. */
export function RecordSkeleton({ tabs = 0, children }: { tabs?: number; children?: ReactNode }) {
  return (
    <>
      <div className={classes.title}>
        <Skeleton height={20} width={240} />
        <Skeleton height={10} width={160} />
      </div>
      {tabs > 0 && (
        <div className={classes.tabs}>
          {range(tabs).map((tab) => (
            <Skeleton key={tab} height={10} width={72} />
          ))}
        </div>
      )}
      {children ?? <RowsSkeleton />}
    </>
  );
}

export function CardsSkeleton({ cards = 3 }: { cards?: number }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
      {range(cards).map((card) => (
        <Skeleton key={card} height={132} radius="md" />
      ))}
    </SimpleGrid>
  );
}

export function PanelSkeleton({ height = 240 }: { height?: number }) {
  return <Skeleton height={height} radius="md" />;
}
