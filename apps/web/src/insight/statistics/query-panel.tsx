import { Group, Paper } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';

interface Props<T> {
  query: UseQueryResult<T>;
  what: string;
  /** Target of links within the page. */
  id?: string;
  /** Below the content, such as the link to its numbers as a file. */
  file?: (data: T) => ReactNode;
  children: (data: T) => ReactNode;
}

/** A card that shows the state of its own query: its error leaves the others in place. */
export const QueryPanel = <T,>({ id, file, children, ...region }: Props<T>) => (
  <Paper withBorder p="md" radius="md" {...(id === undefined ? {} : { id })}>
    <AsyncRegion {...region} skeleton={<PanelSkeleton />}>
      {(data) => {
        const link = file?.(data);
        return (
          <>
            {children(data)}
            {link && <Group mt="sm">{link}</Group>}
          </>
        );
      }}
    </AsyncRegion>
  </Paper>
);
