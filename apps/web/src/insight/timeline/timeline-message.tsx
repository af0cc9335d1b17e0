import { Group, Text } from '@mantine/core';
import type { ContactEvent, ContactMessage } from '@reachout/contract/contacts.ts';
import {
  IconAlertTriangle,
  IconClick,
  IconMailOff,
  IconMailOpened,
  IconRobot,
  type Icon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { useSendErrorText } from '#web/ui/send-error-text.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Time } from '#web/ui/time.tsx';
import classes from './timeline-message.module.css';

/** One message: brand, result and events. */
export function TimelineMessage({ message }: { message: ContactMessage }) {
  const { t } = useTranslation('timeline');
  const { orgId } = useOrganization();
  const errorText = useSendErrorText();
  const { touchpoint, client, brand, campaign, events, links_count, reply, error, state, at } = message;
  const followed = events.filter(({ type }) => type === 'CLICK').length;
  return (
    <li className={classes.message}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div className={classes.words}>
          <LinkAnchor
            fw={500}
            className="break"
            to="/o/$orgId/touchpoints/$touchpointId"
            params={{ orgId, touchpointId: touchpoint.id }}
          >
            {touchpoint.name}
          </LinkAnchor>
          <Text size="sm" c="dimmed" className="break">
            {t('place', { client: client.name, brand: brand.name, campaign: campaign.name })}
          </Text>
        </div>
        <div className={classes.end}>
          <StatusBadge status={state} />
          <Text size="xs" c="dimmed" component="div" mt={2}>
            <Time at={at} as="dateTime" />
          </Text>
        </div>
      </Group>
      {(events.length > 0 || (state !== 'sent' && (reply !== null || error !== null))) && (
        <ul className={classes.events}>
          {state !== 'sent' && reply !== null && (
            <Line icon={IconAlertTriangle}>{t('reply', { reply })}</Line>
          )}
          {error !== null && <Line icon={IconAlertTriangle}>{errorText(error)}</Line>}
          {events.map((event) => (
            <EventLine key={`${event.type} ${event.url}`} event={event} />
          ))}
          {links_count > followed && <Line>{t('moreLinks', { count: links_count - followed })}</Line>}
        </ul>
      )}
    </li>
  );
}

const icons: Record<ContactEvent['type'], Icon> = {
  OPEN_EMAIL: IconMailOpened,
  CLICK: IconClick,
  BOUNCE: IconAlertTriangle,
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
      return t('bounced');
    default:
      return t('unsubscribed');
  }
}

function Line({ icon: LineIcon, children }: { icon?: Icon; children: ReactNode }) {
  return (
    <li className={classes.event}>
      {LineIcon && <LineIcon size={16} stroke={1.75} className="quiet-icon" aria-hidden />}
      <span className={classes.text}>{children}</span>
    </li>
  );
}
