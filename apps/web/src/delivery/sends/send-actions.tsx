import { Button, Group, Skeleton } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { loadForSchedules } from '#web/outreach/schedules/load-for-schedules.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { FinePrint } from '#web/ui/text.ts';
import { PauseButton, ResumeButton } from './pause-buttons.tsx';
import { isPlanned } from './send-outcome.ts';
import { useSendChanges } from './use-send-changes.ts';

const fallback = <Skeleton height={36} width={240} />;

const PlannedActions = lazyPart(
  () => loadForSchedules(() => import('#web/delivery/schedules/planned-actions.tsx')),
  { fallback },
);

const SingleMessageActions = lazyPart(() => import('./single-message-actions.tsx'), { fallback });

/** Actions on a send: Undo before any message is sent; afterwards a cancel with confirmation. */
export function SendActions({ send }: { send: Send }) {
  const { t } = useTranslation(['sends', 'sendPage']);
  const { can } = useOrganization();
  const { undo, cancel, pause, resume, followUp } = useSendChanges(send);
  if (!can('send', 'Touchpoint')) return null;
  if (isPlanned(send)) return <PlannedActions send={send} />;

  if (send.kind === 'triggered') return <SingleMessageActions send={send} />;

  const { id } = send;
  const isUndoable = sendCan.undo(send);
  const isUnderWay = sendCan.cancel(send) && !isUndoable;
  const isMoving = isUnderWay && !sendCan.resume(send);
  return (
    <div>
      <Group gap="xs">
        {isUndoable && (
          <Button
            variant="filled"
            leftSection={<IconArrowBackUp size={16} />}
            loading={undo.isPending}
            onClick={() => undo.mutate({ id })}
          >
            {t('words.cancelSend')}
          </Button>
        )}
        {isMoving && <PauseButton send={send} pause={pause} />}
        {sendCan.resume(send) && <ResumeButton send={send} resume={resume} />}
        {sendCan.followUp(send) && send.recipients_total_failed_count > 0 && (
          <Button loading={followUp.isPending} onClick={() => followUp.mutate({ id })}>
            {t('sendPage:followUp', { count: send.recipients_total_failed_count })}
          </Button>
        )}
        {isUnderWay && <CancelUnderWay send={send} onConfirm={() => cancel.mutateAsync({ id })} />}
      </Group>
      {isMoving && <FinePrint mt={4}>{t('sendPage:pauseNote')}</FinePrint>}
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
      <Button c="var(--app-danger)" onClick={() => setConfirming(true)}>
        {t('words.cancelSend')}
      </Button>
      {confirming && (
        <ConfirmDialog
          title={t('cancelTitle')}
          text={t('cancelBody', {
            sent: format.number(send.recipients_total_sent_count),
            left: format.number(send.recipients_queued_count),
          })}
          confirmLabel={t('words.cancelSend')}
          cancelLabel={t('keep')}
          onClose={() => setConfirming(false)}
          onConfirm={onConfirm}
        />
      )}
    </>
  );
}
