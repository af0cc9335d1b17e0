import { Button, Group, Text } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import { IconArrowBackUp, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DisabledWithTooltip } from '#web/ui/disabled-with-tooltip.tsx';
import { notify } from '#web/ui/notify.tsx';
import { ActionError } from '#web/ui/states.tsx';

/** What can still be done about a send. Undo while nothing has gone out; a confirmed cancel after that. */
export function SendActions({ send }: { send: Send }) {
  const { t } = useTranslation(['sends', 'common']);
  const format = useFormat();
  const { api, orgId, can } = useOrganization();
  const undo = useMutation(
    api.sends.cancel.mutationOptions({
      onSuccess: () => notify(t(send.kind === 'follow_up' ? 'followUpCanceled' : 'canceledBeforeStart')),
    }),
  );
  const cancel = useMutation(api.sends.cancel.mutationOptions());
  const pause = useMutation(api.sends.pause.mutationOptions());
  const resume = useMutation(api.sends.resume.mutationOptions());
  const navigate = useNavigate();
  const followUp = useMutation(
    api.sends.followUp.mutationOptions({
      onSuccess: ({ id: sendId, touchpoint_id: touchpointId }) =>
        void navigate({
          to: '/o/$orgId/touchpoints/$touchpointId/sends/$sendId',
          params: { orgId, touchpointId, sendId },
        }),
    }),
  );
  const [confirming, setConfirming] = useState(false);
  if (!can('send', 'Touchpoint')) return null;

  const { id } = send;
  const isUndoable = sendCan.undo(send);
  const isUnderWay = sendCan.cancel(send) && !isUndoable;
  const isMoving = isUnderWay && !sendCan.resume(send);
  return (
    <div>
      <Group gap="xs">
        {isUndoable && (
          <Button
            leftSection={<IconArrowBackUp size={16} stroke={1.75} />}
            loading={undo.isPending}
            onClick={() => undo.mutate({ id })}
          >
            {t('cancel')}
          </Button>
        )}
        {isMoving && (
          <DisabledWithTooltip
            variant="default"
            reason={sendCan.pause(send) ? undefined : t('pauseLater')}
            leftSection={<IconPlayerPause size={16} stroke={1.75} />}
            loading={pause.isPending}
            onClick={() => pause.mutate({ id })}
          >
            {t('pause')}
          </DisabledWithTooltip>
        )}
        {sendCan.resume(send) && (
          <Button
            leftSection={<IconPlayerPlay size={16} stroke={1.75} />}
            loading={resume.isPending}
            onClick={() => resume.mutate({ id })}
          >
            {t('resume')}
          </Button>
        )}
        {sendCan.followUp(send) && send.recipients_total_failed_count > 0 && (
          <Button variant="default" loading={followUp.isPending} onClick={() => followUp.mutate({ id })}>
            {t('followUp', { count: send.recipients_total_failed_count })}
          </Button>
        )}
        {isUnderWay && (
          <Button variant="default" c="var(--app-danger)" onClick={() => setConfirming(true)}>
            {t('cancel')}
          </Button>
        )}
      </Group>
      {isMoving && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('pauseNote')}
        </Text>
      )}
      <ActionError error={undo.error ?? pause.error ?? resume.error ?? followUp.error} />
      {confirming && (
        <ConfirmDialog
          title={t('cancelTitle')}
          confirmLabel={t('cancelConfirm')}
          cancelLabel={t('keep')}
          onClose={() => setConfirming(false)}
          onConfirm={() => cancel.mutateAsync({ id })}
        >
          <Text>
            {t('cancelBody', {
              sent: format.number(send.recipients_total_sent_count),
              left: format.number(send.recipients_queued_count),
            })}
          </Text>
        </ConfirmDialog>
      )}
    </div>
  );
}
