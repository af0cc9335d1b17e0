import { Group, Paper, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import classes from './recent-card.module.css';

interface Props<T> {
  title: string;
  query: UseQueryResult<T[]>;
  empty: string;
  all?: ReactNode;
  row: (entry: T) => ReactNode;
  rowKey: (entry: T) => string;
}

/** One card of the dashboard; it loads, fails and is empty on its own. */
export function RecentCard<T>({ title, query, empty, all, row, rowKey }: Props<T>) {
  return (
    <Paper withBorder radius="md" component="section" aria-label={title}>
      <Group justify="space-between" px="md" pt="md" pb="xs">
        <Title order={2} size="h3">
          {title}
        </Title>
        {all}
      </Group>
      <AsyncRegion query={query} what={title} skeleton={<PanelSkeleton height={220} />}>
        {(entries) =>
          entries.length === 0 ? (
            <Text c="dimmed" px="md" pb="md">
              {empty}
            </Text>
          ) : (
            <ul className={classes.rows}>
              {entries.map((entry) => (
                <li key={rowKey(entry)} className={classes.row}>
                  {row(entry)}
                </li>
              ))}
            </ul>
          )
        }
      </AsyncRegion>
    </Paper>
  );
}
