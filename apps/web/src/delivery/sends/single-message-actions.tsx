import { Button, Group } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { FinePrint } from '#web/ui/text.ts';
import { PauseButton, ResumeButton } from './pause-buttons.tsx';
import { useSendChanges } from './use-send-changes.ts';

/** Actions on an email that is sent on request. Only for users who can send. */
export default function SingleMessageActions({ send }: { send: Send }) {
  const { t } = useTranslation('delivery');
  const format = useFormat();
  const { cancel, pause, resume } = useSendChanges(send);
  const [isSwitchingOff, setSwitchingOff] = useState(false);
  if (!sendCan.cancel(send)) return null;
  const { id, recipients_queued_count: waiting } = send;
  return (
    <div>
      <Group gap="xs">
        {sendCan.pause(send) && <PauseButton send={send} pause={pause} />}
        {sendCan.resume(send) && <ResumeButton send={send} resume={resume} />}
        <Button c="var(--app-danger)" onClick={() => setSwitchingOff(true)}>
          {t('onRequest.switchOff')}
        </Button>
      </Group>
      <FinePrint mt={4}>{t(sendCan.resume(send) ? 'onRequest.whilePaused' : 'onRequest.whileOn')}</FinePrint>
      <ActionError error={pause.error ?? resume.error} />
      {isSwitchingOff && (
        <ConfirmDialog
          title={t('onRequest.offTitle', { name: send.touchpoint.name })}
          text={t('onRequest.offBody', { count: waiting, number: format.number(waiting) })}
          confirmLabel={t('onRequest.switchOff')}
          cancelLabel={t('onRequest.keep')}
          onConfirm={() => cancel.mutateAsync({ id })}
          onClose={() => setSwitchingOff(false)}
        />
      )}
    </div>
  );
}
