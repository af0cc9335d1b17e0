import { Skeleton, Stack } from '@mantine/core';
import { CardSkeleton, ColumnsSkeleton, PreviewSkeleton } from '#web/ui/page-skeletons.tsx';
import { RowsSkeleton } from '#web/ui/skeletons.tsx';

/** Skeleton of a send's state and its recipients. */
export const SendSkeleton = () => (
  <Stack gap="lg">
    <ColumnsSkeleton
      main={
        <CardSkeleton>
          <Skeleton height={20} width={240} mb="lg" />
          <Skeleton height={12} mb="md" />
          <Skeleton height={10} width="40%" />
        </CardSkeleton>
      }
      beside={<CardSkeleton lines={3} />}
    />
    <RowsSkeleton />
  </Stack>
);

export const ReceiptSkeleton = () => (
  <Stack gap="lg">
    <ColumnsSkeleton main={<CardSkeleton lines={5} />} beside={<CardSkeleton lines={3} />} />
    <PreviewSkeleton />
  </Stack>
);
