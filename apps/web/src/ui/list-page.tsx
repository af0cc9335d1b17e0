import { Box, Group, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListSearch } from '#web/platform/list-search.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { AsyncRegion } from './async-region.tsx';
import type { DeletedRow } from './data-table.tsx';
import { Pager } from './pager.tsx';
import { SearchField } from './search-field.tsx';
import { ActionError, NoResults } from './states.tsx';
import { useDelayed } from './use-delayed.ts';

/** What a table takes from the list around it. */
export interface TableState<Row> {
  rows: readonly Row[];
  order: string | undefined;
  onOrder: (order: string) => void;
  deleted: readonly DeletedRow[];
  /** Shown rows are being replaced. */
  busy: boolean;
}

interface Props<Row> {
  /** `hasMore`: there are more than `count`, which nobody has counted. */
  query: UseQueryResult<{ items: readonly Row[]; count?: number; hasMore?: boolean }>;
  /** What is listed, as it may start a sentence: "The campaigns". */
  what: string;
  /** The page's header, with the action to create. */
  header?: (create: ReactNode) => ReactNode;
  /** Stands in the header, or in the empty state: never in both, and it does not move while somebody is about to use it. */
  create?: ReactNode;
  /** Makes the list searchable. */
  searchLabel?: string;
  /** Which of several lists this is: stays where the list is empty. The address calls it `view`. */
  views?: ReactNode;
  filters?: ReactNode;
  /** Whether one of the filters is on. */
  filtered?: boolean;
  /** Takes search and filters back, where the address says more than these. */
  onClear?: () => void;
  /** At the end of the line of search and filters. */
  actions?: ReactNode;
  /** In place of a list that has nothing yet; a function gets the action to create. */
  empty?: ReactNode | ((create: ReactNode) => ReactNode);
  noResults?: string;
  /** From `defineList`. Absent where the list has no pages; then the first has everything. */
  list?: { pageSize: number; defaultOrder?: string | undefined };
  /** Rows that were deleted here, and why the last one could not be. */
  deletion?: { deleted: readonly DeletedRow[]; error: unknown };
  skeleton?: ReactNode;
  children: (table: TableState<Row>) => ReactNode;
}

/**
 * A list whose search, filters, order and page stand in the address. Shows the count and the pager, and what takes the
 * place of the rows: loading, error, denied, empty, no results.
 */
export function ListPage<Row>(props: Props<Row>) {
  const { query, header, create, filtered = false, deletion = noDeletion, list } = props;
  const navigate = useNavigate();
  const change = useChangeSearch<ListSearch<string>>();
  const address: ListSearch<string> & { view?: string } = useSearch({ strict: false });
  const { search, page = 1, order = list?.defaultOrder, view } = address;
  const isFiltered = filtered || search !== undefined;
  const hasRows = total(query.data) > 0 || deletion.deleted.length > 0;
  const isEmpty = query.isSuccess && !query.isPlaceholderData && !hasRows && !isFiltered;
  // Once somebody has pointed at the action of the header, or has it in focus, it does not move away any more.
  const [isHeld, setHeld] = useState(false);
  const hold = ({ target }: SyntheticEvent) => {
    if (target instanceof Element && target.closest('[data-primary-action]')) setHeld(true);
  };
  const isCreateInHeader = !isEmpty || props.empty === undefined || isHeld;
  // The line of search and filters stands as soon as the skeleton of the rows does.
  const isWaiting = useDelayed(query.isPending);
  const isSearchable = query.data === undefined ? isFiltered || isWaiting : !isEmpty;
  const clear =
    props.onClear ??
    (() => void navigate({ to: '.', search: (view === undefined ? {} : { view }) as never }));
  const table = {
    order,
    onOrder: (next: string) => change({ order: next }),
    deleted: deletion.deleted,
    busy: query.isPlaceholderData,
  };
  return (
    <>
      {header && (
        <Box display="contents" onPointerOver={hold} onFocus={hold}>
          {header(isCreateInHeader ? create : undefined)}
        </Box>
      )}
      {(isSearchable || props.views !== undefined) && (
        <Toolbar
          {...props}
          search={search}
          active={isFiltered}
          count={total(query.data)}
          hasMore={query.data?.hasMore ?? false}
        />
      )}
      <ActionError error={deletion.error} />
      <AsyncRegion query={query} what={props.what} skeleton={props.skeleton}>
        {({ items, count = items.length, hasMore = false }) => {
          if (isEmpty && props.empty !== undefined)
            return typeof props.empty === 'function'
              ? props.empty(isCreateInHeader ? undefined : create)
              : props.empty;
          if (!hasRows && isFiltered && props.noResults !== undefined)
            return <NoResults text={props.noResults} onClear={clear} />;
          // The address, or a deletion elsewhere, led beyond the last page.
          if (list && items.length === 0 && count > 0 && deletion.deleted.length === 0) {
            const last = Math.ceil(count / list.pageSize);
            return <Navigate to="." search={((all: object) => ({ ...all, page: last })) as never} replace />;
          }
          return (
            <>
              {props.children({ rows: items, ...table })}
              {list && (
                <Pager
                  page={page}
                  pageSize={list.pageSize}
                  shown={items.length}
                  total={count}
                  hasMore={hasMore}
                  onPage={(next) => change({ page: next })}
                />
              )}
            </>
          );
        }}
      </AsyncRegion>
    </>
  );
}

interface ToolbarProps {
  search: string | undefined;
  searchLabel?: string;
  views?: ReactNode;
  filters?: ReactNode;
  actions?: ReactNode;
  count: number;
  hasMore: boolean;
  active: boolean;
}

function Toolbar({ search, searchLabel, views, filters, actions, count, hasMore, active }: ToolbarProps) {
  const { t } = useTranslation();
  const change = useChangeSearch<ListSearch>();
  if (!searchLabel && !views && !filters && !actions) return null;
  return (
    <Group mb="md" gap="md" align="flex-end">
      {views}
      {searchLabel !== undefined && (
        <SearchField
          label={searchLabel}
          value={search ?? ''}
          onSearch={(text) => change({ search: text || undefined })}
        />
      )}
      {filters}
      {/* Said aloud once a search is on. */}
      <Text size="sm" lh="36px" c="dimmed" role="status" {...(active ? {} : { pos: 'absolute' })}>
        {active ? t(hasMore ? 'table.resultsOver' : 'table.results', { count }) : ''}
      </Text>
      {actions && <Box ml="auto">{actions}</Box>}
    </Group>
  );
}

const noDeletion = { deleted: [], error: undefined };

const total = (data: { items: readonly unknown[]; count?: number } | undefined): number =>
  data === undefined ? 0 : (data.count ?? data.items.length);
