import { useMutation, type MutationFunction, type MutationKey } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { randomUuid } from '#web/platform/random-uuid.ts';
import type { DeletedRow } from './data-table.tsx';
import { notify } from './notify.tsx';

export interface Operation<Input> {
  mutationKey?: MutationKey;
  mutationFn?: MutationFunction<unknown, Input>;
}

/** The contract operations that delete and restore a record. */
interface RecordOperations {
  delete: { mutationOptions: () => Operation<{ id: string }> };
  restore: { mutationOptions: () => Operation<{ id: string }> };
}

interface Deletion<Input> {
  id: string;
  name: string;
  index: number;
  /** Input of both operations. */
  input: Input;
}

interface DeletedTogether {
  text: string;
  index: number;
  onUndo: () => Promise<unknown>;
}

/**
 * Soft deletion without confirmation: the row becomes a line with Undo, and is restored if the server rejects the deletion.
 * Show `error` above the list.
 */
export function useDeletedRows<Input>(operations: { remove: Operation<Input>; restore: Operation<Input> }) {
  const { t } = useTranslation();
  const [deleted, setDeleted] = useState<DeletedRow[]>([]);
  const removing = useMutation(operations.remove);
  const restoring = useMutation(operations.restore);
  const restoreRow = (id: string) => setDeleted((rows) => rows.filter((row) => row.id !== id));

  const undo = async ({ id, name, input }: Deletion<Input>, stored: Promise<unknown>) => {
    // If the restore arrived before the deletion, the deletion would revert it.
    await stored;
    await restoring.mutateAsync(input);
    restoreRow(id);
    notify(t('restored', { what: name }));
  };

  const remove = (deletion: Deletion<Input>) => {
    const { id, name, index, input } = deletion;
    restoring.reset();
    const stored = removing.mutateAsync(input);
    stored.catch(() => restoreRow(id));
    const onUndo = () => void undo(deletion, stored).catch(() => undefined);
    setDeleted((rows) => [...rows, { id, index, text: t('deleted', { what: name }), onUndo }]);
  };

  /** Adds one line for rows that were deleted together; it is removed once they are restored. */
  const add = ({ text, index, onUndo }: DeletedTogether) => {
    const id = randomUuid();
    const undoAll = () => {
      restoreRow(id);
      void onUndo();
    };
    setDeleted((rows) => [...rows, { id, index, text, onUndo: undoAll }]);
  };

  return { deleted, error: removing.error ?? restoring.error, remove, add };
}

/** State of a record's own page while the record is deleted from it; the page then shows what happened and Undo. */
export function useRecordDeletion(id: string, operations: RecordOperations) {
  const [deletedName, setDeletedName] = useState<string>();
  // The page still shows the record; refetching it would fail with not found.
  const removing = useMutation({ ...operations.delete.mutationOptions(), meta: { refreshes: false } });
  const restoring = useMutation(operations.restore.mutationOptions());
  return {
    deletedName,
    error: removing.error,
    remove: (name: string) => removing.mutate({ id }, { onSuccess: () => setDeletedName(name) }),
    restore: async () => {
      await restoring.mutateAsync({ id });
      setDeletedName(undefined);
    },
  };
}
