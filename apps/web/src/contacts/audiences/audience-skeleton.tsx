import { Skeleton } from '@mantine/core';
import { CardSkeleton, ColumnsSkeleton, FieldsSkeleton } from '#web/ui/page-skeletons.tsx';

/** Skeleton of an audience's rule and its result. */
export const AudienceSkeleton = () => (
  <ColumnsSkeleton
    main={
      <>
        <FieldsSkeleton fields={2} />
        <CardSkeleton lines={3} />
      </>
    }
    beside={
      <>
        <Skeleton height={16} width={144} my={5} />
        <Skeleton height={148} radius="md" />
        <CardSkeleton lines={5} />
      </>
    }
  />
);
