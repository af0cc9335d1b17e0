import { Skeleton } from '@mantine/core';

/** Skeleton of a template's editor. */
export const TemplateEditorSkeleton = () => (
  <>
    <Skeleton height={30} width={200} mb="xs" />
    <Skeleton height={640} radius="md" />
  </>
);
