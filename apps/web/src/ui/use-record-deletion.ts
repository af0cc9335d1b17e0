import { useMutation, type MutationFunction, type MutationKey } from '@tanstack/react-query';
import { useState } from 'react';

export interface Operation<Input> {
  mutationKey?: MutationKey;
  mutationFn?: MutationFunction<unknown, Input>;
}

/** The operations of the contract that delete a record and bring it back. */
export interface RecordOperations {
  delete: { mutationOptions: () => Operation<{ id: string }> };
  restore: { mutationOptions: () => Operation<{ id: string }> };
}

/** Deleting a record on its own page, whose place is then taken by what happened and the way back. */
export function useRecordDeletion(id: string, operations: RecordOperations) {
  const [deletedName, setDeletedName] = useState<string>();
  // The page still shows the record: asking for it again would find nothing.
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
