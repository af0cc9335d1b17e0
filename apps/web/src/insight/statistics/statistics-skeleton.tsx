import { Skeleton, Stack } from '@mantine/core';
import { CardSkeleton, TilesSkeleton } from '#web/ui/page-skeletons.tsx';

/** The results of an email while they are loading: figures, their course, and what is behind them. */
export const StatisticsSkeleton = () => (
  <Stack gap="lg">
    <TilesSkeleton tiles={5} />
    <CardSkeleton>
      <Skeleton height={280} radius="sm" />
    </CardSkeleton>
    <CardSkeleton lines={5} />
  </Stack>
);
