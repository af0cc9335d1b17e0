import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { changes } from '#web/platform/query-client.ts';
import { notify } from '#web/ui/notify.tsx';

const maxLooks = 20;
const lookMs = 1_000;

/** Retries the waiting and failed copies, and waits for the result. */
export function useRetryCopies() {
  const { t } = useTranslation('clients');
  const { orgId } = useOrganization();
  return useMutation({
    ...changes(orgId),
    mutationFn: async () => {
      let copies = await client.contentBackend.retryCopies({ id: orgId });
      const isUnderWay = () => copies.waiting_count > 0 && copies.next_attempt_at === null;
      for (let looks = 0; isUnderWay() && looks < maxLooks; looks += 1) {
        await new Promise((resolve) => {
          setTimeout(resolve, lookMs);
        });
        copies = await client.contentBackend.copies({ id: orgId });
      }
      return copies;
    },
    onSuccess: ({ waiting_count, failed_count }) =>
      notify(waiting_count + failed_count === 0 ? t('sync.done') : t('sync.notDone')),
  });
}
