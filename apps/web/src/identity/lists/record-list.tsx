import { Group, Text } from '@mantine/core';
import type { Action, RecordAttributes, Subject } from '@reachout/contract/abilities.ts';
import type { RecordList as Records } from '@reachout/contract/record-lists.ts';
import type { Icon } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { useListColumns, type ListColumn } from '#web/identity/account/list-columns.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOptionalOrganization } from '#web/identity/organizations/use-organization.ts';
import { ListPage, type TableState } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { ListFilters, type ListFilter, type OtherFilter } from './list-filters.tsx';
import { useListTexts, type ListTextsIn } from './list-texts.ts';
import { idOf, useRecordActions, type ActionOptions } from './record-actions.tsx';
import { ActedTable, type TableLook } from './record-table.tsx';

interface Creation {
  permission: readonly [Action, Subject];
  /** The record concerned, if rules can be limited to clients or brands. */
  record?: RecordAttributes;
  label?: string;
  /** Another button. */
  button?: ReactNode;
  /** Why the present state does not allow it. */
  reason?: string | undefined;
  variant?: ComponentProps<typeof CreateButton>['variant'];
  /** The form, in a drawer; or `onClick`. */
  form?: (close: () => void) => ReactNode;
  onClick?: () => void;
  /** Shown beside it. */
  beside?: ReactNode;
}

export interface RecordListProps<Row extends object, Item, Name extends string = string>
  extends
    Omit<ActionOptions<Row, Name>, 'rows' | 'texts' | 'nameOf'>,
    Omit<TableLook<Row>, 'columns' | 'order' | 'onOrder' | 'busy'> {
  /** Absent if nothing can be done with the rows. */
  records?: Records<Row, Name>;
  /** For actions. */
  nameOf?: (row: Row) => string;
  /** `hasMore`: there are more than `count`, and their number is unknown. */
  query: UseQueryResult<{ items: readonly Item[]; count?: number; hasMore?: boolean }>;
  /** With a search; by default, if `list` has one. */
  isSearchable?: boolean;
  /** From `defineList`. Absent if the list has no paging; the first page then contains everything. */
  list?: { pageSize: number; defaultOrder?: string | undefined; isSearchable?: boolean };
  texts: ListTextsIn;
  /** What the records are called, if not the title of the texts. */
  label?: string;
  /** Of the empty list. */
  icon?: Icon;
  columns: readonly ListColumn<Row>[];
  /** The name under which the account stores the chosen columns. Without it, all are shown; with it, rows are dense. */
  columnsOf?: string;
  filters?: readonly (ListFilter | OtherFilter)[];
  /** At the end of the row of filters: an export, links. */
  actions?: ReactNode;
  create?: Creation;
  /** Around the create action: the page's header, by default. `false` below the header of a layout. */
  header?: ((create: ReactNode) => ReactNode) | false;
  /** Above the rows. */
  above?: ReactNode;
  /** Another text if search and filters match nothing. */
  noMatch?: string;
  /** What the pager counts, for groups of rows: "campaigns". */
  counted?: string;
  /** Clears search and filters if the address has more than those. */
  onClear?: () => void;
  /** In place of the table. */
  table?: (table: TableState<Row>) => ReactNode;
  /** Other texts of the empty list. Without an icon, only its text is shown. */
  empty?: { title?: string; text?: ReactNode; actions?: ReactNode };
}

/**
 * A list as a declaration: what it shows, by what it is limited, and what can be done with its records. Search, filters, order
 * and page are in the URL; menus of rows and the bar of selected rows offer the same actions, by `recordLists` of the contract.
 */
export function RecordList<Row extends object, Item, Name extends string>(
  props: RecordListProps<Row, Item, Name>,
) {
  const {
    query,
    list,
    isSearchable = list?.isSearchable,
    columnsOf,
    filters = [],
    create,
    header,
    counted,
    empty,
  } = props;
  const { records = noRecords as Records<Row, Name>, keyOf = idOf, nameOf = keyOf } = props;
  const { isDense = columnsOf !== undefined, levelOf } = props;
  const { title, text } = useListTexts(props.texts, props.label);
  const address: Record<string, unknown> = useSearch({ strict: false });
  const scope = useOptionalOrganization();
  const [isCreating, setCreating] = useState(false);
  const items = query.data?.items ?? [];
  const rows = records.rowsOf?.(items as readonly never[]) ?? (items as readonly unknown[] as Row[]);
  const actions = useRecordActions(records, { ...props, nameOf, rows });
  const { columns, choice } = useListColumns(columnsOf ?? '', props.columns);
  const search = address['search'] as string | undefined;
  const views = filters.filter(({ isView }) => isView);
  const choices = filters.filter(({ isView }) => !isView);
  const shownChoices = choices.filter((filter) => !('control' in filter) || Boolean(filter.control));
  const limits = choices.flatMap((filter) => ('names' in filter ? filter.names : filter.name));
  const button =
    create?.button ??
    (create && (
      <CreateButton
        permission={create.permission}
        reason={create.reason}
        {...(create.record ? { record: create.record } : {})}
        {...(create.variant === undefined ? {} : { variant: create.variant })}
        onClick={create.onClick ?? (() => setCreating(true))}
      >
        {create.label ?? text('new')}
      </CreateButton>
    ));
  const isReader = create !== undefined && scope?.canEver(...create.permission) === false;
  const emptyText = empty?.text ?? text(isReader ? ['empty.reader', 'empty.body'] : 'empty.body');
  const emptyState = (shown: ReactNode) =>
    props.icon ? (
      <EmptyState
        icon={props.icon}
        title={empty?.title ?? text(isReader ? ['empty.readerTitle', 'empty.title'] : 'empty.title')}
        text={emptyText}
        actions={empty?.actions ?? beside(shown, create?.beside)}
      />
    ) : (
      <Text c="dimmed">{emptyText}</Text>
    );
  const pageHeader = (shown: ReactNode) => (
    <PageHeader title={title} primary={beside(shown, create?.beside)} />
  );
  return (
    <>
      <ListPage
        query={query}
        what={text('what')}
        create={button}
        header={header === false ? undefined : (header ?? pageHeader)}
        searchLabel={isSearchable ? text('search') : undefined}
        views={views.length > 0 ? <ListFilters filters={views} /> : undefined}
        filters={shownChoices.length > 0 && <ListFilters filters={shownChoices} />}
        filtered={limits.some((name) => address[name] !== undefined)}
        noResults={
          props.noMatch ?? text(search === undefined ? 'noMatch' : ['noMatchSearch', 'noMatch'], { search })
        }
        empty={(props.icon || empty) && emptyState}
        actions={beside(columnsOf !== undefined && choice, props.actions)}
        list={list}
        counted={counted}
        onClear={props.onClear}
        deletion={actions.deletion}
      >
        {({ order, onOrder, deleted, busy }) => (
          <>
            {props.above}
            {props.table?.({ rows, order, onOrder, deleted, busy }) ?? (
              <ActedTable
                {...{ order, onOrder, busy, levelOf, rows, keyOf, nameOf, actions }}
                isDense={isDense || undefined}
                label={title}
                columns={columnsOf === undefined ? props.columns : columns}
              />
            )}
          </>
        )}
      </ListPage>
      {isCreating && create?.form?.(() => setCreating(false))}
    </>
  );
}

const noRecords: object = { list: '', actions: {} };

const beside = (shown: ReactNode, more: ReactNode): ReactNode =>
  shown && more ? (
    <Group gap="xs">
      {shown}
      {more}
    </Group>
  ) : (
    shown || more
  );
