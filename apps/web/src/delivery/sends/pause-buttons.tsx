import { Button } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { DisabledWithTooltip } from '#web/ui/disabled-with-tooltip.tsx';
import type { useSendChanges } from './use-send-changes.ts';

type Changes = ReturnType<typeof useSendChanges>;

/** Disabled while the send cannot be paused yet. */
export function PauseButton({ send, pause }: { send: Send } & Pick<Changes, 'pause'>) {
  const { t } = useTranslation('sends');
  return (
    <DisabledWithTooltip
      reason={sendCan.pause(send) || sendCan.hold(send) ? undefined : t('pauseLater')}
      leftSection={<IconPlayerPause size={16} />}
      loading={pause.isPending}
      onClick={() => pause.mutate({ id: send.id })}
    >
      {t('words.pause')}
    </DisabledWithTooltip>
  );
}

export function ResumeButton({ send, resume }: { send: Send } & Pick<Changes, 'resume'>) {
  const { t } = useTranslation('sends');
  return (
    <Button
      variant="filled"
      leftSection={<IconPlayerPlay size={16} />}
      loading={resume.isPending}
      onClick={() => resume.mutate({ id: send.id })}
    >
      {t('words.resume')}
    </Button>
  );
}
