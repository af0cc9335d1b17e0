import { Anchor, Text, VisuallyHidden } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { sendOutcome } from './send-outcome.ts';
import { useNow } from '#web/ui/use-now.ts';

const settleMs = 30_000;

/** Where the send stands, in one sentence; rate and time left once there are 30 seconds of data. */
export function SendHeadline({ send, live }: { send: Send; live: boolean }) {
  const { t } = useTranslation('sends');
  const format = useFormat();
  const now = useNow(live);
  const { phase, settled, percent, notSent } = sendOutcome(send);
  // What the page saw first, to tell a rate from.
  const [first] = useState(() => ({ at: Date.now(), settled }));
  const numbers = {
    processed: format.number(settled),
    total: format.number(send.recipients_total_count),
    sent: format.number(send.recipients_total_sent_count),
    notSent: format.number(notSent),
  };
  const seconds = Math.ceil((new Date(send.send_date).getTime() - now) / 1000);
  const words =
    phase === 'waiting'
      ? seconds > 120
        ? t('phase.waiting', { when: format.relative(send.send_date) })
        : seconds > 0
          ? t('phase.waitingSeconds', { count: seconds })
          : t('phase.starting')
      : phase === 'cancelled' && send.recipients_total_count === 0
        ? t(send.kind === 'follow_up' ? 'followUpCanceled' : 'canceledBeforeStart')
        : phase === 'preparing'
          ? t('phase.preparing')
          : t(`phase.${phase}`, numbers);

  const elapsed = now - first.at;
  const perMinute = ((settled - first.settled) / Math.max(1, elapsed)) * 60_000;
  const left = perMinute > 0 ? (send.recipients_total_count - settled) / perMinute : 0;
  const showRate = phase === 'moving' && elapsed > settleMs && perMinute > 0;
  return (
    <div>
      <Text size="xl" fw={650}>
        {words}
        {(phase === 'ended_short' || phase === 'failed') && (
          <Anchor href="#recipients" ms="sm" size="sm">
            {t('why')}
          </Anchor>
        )}
      </Text>
      {showRate && (
        <Text c="dimmed" size="sm">
          {t('rate', {
            rate: format.number(Math.round(perMinute)),
            left: left < 1 ? t('lessThanMinute') : t('minutes', { count: Math.ceil(left) }),
          })}
        </Text>
      )}
      {/* Screen readers hear every tenth, not every tick. */}
      <VisuallyHidden role="status">
        {phase === 'moving'
          ? t('announce', { percent: format.percent(Math.floor(percent / 10) / 10) })
          : phase === 'waiting'
            ? t('phase.waiting', { when: format.time(send.send_date) })
            : words}
      </VisuallyHidden>
    </div>
  );
}
