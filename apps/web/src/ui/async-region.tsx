import { Button, Group, Paper, Text, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { isProblem } from '#web/platform/problem.ts';
import { Loading, RecordSkeleton, RowsSkeleton } from './skeletons.tsx';
import { ErrorState, ForbiddenState, NotFoundState, OfflineState } from './states.tsx';
import { useDelayed } from './use-delayed.ts';

interface Props<T> {
  query: UseQueryResult<T>;
  /** What is being loaded, as the start of a sentence: "The campaigns". */
  what: string;
  skeleton?: ReactNode;
  /** Whether the region is the whole page: its states then render the page's heading. */
  page?: boolean;
  children: (value: T) => ReactNode;
}

/** Renders the state of a region that depends on one query: loading, error, forbidden, not found or stale. */
export function AsyncRegion<T>({ query, what, skeleton, page = false, children }: Props<T>) {
  const { t } = useTranslation();
  const format = useFormat();
  const showSkeleton = useDelayed(query.isPending);
  const retry = () => void query.refetch();

  if (query.data === undefined && query.isError) {
    if (isProblem(query.error, 403)) return <ForbiddenState order={page ? 1 : 2} />;
    if (isProblem(query.error, 404)) return <NotFoundState order={page ? 1 : 2} />;
    return (
      <>
        {page && <VisuallyHidden component="h1">{what}</VisuallyHidden>}
        <ErrorState error={query.error} what={what} onRetry={retry} />
      </>
    );
  }
  // While offline, queries are paused; they run as soon as there is a connection.
  if (query.data === undefined && query.fetchStatus === 'paused') {
    return <OfflineState what={what} order={page ? 1 : 2} />;
  }
  if (query.data === undefined || showSkeleton) {
    return showSkeleton ? (
      <Loading what={what}>{skeleton ?? (page ? <RecordSkeleton /> : <RowsSkeleton />)}</Loading>
    ) : (
      <div aria-busy="true" />
    );
  }
  return (
    <>
      {query.isRefetchError && (
        <Paper withBorder px="md" py="xs" mb="md" role="status">
          <Group justify="space-between">
            <Text size="sm">{t('load.stale', { ago: format.relative(new Date(query.dataUpdatedAt)) })}</Text>
            <Button size="xs" onClick={retry}>
              {t('actions.retry')}
            </Button>
          </Group>
        </Paper>
      )}
      {children(query.data)}
    </>
  );
}
