import { Button, Group, Text } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useSendChanges } from './use-send-changes.ts';

const icon = { size: 16, stroke: 1.75 };

/** Actions on an email that is sent on request. Only for users who can send. */
export default function SingleMessageActions({ send }: { send: Send }) {
  const { t } = useTranslation(['delivery', 'sends']);
  const format = useFormat();
  const { cancel, pause, resume } = useSendChanges(send);
  const [isSwitchingOff, setSwitchingOff] = useState(false);
  if (!sendCan.cancel(send)) return null;
  const { id, recipients_queued_count: waiting } = send;
  return (
    <div>
      <Group gap="xs">
        {sendCan.pause(send) && (
          <Button
            variant="default"
            leftSection={<IconPlayerPause {...icon} />}
            loading={pause.isPending}
            onClick={() => pause.mutate({ id })}
          >
            {t('sends:pause')}
          </Button>
        )}
        {sendCan.resume(send) && (
          <Button
            leftSection={<IconPlayerPlay {...icon} />}
            loading={resume.isPending}
            onClick={() => resume.mutate({ id })}
          >
            {t('sends:resume')}
          </Button>
        )}
        <Button variant="default" c="var(--app-danger)" onClick={() => setSwitchingOff(true)}>
          {t('onRequest.switchOff')}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {t(sendCan.resume(send) ? 'onRequest.whilePaused' : 'onRequest.whileOn')}
      </Text>
      <ActionError error={pause.error ?? resume.error} />
      {isSwitchingOff && (
        <ConfirmDialog
          title={t('onRequest.offTitle', { name: send.touchpoint.name })}
          confirmLabel={t('onRequest.switchOff')}
          cancelLabel={t('onRequest.keep')}
          onConfirm={() => cancel.mutateAsync({ id })}
          onClose={() => setSwitchingOff(false)}
        >
          <Text>{t('onRequest.offBody', { count: waiting, number: format.number(waiting) })}</Text>
        </ConfirmDialog>
      )}
    </div>
  );
}
