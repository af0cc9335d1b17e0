import { Text } from '@mantine/core';
import type { ContactEvent, ContactMessage } from '@reachout/contract/contacts.ts';
import {
  IconAlertTriangle,
  IconClick,
  IconMailOff,
  IconMailOpened,
  IconRobot,
  IconSitemap,
  type Icon,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { loadEventGraphTexts } from '#web/i18n/i18n.ts';
import { useFormat } from '#web/i18n/format.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { useSendErrorText } from '#web/ui/send-error-text.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { TimelineEntry, TimelineLine as Line } from './timeline-entry.tsx';

const MessageCause = lazyPart(() => import('#web/delivery/graph/message-cause.tsx'), {
  texts: loadEventGraphTexts,
});

/** One message: brand, why it was sent, result and events. */
export function TimelineMessage({ message }: { message: ContactMessage }) {
  const { t } = useTranslation('timeline');
  const errorText = useSendErrorText();
  const { cause, events, links_count, reply, error, state, at } = message;
  const followed = events.filter(({ type }) => type === 'CLICK').length;
  const hasLines =
    cause !== null || events.length > 0 || (state !== 'sent' && (reply !== null || error !== null));
  return (
    <TimelineEntry place={message} end={<StatusBadge status={state} />} at={at}>
      {hasLines && (
        <>
          {cause && (
            <Line icon={IconSitemap}>
              <MessageCause cause={cause} />
            </Line>
          )}
          {state !== 'sent' && reply !== null && (
            <Line icon={IconAlertTriangle}>{t('reply', { reply })}</Line>
          )}
          {error !== null && <Line icon={IconAlertTriangle}>{errorText(error)}</Line>}
          {events.map((event) => (
            <EventLine key={`${event.type} ${event.url}`} event={event} />
          ))}
          {links_count > followed && <Line>{t('moreLinks', { count: links_count - followed })}</Line>}
        </>
      )}
    </TimelineEntry>
  );
}

const icons: Record<ContactEvent['type'], Icon> = {
  OPEN_EMAIL: IconMailOpened,
  CLICK: IconClick,
  BOUNCE: IconAlertTriangle,
  COMPLAINT: IconAlertTriangle,
  UNSUBSCRIBE: IconMailOff,
};

/** Time of the first event and number of events; those of bots are shown separately. */
function EventLine({ event }: { event: ContactEvent }) {
  const { t } = useTranslation('timeline');
  const format = useFormat();
  const { type, at, count, bot_count } = event;
  const more = [
    at === null ? '' : format.dateTime(at),
    count > 1 ? t('times', { count }) : '',
    bot_count > 0 ? t('bots', { count: bot_count }) : '',
  ].filter((part) => part !== '');
  return (
    <Line icon={count === 0 ? IconRobot : icons[type]}>
      <EventWords event={event} />
      <Text span inherit c="dimmed">
        {' '}
        · {more.join(' · ')}
      </Text>
    </Line>
  );
}

function EventWords({ event: { type, url, count } }: { event: ContactEvent }) {
  const { t } = useTranslation('timeline');
  switch (type) {
    case 'OPEN_EMAIL':
      return t(count === 0 ? 'openedByBots' : 'opened');
    case 'CLICK':
      if (url === null) return t('clickedUnknown');
      return count === 0 ? t('clickedByBots', { url }) : t('clicked', { url });
    case 'BOUNCE':
      return t('status.bounced');
    case 'COMPLAINT':
      return t('complained');
    default:
      return t('unsubscribed');
  }
}
