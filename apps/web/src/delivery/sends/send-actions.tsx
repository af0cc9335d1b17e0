import { Button, Group, Skeleton, Text } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import { IconArrowBackUp } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { loadForSchedules } from '#web/outreach/schedules/load-for-schedules.ts';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { PauseButton, ResumeButton } from './pause-buttons.tsx';
import { isPlanned } from './send-outcome.ts';
import { useSendChanges } from './use-send-changes.ts';

const PlannedActions = lazy(() =>
  loadForSchedules(() => import('#web/delivery/schedules/planned-actions.tsx')),
);

const SingleMessageActions = lazy(() => loadChunk(() => import('./single-message-actions.tsx')));

/** Actions on a send: Undo before any message is sent; afterwards a cancel with confirmation. */
export function SendActions({ send }: { send: Send }) {
  const { t } = useTranslation(['sends', 'sendPage']);
  const { can } = useOrganization();
  const { undo, cancel, pause, resume, followUp } = useSendChanges(send);
  if (!can('send', 'Touchpoint')) return null;
  if (isPlanned(send))
    return (
      <Suspense fallback={<Skeleton height={36} width={240} />}>
        <PlannedActions send={send} />
      </Suspense>
    );

  if (send.kind === 'triggered')
    return (
      <Suspense fallback={<Skeleton height={36} width={240} />}>
        <SingleMessageActions send={send} />
      </Suspense>
    );

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
        {isMoving && <PauseButton send={send} pause={pause} />}
        {sendCan.resume(send) && <ResumeButton send={send} resume={resume} />}
        {sendCan.followUp(send) && send.recipients_total_failed_count > 0 && (
          <Button variant="default" loading={followUp.isPending} onClick={() => followUp.mutate({ id })}>
            {t('sendPage:followUp', { count: send.recipients_total_failed_count })}
          </Button>
        )}
        {isUnderWay && <CancelUnderWay send={send} onConfirm={() => cancel.mutateAsync({ id })} />}
      </Group>
      {isMoving && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('sendPage:pauseNote')}
        </Text>
      )}
      <ActionError error={undo.error ?? pause.error ?? resume.error ?? followUp.error} />
    </div>
  );
}

function CancelUnderWay({ send, onConfirm }: { send: Send; onConfirm: () => Promise<unknown> }) {
  const { t } = useTranslation(['sendPage', 'sends']);
  const format = useFormat();
  const [confirming, setConfirming] = useState(false);
  return (
    <>
      <Button variant="default" c="var(--app-danger)" onClick={() => setConfirming(true)}>
        {t('sends:cancel')}
      </Button>
      {confirming && (
        <ConfirmDialog
          title={t('cancelTitle')}
          confirmLabel={t('cancelConfirm')}
          cancelLabel={t('keep')}
          onClose={() => setConfirming(false)}
          onConfirm={onConfirm}
        >
          <Text>
            {t('cancelBody', {
              sent: format.number(send.recipients_total_sent_count),
              left: format.number(send.recipients_queued_count),
            })}
          </Text>
        </ConfirmDialog>
      )}
    </>
  );
}
