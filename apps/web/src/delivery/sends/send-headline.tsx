import { Text, VisuallyHidden } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { hasEnded } from '@reachout/contract/states/send.ts';
import { IconSend } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useDistance } from '#web/i18n/planned-time.ts';
import classes from './send-headline.module.css';
import { useNow } from '#web/ui/use-now.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { isPlanned, sendOutcome } from './send-outcome.ts';
import { SendPace, useSendWords } from './send-words.tsx';

/** The state of the send in one sentence. */
export function SendHeadline({ send, live }: { send: Send; live: boolean }) {
  const { t } = useTranslation(['sends', 'sendPage']);
  const format = useFormat();
  const { phase, percent, notSent } = sendOutcome(send);
  const distance = useDistance();
  const now = useNow(live);
  const sendWords = useSendWords(send, live);
  const isAhead =
    phase === 'waiting' && isPlanned(send) && new Date(send.send_date).getTime() - now > 120_000;
  const words = isAhead ? t('phase.waiting', { when: distance(send.send_date, now) }) : sendWords;
  return (
    <div>
      <Text size="xl" fw={650}>
        {phase === 'waiting' && <IconSend className={classes.liftOff} size={22} aria-hidden />}
        {words}
        {hasEnded(send) && notSent > 0 && (
          <>
            {' '}
            <LinkAnchor
              to="/o/$orgId/touchpoints/$touchpointId/sends/$sendId"
              params={{ orgId: send.organization_id, touchpointId: send.touchpoint_id, sendId: send.id }}
              search={{ state: 'not_sent' }}
              hash="recipients"
              ms="sm"
              fz="sm"
            >
              {t('sendPage:why')}
            </LinkAnchor>
          </>
        )}
      </Text>
      {phase === 'waiting' && <Countdown send={send} />}
      {phase === 'moving' && <SendPace send={send} />}
      {/* Announced to screen readers in steps of ten percent only. */}
      <VisuallyHidden role="status">
        {phase === 'moving'
          ? t('sendPage:announce', { percent: format.percent(Math.floor(percent / 10) / 10) })
          : phase === 'waiting' && !isAhead
            ? t('phase.waiting', { when: format.time(send.send_date) })
            : words}
      </VisuallyHidden>
    </div>
  );
}

/** The remaining time in which a confirmed send can be undone. */
function Countdown({ send }: { send: Send }) {
  const now = useNow(true);
  const left = (new Date(send.send_date).getTime() - now) / waitingMs;
  if (left > 1) return null;
  return (
    <div className={classes.countdown} aria-hidden>
      <div style={{ transform: `scaleX(${Math.max(0, left)})` }} />
    </div>
  );
}

/** "One minute after you confirm." */
const waitingMs = 60_000;
