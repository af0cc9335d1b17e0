import { Box, Button, Group, Text } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
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
import classes from './list-page.module.css';

/** The props that a table gets from its list page. */
export interface TableState<Row> {
  rows: readonly Row[];
  order: string | undefined;
  onOrder: (order: string) => void;
  deleted: readonly DeletedRow[];
  /** Whether the rows shown are about to be replaced. */
  busy: boolean;
}

interface Props<Row> {
  /** `hasMore`: there are more than `count`, and their number is unknown. */
  query: UseQueryResult<{ items: readonly Row[]; count?: number; hasMore?: boolean }>;
  /** What is listed, as the start of a sentence: "The campaigns". */
  what: string;
  /** Renders the page header with the create action. */
  header?: ((create: ReactNode) => ReactNode) | undefined;
  /**
   * The create action, shown either in the header or in the empty state. It does not move while the user is about to use it.
   */
  create?: ReactNode;
  /** Enables search. */
  searchLabel?: string | undefined;
  /** Selects one of several lists, also shown if the list is empty. Stored in the URL as `view`. */
  views?: ReactNode;
  filters?: ReactNode;
  /** Whether a filter is active. */
  filtered?: boolean;
  /** Clears search and filters if the URL contains further parameters. */
  onClear?: (() => void) | undefined;
  /** Shown at the end of the search and filter row. */
  actions?: ReactNode;
  /** Replaces a list without any items; a function gets the create action. */
  empty?: ReactNode | ((create: ReactNode) => ReactNode);
  noResults?: string;
  /** From `defineList`. Absent if the list has no paging; the first page then contains everything. */
  list?: { pageSize: number; defaultOrder?: string | undefined } | undefined;
  /** What the pager counts, for groups of rows: "campaigns". */
  counted?: string | undefined;
  /** Rows deleted on this page, and why the last deletion failed. */
  deletion?: { deleted: readonly DeletedRow[]; error: unknown };
  skeleton?: ReactNode;
  children: (table: TableState<Row>) => ReactNode;
}

/**
 * A list whose search, filters, order and page are stored in the URL. Shows the count and the pager, and the states that
 * replace the rows: loading, error, denied, empty, no results.
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
  // Once the header action is hovered or focused, it no longer moves.
  const [isHeld, setHeld] = useState(false);
  // On phones, filters and sort order are shown on request.
  const [isAdjusting, setAdjusting] = useState(false);
  const hold = ({ target }: SyntheticEvent) => {
    if (target instanceof Element && target.closest('[data-primary-action]')) setHeld(true);
  };
  const isCreateInHeader = !isEmpty || props.empty === undefined || isHeld;
  // The search and filter row appears together with the skeleton of the rows.
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
          isSortable={list?.defaultOrder !== undefined}
          isAdjusting={isAdjusting}
          onAdjust={() => setAdjusting(!isAdjusting)}
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
          // The URL, or a deletion elsewhere, led beyond the last page.
          if (list && items.length === 0 && count > 0 && deletion.deleted.length === 0) {
            const last = Math.ceil(count / list.pageSize);
            return <Navigate to="." search={((all: object) => ({ ...all, page: last })) as never} replace />;
          }
          return (
            <>
              <div data-adjusting={isAdjusting}>{props.children({ rows: items, ...table })}</div>
              {list && (
                <Pager
                  page={page}
                  pageSize={list.pageSize}
                  shown={items.length}
                  total={count}
                  hasMore={hasMore}
                  counted={props.counted}
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
  searchLabel?: string | undefined;
  views?: ReactNode;
  filters?: ReactNode;
  actions?: ReactNode;
  count: number;
  hasMore: boolean;
  active: boolean;
  isSortable: boolean;
  isAdjusting: boolean;
  onAdjust: () => void;
}

function Toolbar(props: ToolbarProps) {
  const { search, searchLabel, views, filters, actions, count, hasMore, active } = props;
  const { t } = useTranslation();
  const change = useChangeSearch<ListSearch>();
  if (!searchLabel && !views && !filters && !actions) return null;
  return (
    <Group mb="md" gap="md" align="flex-end" className={classes.toolbar} data-adjusting={props.isAdjusting}>
      {views}
      {searchLabel !== undefined && (
        <SearchField
          label={searchLabel}
          value={search ?? ''}
          onSearch={(text) => change({ search: text || undefined })}
        />
      )}
      {(filters || actions || props.isSortable) && (
        <Button
          variant={active && search === undefined ? 'light' : 'default'}
          className={classes.adjust}
          leftSection={<IconAdjustmentsHorizontal size={16} />}
          aria-expanded={props.isAdjusting}
          onClick={props.onAdjust}
        >
          {t('table.adjust')}
        </Button>
      )}
      {filters && <div className={classes.filters}>{filters}</div>}
      {/* Announced to screen readers while a search is active. */}
      <Text size="sm" lh="36px" c="dimmed" role="status" {...(active ? {} : { pos: 'absolute' })}>
        {active ? t(hasMore ? 'table.resultsOver' : 'table.results', { count }) : ''}
      </Text>
      {actions && <div className={classes.actions}>{actions}</div>}
    </Group>
  );
}

const noDeletion = { deleted: [], error: undefined };

const total = (data: { items: readonly unknown[]; count?: number } | undefined): number =>
  data === undefined ? 0 : (data.count ?? data.items.length);
