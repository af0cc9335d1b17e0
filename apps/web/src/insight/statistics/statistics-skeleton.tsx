import { Skeleton, Stack } from '@mantine/core';
import { CardSkeleton, TilesSkeleton } from '#web/ui/page-skeletons.tsx';

/** Skeleton of an email's results: metrics, chart and breakdowns. */
export const StatisticsSkeleton = () => (
  <Stack gap="lg">
    <Skeleton height={36} width={220} radius="sm" />
    <TilesSkeleton tiles={7} />
    <CardSkeleton>
      <Skeleton height={280} radius="sm" />
    </CardSkeleton>
    <CardSkeleton lines={5} />
  </Stack>
);
