import { useMutation } from '@tanstack/react-query';
import { refresh } from '#web/platform/query-client.ts';
import type { Operation } from '#web/ui/deletion.ts';
import { notify } from '#web/ui/notify.tsx';
import { useOrganization } from './use-organization.ts';

/**
 * Deletes the record of the current page. Leaves the page first, because refetching the record would fail with not found.
 */
export function useDeleteAndLeave<Input>(
  operation: Operation<Input>,
  leave: () => Promise<unknown>,
  done: string,
) {
  const { orgId } = useOrganization();
  return useMutation({
    ...operation,
    meta: { refreshes: false },
    onSuccess: async () => {
      await leave();
      await refresh(orgId);
      notify(done);
    },
  });
}
