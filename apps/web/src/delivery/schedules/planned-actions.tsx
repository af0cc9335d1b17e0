import { Button, Group } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import { IconCalendarEvent, IconPlayerSkipForward, IconSend } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PauseButton, ResumeButton } from '#web/delivery/sends/pause-buttons.tsx';
import { useSendChanges } from '#web/delivery/sends/use-send-changes.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ChangeTime } from '#web/outreach/schedules/change-time.tsx';
import { schedulesQuery } from '#web/outreach/schedules/schedules-query.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { notify } from '#web/ui/notify.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { useUnschedule } from './use-unschedule.ts';

/** Actions on a send that waits for its date, or for a decision. Only for users who can send. */
export default function PlannedActions({ send }: { send: Send }) {
  const { t } = useTranslation(['schedules', 'sends']);
  const scope = useOrganization();
  const { api, orgId } = scope;
  const navigate = useNavigate();
  const { undo, pause, resume } = useSendChanges(send);
  const { unschedule, error: unscheduleError } = useUnschedule(send);
  const [isChanging, setChanging] = useState(false);
  const [isEnding, setEnding] = useState(false);
  const now = useNow(true);
  const schedules = useQuery({
    ...schedulesQuery(scope, send.touchpoint_id),
    enabled: send.schedule_id !== null,
  });
  const schedule = schedules.data?.find(({ id }) => id === send.schedule_id);
  const toEmail = () =>
    void navigate({
      to: '/o/$orgId/touchpoints/$touchpointId',
      params: { orgId, touchpointId: send.touchpoint_id },
    });
  const skip = useMutation(
    api.sends.cancel.mutationOptions({
      onSuccess: () => {
        notify(t('skipped'));
        toEmail();
      },
    }),
  );
  const { id } = send;
  const isPast = new Date(send.send_date).getTime() <= now;
  const isSeries = schedule !== undefined && schedule.rrule !== null;
  return (
    <div>
      <Group gap="xs">
        {sendCan.resume(send) &&
          (isPast ? (
            <Button
              variant="filled"
              leftSection={<IconSend size={16} />}
              loading={resume.isPending}
              onClick={() => resume.mutate({ id })}
            >
              {t('words.sendNow')}
            </Button>
          ) : (
            <ResumeButton send={send} resume={resume} />
          ))}
        {send.schedule_id !== null && (
          <Button leftSection={<IconCalendarEvent size={16} />} onClick={() => setChanging(true)}>
            {t('changeTime')}
          </Button>
        )}
        {sendCan.hold(send) && <PauseButton send={send} pause={pause} />}
        {isSeries && (
          <Button
            leftSection={<IconPlayerSkipForward size={16} />}
            loading={skip.isPending}
            onClick={() => skip.mutate({ id })}
          >
            {t('skip')}
          </Button>
        )}
        {send.schedule_id === null ? (
          <Button loading={undo.isPending} onClick={() => undo.mutate({ id })}>
            {t('words.cancelSend')}
          </Button>
        ) : (
          <Button
            c="var(--app-danger)"
            disabled={schedule === undefined}
            loading={unschedule.isPending}
            onClick={() => (isSeries ? setEnding(true) : schedule && unschedule.mutate(schedule))}
          >
            {t('unschedule')}
          </Button>
        )}
      </Group>
      <ActionError
        error={resume.error ?? pause.error ?? skip.error ?? undo.error ?? (isEnding ? null : unscheduleError)}
      />
      {isChanging && send.schedule_id !== null && (
        <ChangeTime
          touchpoint={send.touchpoint}
          scheduleId={send.schedule_id}
          onClose={() => setChanging(false)}
        />
      )}
      {isEnding && schedule && (
        <ConfirmDialog
          title={t('unscheduleSeriesTitle')}
          text={t('unscheduleSeriesBody')}
          confirmLabel={t('unscheduleSeriesConfirm')}
          onConfirm={() => unschedule.mutateAsync(schedule)}
          onClose={() => setEnding(false)}
        />
      )}
    </div>
  );
}
