import { Button, Menu, Text } from '@mantine/core';
import type { RecordAction, RecordList } from '@reachout/contract/record-lists.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { permissions } from 'virtual:contract-permissions';
import type { Action, RecordAttributes, Subject } from '@reachout/contract/abilities.ts';
import { useOptionalOrganization } from '#web/identity/organizations/use-organization.ts';
import { useFormat } from '#web/i18n/format.ts';
import { client } from '#web/platform/api.ts';
import { changes, refresh } from '#web/platform/query-client.ts';
import type { RecordPage } from '#web/identity/lists/record-pages.ts';
import type { BulkAction } from '#web/ui/bulk-bar.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { useDeletedRows } from '#web/ui/deletion.ts';
import { notify, notifyFailure } from '#web/ui/notify.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { runEach } from '#web/ui/run-each.ts';
import { useDuplicate } from '#web/ui/use-duplicate.ts';
import { useListTexts, type ListTextsIn } from './list-texts.ts';

/** How an action of a list is shown. `duplicate`, `archive`, `unarchive` and `delete` have texts and effects of their own. */
export interface ShownAction<Row> {
  label?: string | ((row: Row) => string);
  icon?: ReactNode;
  isDestructive?: boolean;
  /** Shows a button in the row in place of an item of its menu; its label for screen readers. */
  button?: (row: Row) => string;
  /** Why the state of a record forbids it, beside the disabled item. Without it, the item is left out. */
  later?: string;
  /** Leaves the item out of a row's menu, by what the contract does not know: who looks. */
  isHidden?: (row: Row) => boolean;
  /** Disables the item without a reason. */
  isOff?: (row: Row) => boolean;
  /** A form or dialog in place of the operation. */
  open?: (row: Row, close: () => void) => ReactNode;
  /** Something else in place of the operation, which calls it by itself. */
  run?: (row: Row, index: number) => void;
  /** Asked before the operation, which cannot be undone. */
  question?: (row: Row) => { title: string; body: ReactNode };
  /** The body of the same question for several records. */
  bulkBody?: string;
  /** Notification after success. */
  done?: string | ((row: Row) => string);
}

export interface ActionOptions<Row, Name extends string> {
  rows: readonly Row[];
  /** By default, its `id`. */
  keyOf?: (row: Row) => string;
  nameOf: (row: Row) => string;
  /** Of the list, if its records are deleted for good. */
  texts?: ListTextsIn;
  /** By name; standard actions need none. */
  shown?: { [K in Name]?: ShownAction<Row> };
  /** The page of a record, which opens the copy that `duplicate` made. */
  recordPage?: RecordPage;
  /** The name's field in the input of `duplicate`. */
  nameField?: string;
  /** The client and the brand of the record on whose page the list is. */
  page?: RecordAttributes;
  /** Actions that are not offered here, such as those that a Directus does by itself. */
  withheld?: readonly NoInfer<Name>[];
  /** Further menu items, which are no operations of `records`: links, copying. */
  links?: (row: Row) => ReactNode;
  /** The same, below the actions. */
  linksBelow?: (row: Row) => ReactNode;
}

export interface RecordActions<Row> {
  /** Also undefined if no action is permitted on any record. */
  rowActions: ((row: Row, index: number) => ReactNode) | undefined;
  bulk: BulkAction<Row>[];
  canSelect: (row: Row) => boolean;
  /** An open form or question. */
  dialog: ReactNode;
  /** Why the last action failed. */
  error: unknown;
  deletion: Pick<ReturnType<typeof useDeletedRows>, 'deleted' | 'error'>;
}

type Named<Row> = RecordAction<Row> & { name: string };

/**
 * The actions of a list, in the menu of each row and for the selected rows: what is offered is what the contract allows the
 * member on that record, and what its state allows.
 */
export function useRecordActions<Row extends object, Name extends string>(
  records: RecordList<Row, Name>,
  options: ActionOptions<Row, Name>,
): RecordActions<Row> {
  const rules = useActionRules(records, options);
  const { all, isAllowed, isEverAllowed, isPossible } = rules;
  const { rowActions, deletion, ...menu } = useRowMenu(rules, options);
  const bulk = useBulk(rules, options, deletion);
  return {
    ...menu,
    rowActions: (options.links ?? options.linksBelow) || all.some(isEverAllowed) ? rowActions : undefined,
    bulk,
    canSelect: (row) =>
      all.some((action) => action.isBulk && isAllowed(action, row) && isPossible(action, row)),
    deletion,
  };
}

type Rules<Row> = ReturnType<typeof useActionRules<Row & object, string>>;

/** What can be done with which row, and the calls that do it. */
function useActionRules<Row extends object, Name extends string>(
  { actions, ownerOf, isRecord = () => true }: RecordList<Row, Name>,
  { rows, nameOf, texts, shown, page = {}, withheld = [] }: ActionOptions<Row, Name>,
) {
  const { t } = useTranslation(['lists', 'common']);
  const { text: listText } = useListTexts(texts ?? 'campaigns');
  const scope = useOptionalOrganization();
  const owner = scope?.orgId ?? 'me';
  const all = Object.entries<RecordAction<Row>>(actions)
    .filter(([name]) => !withheld.some((other) => other === name))
    .map(([name, action]) => ({ ...action, name }));
  const removal = all.find(({ name }) => name === 'delete');
  const inputOf = (action: RecordAction<Row>, row: Row) => action.input(row, owner);
  const perform = (action: RecordAction<Row>, row: Row, more: object = {}) =>
    operationOf(of(action.operation, row))({ ...inputOf(action, row), ...more });
  const takeBack = (action: RecordAction<Row>, row: Row) =>
    operationOf(of(action.undo ?? '', row))(inputOf(action, row));
  const isAllowed = ({ operation }: RecordAction<Row>, row: Row) =>
    isRecord(row) &&
    neededFor(of(operation, row)).every(
      ([act, subject]) => scope?.can(act, subject, ownerOf?.(row, page) ?? {}) ?? true,
    );
  const isPossible = ({ isFor }: RecordAction<Row>, row: Row) => isFor?.(row) ?? true;
  /** Whether it is allowed on at least one record: then its place is kept on every page of the list. */
  const isEverAllowed = ({ operation }: RecordAction<Row>) =>
    typeof operation === 'function'
      ? rows.some((row) => isAllowed({ operation } as RecordAction<Row>, row))
      : neededFor(operation).every(
          ([act, subject]) => scope?.can(act, subject, ownerOf ? undefined : {}) ?? true,
        );
  const shownOf = (name: string): ShownAction<Row> => ({
    ...standardActions(t)[name],
    ...(name === 'delete' && removal?.undo === undefined ? deletedForGood : {}),
    ...shown?.[name as Name],
  });
  const deletedForGood: ShownAction<Row> = {
    question: (row) => ({
      title: listText('deleteTitle', { name: nameOf(row) }),
      body: listText('deleteBody'),
    }),
    bulkBody: listText('deleteBody'),
  };
  return { all, owner, perform, takeBack, isAllowed, isEverAllowed, isPossible, shownOf };
}

/** The menu of a row, with what it opens. */
function useRowMenu<Row extends object, Name extends string>(
  { all, owner, perform, takeBack, isAllowed, isPossible, shownOf }: Rules<Row>,
  { keyOf = idOf, nameOf, recordPage, nameField = 'name', links, linksBelow }: ActionOptions<Row, Name>,
) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [opened, setOpened] = useState<{ action: Named<Row>; row: Row }>();
  const find = (name: string) => all.find((action) => action.name === name)!;

  const running = useMutation({
    ...changes(owner),
    mutationFn: ({ action, row }: { action: Named<Row>; row: Row }) => perform(action, row),
    onSuccess: (_result, { action: { name }, row }) => {
      const { done } = shownOf(name);
      const opposite = name === 'archive' ? all.find((other) => other.name === 'unarchive') : undefined;
      if (done !== undefined)
        notify(
          of(done, row),
          opposite && {
            label: t('actions.undo'),
            run: () => running.mutate({ action: opposite, row }),
          },
        );
    },
  });
  const duplicate = useDuplicate(
    {
      ...changes(owner),
      mutationFn: (input: { row: Row; name: string }) =>
        perform(find('duplicate'), input.row, { [nameField]: input.name }) as Promise<{ id: string }>,
    },
    ({ id }) => Promise.resolve(recordPage && navigate(recordPage(owner, id))),
  );
  const deletion = useDeletedRows<Row>({
    remove: { ...changes(owner), mutationFn: (row) => perform(find('delete'), row) },
    restore: { ...changes(owner), mutationFn: (row) => takeBack(find('delete'), row) },
  });

  const start = (action: Named<Row>, row: Row, index: number) => {
    const { open, run, question } = shownOf(action.name);
    if (run) run(row, index);
    else if (open || question) setOpened({ action, row });
    else if (action.name === 'duplicate') duplicate.run(nameOf(row), (copy) => ({ row, name: copy }));
    else if (action.undo !== undefined)
      deletion.remove({ id: keyOf(row), name: nameOf(row), index, input: row });
    else running.mutate({ action, row });
  };
  const itemOf = (action: Named<Row>, row: Row, index: number) => {
    const { label = '', icon, isDestructive, later, button, isHidden, isOff } = shownOf(action.name);
    if (!isAllowed(action, row) || isHidden?.(row)) return null;
    const isNow = isPossible(action, row);
    const reason = isNow ? undefined : later;
    // Of two opposites, the menu has the one that is possible.
    if (!isNow && (reason === undefined || isOpposed(action.name, row))) return null;
    if (button)
      return (
        <Button
          key={action.name}
          size="compact-sm"
          loading={running.isPending && running.variables.row === row}
          aria-label={button(row)}
          onClick={() => start(action, row, index)}
        >
          {of(label, row)}
        </Button>
      );
    return (
      <Menu.Item
        key={action.name}
        leftSection={icon}
        {...(isDestructive ? { c: 'var(--app-danger)' } : {})}
        disabled={!isNow || isOff?.(row) === true}
        onClick={() => start(action, row, index)}
      >
        {of(label, row)}
        {reason !== undefined && <span className="beside">{reason}</span>}
      </Menu.Item>
    );
  };
  const isOpposed = (name: string, row: Row) =>
    name === 'archive' && all.some((other) => other.name === 'unarchive' && isPossible(other, row));
  const rowActions = (row: Row, index: number) => {
    const items = all.map((action) => itemOf(action, row, index)).filter((item) => item !== null);
    const more = links?.(row);
    const below = linksBelow?.(row);
    if (items.length === 0 && !more && !below) return null;
    if (!more && !below && all.every(({ name }) => shownOf(name).button)) return items;
    return (
      <RowMenu name={nameOf(row)}>
        {more}
        {items}
        {below}
      </RowMenu>
    );
  };

  return {
    rowActions,
    deletion,
    error: duplicate.error ?? (opened === undefined ? running.error : undefined),
    dialog: opened && (
      <Opened
        {...shownOf(opened.action.name)}
        row={opened.row}
        onClose={() => {
          setOpened(undefined);
          // Its question has shown why it failed.
          running.reset();
        }}
        perform={() => running.mutateAsync(opened)}
      />
    ),
  };
}

/** The actions on the selected rows. */
function useBulk<Row extends object, Name extends string>(
  { all, owner, perform, takeBack, isAllowed, isEverAllowed, isPossible, shownOf }: Rules<Row>,
  { rows, keyOf = idOf, nameOf }: ActionOptions<Row, Name>,
  deletion: Pick<ReturnType<typeof useDeletedRows>, 'add'>,
): BulkAction<Row>[] {
  const { t } = useTranslation('lists');
  const format = useFormat();

  /** Undoes a bulk action. Records for which that failed are named in a notification, on whichever page the user is by then. */
  const undoAll = async (done: readonly Row[], operation: (row: Row) => Promise<unknown>) => {
    const { done: undone, failed, left } = await runEach(done, operation);
    await refresh(owner);
    if (undone.length > 0) notify(t('bulk.restored', { count: undone.length }));
    const names = [...failed.map(({ row }) => row), ...left].map(nameOf);
    if (names.length > 0)
      notifyFailure(t('bulk.notRestored', { count: names.length, names: format.list(names) }));
  };
  const afterBulk = (action: Named<Row>, done: Row[]) => {
    const count = done.length;
    const unarchive = all.find(({ name }) => name === 'unarchive');
    if (action.undo !== undefined)
      deletion.add({
        text: t('bulk.deleted', { count }),
        index: Math.min(...done.map((row) => rows.findIndex((other) => keyOf(other) === keyOf(row)))),
        onUndo: () => undoAll(done, (row) => takeBack(action, row)),
      });
    else if (action.name === 'archive' && unarchive)
      notify(t('bulk.archived', { count }), {
        label: t('actions.undo'),
        run: () => void undoAll(done, (row) => perform(unarchive, row)),
      });
    else notify(t(action.name === 'unarchive' ? 'bulk.unarchived' : 'bulk.deleted', { count }));
  };
  return all
    .filter((action) => action.isBulk === true && isEverAllowed(action))
    .map((action): BulkAction<Row> => {
      const { label, isDestructive = false, bulkBody } = shownOf(action.name);
      return {
        label: typeof label === 'string' ? label : '',
        isDestructive,
        isFor: (row, isSelected) =>
          isPossible(action, row) && isAllowed(action, row) && !isSelected(action.includedIn?.(row) ?? ''),
        reason: t(bulkReasons[action.name as keyof typeof bulkReasons]),
        operation: (row) => perform(action, row),
        ...(action.undo === undefined && bulkBody !== undefined
          ? { question: { title: (count) => t('bulk.deleteTitle', { count }), body: bulkBody } }
          : {}),
        onDone: (done) => afterBulk(action, done),
      };
    });
}

interface OpenedProps<Row> extends ShownAction<Row> {
  row: Row;
  perform: () => Promise<unknown>;
  onClose: () => void;
}

/** The form of an action, or the question before it. */
function Opened<Row>({
  row,
  open,
  question,
  label = '',
  isDestructive = true,
  perform,
  onClose,
}: OpenedProps<Row>) {
  if (open) return open(row, onClose);
  if (!question) return null;
  const { title, body } = question(row);
  return (
    <ConfirmDialog
      title={title}
      confirmLabel={of(label, row)}
      isDestructive={isDestructive}
      onClose={onClose}
      onConfirm={perform}
    >
      {typeof body === 'string' ? <Text>{body}</Text> : body}
    </ConfirmDialog>
  );
}

const bulkReasons = {
  archive: 'bulk.noneToArchive',
  unarchive: 'bulk.noneToUnarchive',
  delete: 'bulk.noneToDelete',
} as const;

type Translate = ReturnType<typeof useTranslation<['lists', 'common']>>['t'];

const standardActions = (t: Translate): Record<string, ShownAction<object>> => ({
  duplicate: { label: t('common:actions.duplicate') },
  archive: {
    label: t('common:actions.archive'),
    later: t('archiveLater'),
    done: t('status.archived'),
  },
  unarchive: { label: t('common:actions.unarchive'), done: t('words.unarchived') },
  edit: { label: t('common:actions.edit') },
  rename: { label: t('common:actions.rename') },
  delete: { label: t('common:actions.delete'), isDestructive: true },
});

const of = <Row, T>(value: T | ((row: Row) => T), row: Row): T =>
  typeof value === 'function' ? (value as (row: Row) => T)(row) : value;

/** The permissions that an operation needs; none for operations of a user or an operator. */
const neededFor = (operation: string): [Action, Subject][] =>
  (permissions[operation]?.split(',') ?? []).map((each) => each.split(' ') as [Action, Subject]);

/** An operation by its name: `campaigns.update`. */
const operationOf = (name: string): ((input: object) => Promise<unknown>) =>
  name.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], client) as never;

/** The key of a record. */
export const idOf = (row: object): string => (row as { id: string }).id;
