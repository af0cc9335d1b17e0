import { Box, Skeleton, Stack } from '@mantine/core';
import { MailEditorSkeleton } from '#web/content/editor/mail-editor-skeleton.tsx';
import { CardSkeleton, ColumnsSkeleton, FieldsSkeleton, PreviewSkeleton } from '#web/ui/page-skeletons.tsx';
import { usePreferences } from '#web/platform/preferences.ts';
import panels from '#web/ui/resizable.module.css';
import { RowsSkeleton } from '#web/ui/skeletons.tsx';

/** Sender and subject, beside the preview. */
export const inboxPanel = { name: 'inbox', min: 320, max: 560, initial: 440 } as const;

/** Skeleton of an email that is being written: content, audience and review. */
export function ComposeSkeleton() {
  const { 'panel.inbox': width = inboxPanel.initial } = usePreferences();
  return (
    <Stack gap="lg">
      <CardSkeleton>
        <FieldsSkeleton fields={1} />
        <MailEditorSkeleton />
        <Box className={panels.beside ?? ''} mt="lg">
          <Box className={panels.panel ?? ''} w={width}>
            <FieldsSkeleton fields={4} />
          </Box>
          <PreviewedSkeleton />
        </Box>
      </CardSkeleton>
      <CardSkeleton>
        <FieldsSkeleton fields={1} />
      </CardSkeleton>
      <CardSkeleton>
        <AudienceChoiceSkeleton />
      </CardSkeleton>
      <CardSkeleton>
        <ReviewSkeleton />
      </CardSkeleton>
    </Stack>
  );
}

/** The preview for one recipient: recipient, inbox line and email. */
const PreviewedSkeleton = () => (
  <Stack gap="md">
    <FieldsSkeleton fields={1} />
    <Skeleton height={68} radius="md" />
    <PreviewSkeleton />
  </Stack>
);

export const AudienceChoiceSkeleton = () => (
  <Stack gap="lg" maw={760}>
    <FieldsSkeleton fields={1} />
    <Skeleton height={148} radius="md" />
    <RowsSkeleton rows={5} />
  </Stack>
);

export const ReviewSkeleton = () => (
  <ColumnsSkeleton
    main={<CardSkeleton lines={8} />}
    beside={
      <>
        <CardSkeleton lines={3} />
        <CardSkeleton lines={3} />
        <Skeleton height={42} />
      </>
    }
  />
);
