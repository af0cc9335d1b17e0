import { Skeleton, Stack } from '@mantine/core';
import { FieldsSkeleton, PreviewSkeleton } from '#web/ui/page-skeletons.tsx';
import classes from './template-editor.module.css';

/** Skeleton of a template's source and preview. */
export const TemplateEditorSkeleton = () => (
  <>
    <Skeleton height={36} width={144} mb="md" />
    <div className={classes.split} data-show="source">
      <Skeleton height={640} radius="md" />
      <Stack gap="sm">
        <FieldsSkeleton fields={1} />
        <PreviewSkeleton />
      </Stack>
    </div>
  </>
);
