import type { Send } from '@reachout/contract/sends.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { apiOf } from '#web/platform/api.ts';
import { queryClient, refresh } from '#web/platform/query-client.ts';
import { notify } from '#web/ui/notify.tsx';

/** The user's actions on a send, each as a separate mutation. */
export function useSendChanges(send: Send) {
  const { t } = useTranslation('sends');
  const { api, orgId } = useOrganization();
  const navigate = useNavigate();
  const saysUndone = () =>
    notify(t(send.kind === 'follow_up' ? 'followUpCancelled' : 'cancelledBeforeStart'));
  const over = { meta: { refreshes: false }, onSuccess: showChanged };
  const undo = useMutation(
    api.sends.cancel.mutationOptions({
      ...over,
      onSuccess: (changed) => {
        saysUndone();
        showChanged(changed);
      },
    }),
  );
  const cancel = useMutation(api.sends.cancel.mutationOptions(over));
  const pause = useMutation(api.sends.pause.mutationOptions(over));
  const resume = useMutation(api.sends.resume.mutationOptions(over));
  const followUp = useMutation(
    api.sends.followUp.mutationOptions({
      onSuccess: ({ id: sendId, touchpoint_id: touchpointId }) =>
        void navigate({
          to: '/o/$orgId/touchpoints/$touchpointId/sends/$sendId',
          params: { orgId, touchpointId, sendId },
        }),
    }),
  );
  return { undo, cancel, pause, resume, followUp };
}

/**
 * Shows the send from the response, which completes the change. Everything else on screen, such as the list of recipients,
 * is refetched in the background.
 */
function showChanged(send: Send): void {
  const orgId = send.organization_id;
  queryClient.setQueryData(apiOf(orgId).sends.get.queryKey({ input: { id: send.id } }), send);
  void refresh(orgId);
}
