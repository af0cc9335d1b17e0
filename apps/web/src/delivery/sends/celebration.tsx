import { Group, Text } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { hasEnded } from '@reachout/contract/states/send.ts';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import classes from './celebration.module.css';
import { isSuccess } from './send-outcome.ts';

/** Whether the send was completed, with success, while the page showed it. @param send  undefined while it is loading */
export function useJustCompleted(send: Send | undefined): boolean {
  const [liveId, setLiveId] = useState<string>();
  if (send === undefined) return false;
  if (!hasEnded(send) && liveId !== send.id) setLiveId(send.id);
  return liveId === send.id && hasEnded(send) && isSuccess(send);
}

/** A short moment for a send that has just been completed, with what came of it. */
export function Celebration({ send }: { send: Send }) {
  const { t } = useTranslation('sendPage');
  const format = useFormat();
  const sent = send.recipients_total_sent_count;
  const total = send.recipients_total_count;
  return (
    <Group gap="sm" wrap="nowrap" role="status">
      <span className={classes.mark} aria-hidden>
        <IconCheck size={18} stroke={2.5} />
      </span>
      <Text fw={500}>
        {sent === total
          ? t('celebration.all', { count: total, number: format.number(total) })
          : t('celebration.most', { sent: format.number(sent), total: format.number(total) })}
      </Text>
    </Group>
  );
}
