import { Skeleton, Stack } from '@mantine/core';
import { MailEditorSkeleton } from '#web/content/editor/mail-editor-skeleton.tsx';
import { CardSkeleton, ColumnsSkeleton, FieldsSkeleton, PreviewSkeleton } from '#web/ui/page-skeletons.tsx';
import { RowsSkeleton } from '#web/ui/skeletons.tsx';

/** Sender and subject, beside the preview. */
export const inboxPanel = { name: 'inbox', min: 320, max: 560, initial: 440 } as const;

/** Skeleton of an email that is being written: content, audience and review. */
export const ComposeSkeleton = () => (
  <Stack gap="lg">
    <CardSkeleton>
      <FieldsSkeleton fields={1} />
      <MailEditorSkeleton />
      <PreviewSkeleton />
    </CardSkeleton>
    <CardSkeleton>
      <FieldsSkeleton fields={1} />
    </CardSkeleton>
    <CardSkeleton>
      <AudienceChoiceSkeleton />
    </CardSkeleton>
    <ColumnsSkeleton main={[8]} beside={[3, 3]} />
  </Stack>
);

export const AudienceChoiceSkeleton = () => (
  <Stack gap="lg" maw={760}>
    <FieldsSkeleton fields={1} />
    <Skeleton height={148} radius="md" />
    <RowsSkeleton rows={5} />
  </Stack>
);
