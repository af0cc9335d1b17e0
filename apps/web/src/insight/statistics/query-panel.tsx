import { Paper } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';

interface Props<T> {
  query: UseQueryResult<T>;
  what: string;
  /** Target of links within the page. */
  id?: string;
  children: (data: T) => ReactNode;
}

/** A card that shows the state of its own query: its error leaves the others in place. */
export const QueryPanel = <T,>({ id, ...region }: Props<T>) => (
  <Paper withBorder p="md" radius="md" {...(id === undefined ? {} : { id })}>
    <AsyncRegion {...region} skeleton={<PanelSkeleton />} />
  </Paper>
);
