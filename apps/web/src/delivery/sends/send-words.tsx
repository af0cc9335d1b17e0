import type { Send } from '@reachout/contract/sends.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { QuietText } from '#web/ui/text.ts';
import { useNow } from '#web/ui/use-now.ts';
import { sendOutcome } from './send-outcome.ts';
import { timeLeft } from './time-left.ts';

/** The status sentence of a send; counts down to the start while the send is live. */
export function useSendWords(send: Send, live: boolean): string {
  const { t } = useTranslation('sends');
  const format = useFormat();
  const now = useNow(live);
  const { phase, settled } = sendOutcome(send);
  const numbers = {
    processed: format.number(settled),
    total: format.number(send.recipients_total_count),
    sent: format.number(send.recipients_total_sent_count),
  };
  const seconds = Math.ceil((new Date(send.send_date).getTime() - now) / 1000);
  return phase === 'waiting'
    ? seconds > 120
      ? t('phase.waiting', { when: format.relative(send.send_date) })
      : seconds > 0
        ? t('phase.waitingSeconds', { count: seconds })
        : t('phase.starting')
    : phase === 'cancelled' && send.recipients_total_count === 0
      ? t(send.kind === 'follow_up' ? 'followUpCancelled' : 'cancelledBeforeStart')
      : phase === 'preparing'
        ? t('phase.preparing')
        : phase === 'paused' && send.kind === 'triggered'
          ? t('pausedMessages', numbers)
          : t(`phase.${phase}`, numbers);
}

/**
 * Rate and time left, once there is a rate. If no message is being sent because the send waits: until when, and for what.
 */
export function SendPace({ send }: { send: Send }) {
  const { t } = useTranslation('sends');
  const format = useFormat();
  const { pace, waits_until, error_content, recipients_queued_count: count } = send;
  const words = () => {
    if (waits_until !== null) {
      const when = format.time(waits_until);
      // The reason is shown below.
      return error_content === null
        ? t('pace.waitsForAttempt', { when, count, number: format.number(count) })
        : t('pace.waits', { when });
    }
    if (pace === null) return undefined;
    const left = timeLeft(pace.seconds_left);
    return t(`pace.${left.unit}`, { rate: format.number(pace.per_minute), count: left.count });
  };
  return <QuietText>{words()}</QuietText>;
}
