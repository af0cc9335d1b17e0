import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { refresh } from '#web/platform/query-client.ts';
import type { BulkAction } from '#web/ui/bulk-bar.tsx';
import type { RecordDeletion } from '#web/ui/deletion.ts';
import { notify, notifyFailure } from '#web/ui/notify.tsx';
import { runEach } from '#web/ui/run-each.ts';
import { useOrganization } from './use-organization.ts';

type Operation<Row> = (row: Row) => Promise<unknown>;

interface Possible<Row> {
  /** Whether state and permissions allow it. */
  isFor: BulkAction<Row>['isFor'];
  operation: Operation<Row>;
}

interface Options<Row> {
  /** All rows shown: the line of deleted rows replaces the first of them. */
  rows: readonly { id: string }[];
  /** Each action is omitted for a role that can never do it. */
  archive?: Possible<Row> | false;
  unarchive?: Possible<Row> | false;
  remove: Removal<Row> | false;
}

/** Some records can be restored; others need confirmation before deletion. */
type Removal<Row> = Possible<Row> &
  ({ restore: Operation<Row>; deletion: RecordDeletion } | { question: string });

/**
 * Bulk actions to archive, unarchive and delete records of a list, as far as the rules allow. Archiving can be undone from
 * its notification or by unarchiving; deletion from the line that replaces the rows, or it asks for confirmation first.
 */
export function useBulkActions<Row extends { id: string; name: string }>(
  options: Options<Row>,
): BulkAction<Row>[] {
  const { t } = useTranslation(['lists', 'common']);
  const format = useFormat();
  const { orgId } = useOrganization();
  const { rows, archive, unarchive, remove } = options;

  /** Undoes an action. Records for which that failed are named in a notification, on whichever page the user is by then. */
  const undo = async (done: readonly Row[], operation: Operation<Row>) => {
    const { done: undone, failed, left } = await runEach(done, operation);
    await refresh(orgId);
    if (undone.length > 0) notify(t('bulk.restored', { count: undone.length }));
    const others = [...failed.map(({ row }) => row), ...left];
    const names = format.list(others.map(({ name }) => name));
    if (others.length > 0) notifyFailure(t('bulk.notRestored', { count: others.length, names }));
  };

  const actions: BulkAction<Row>[] = [];
  if (archive && unarchive)
    actions.push(
      {
        label: t('common:actions.archive'),
        reason: t('bulk.noneToArchive'),
        ...archive,
        onDone: (done) =>
          notify(t('bulk.archived', { count: done.length }), {
            label: t('common:actions.undo'),
            run: () => void undo(done, unarchive.operation),
          }),
      },
      {
        label: t('common:actions.unarchive'),
        reason: t('bulk.noneToUnarchive'),
        ...unarchive,
        onDone: (done) => notify(t('bulk.unarchived', { count: done.length })),
      },
    );
  if (!remove) return actions;
  const { isFor, operation } = remove;
  const removal = {
    label: t('common:actions.delete'),
    reason: t('bulk.noneToDelete'),
    isDestructive: true,
    isFor,
    operation,
  };
  if ('restore' in remove)
    actions.push({
      ...removal,
      onDone: (done) =>
        remove.deletion.add({
          text: t('bulk.deleted', { count: done.length }),
          index: Math.min(...done.map((row) => rows.findIndex(({ id }) => id === row.id))),
          onUndo: () => undo(done, remove.restore),
        }),
    });
  else
    actions.push({
      ...removal,
      question: { title: (count) => t('bulk.deleteTitle', { count }), body: remove.question },
      onDone: (done) => notify(t('bulk.deleted', { count: done.length })),
    });
  return actions;
}
