import { ColumnsSkeleton, PreviewSkeleton } from '#web/ui/page-skeletons.tsx';
import { RowsSkeleton } from '#web/ui/skeletons.tsx';

/** Skeleton of a send's state and its recipients. */
export const SendSkeleton = () => <ColumnsSkeleton main={[3]} beside={[3]} below={<RowsSkeleton />} />;

export const ReceiptSkeleton = () => <ColumnsSkeleton main={[5]} beside={[3]} below={<PreviewSkeleton />} />;
