import { Badge } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArchive,
  IconCheck,
  IconCircleDashed,
  IconClock,
  IconLoader,
  IconPlayerPause,
  IconPlayerPlay,
  IconX,
  type Icon,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { shared } from '#web/i18n/en/shared.ts';
import { useFormat } from '#web/i18n/format.ts';

type Known = keyof typeof shared.status;

interface Look {
  color: 'gray' | 'marine' | 'green' | 'yellow' | 'red';
  icon: Icon;
}

const draft: Look = { color: 'gray', icon: IconCircleDashed };
const waiting: Look = { color: 'marine', icon: IconClock };
const moving: Look = { color: 'marine', icon: IconLoader };
const good: Look = { color: 'green', icon: IconCheck };
const held: Look = { color: 'yellow', icon: IconPlayerPause };
const warning: Look = { color: 'yellow', icon: IconAlertTriangle };
const bad: Look = { color: 'red', icon: IconX };
const away: Look = { color: 'gray', icon: IconArchive };

/** Outcomes that are shown with the number of those who got nothing. */
const shortOutcomes: ReadonlySet<string> = new Set(['mostly_sent', 'partly_sent']);

const looks: Record<Known, Look> = {
  draft,
  scheduled: waiting,
  queued: waiting,
  pending: waiting,
  preparing: moving,
  sending: moving,
  running: { color: 'marine', icon: IconPlayerPlay },
  held,
  paused: held,
  completed: good,
  sent: good,
  mostly_sent: good,
  accepted: good,
  delivered: good,
  active: good,
  switched_off: away,
  inactive: away,
  archived: away,
  cancelled: away,
  declined: away,
  expired: away,
  revoked: away,
  skipped: away,
  excluded: away,
  suppressed: warning,
  deferred: warning,
  uncertain: warning,
  partly_sent: warning,
  suspended: warning,
  bounced: bad,
  complained: bad,
  subscribed: good,
  unsubscribed: away,
  partly_unsubscribed: warning,
  blocked: warning,
  no_address: bad,
  failed: bad,
  nothing_sent: bad,
  delivery_failed: bad,
};

const isKnown = (status: string): status is Known => Object.hasOwn(looks, status);

const lookOf = (status: string): Look => (isKnown(status) ? looks[status] : draft);

/** Only the icon in its color, where the text is beside it or in its tooltip. */
export function StatusMark({ status }: { status: string }) {
  const { color, icon: Icon } = lookOf(status);
  return <Icon size={16} className="status-icon thick-icon" data-tone={color} aria-hidden />;
}

/**
 * @returns a function that names a status; for a send that missed some recipients, with their number. A status that this
 *   release does not know stays unchanged.
 */
export function useStatusText(): (status: string, notDelivered?: number) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (status, notDelivered = 0) => {
    const name = isKnown(status) ? t(`status.${status}`) : status;
    const isShort = notDelivered > 0 && shortOutcomes.has(status);
    return isShort ? t('notDelivered', { status: name, number: format.number(notDelivered) }) : name;
  };
}

interface Props {
  status: string;
  notDelivered?: number | undefined;
  /** Replaces the status text. */
  label?: string | undefined;
}

/** Icon, text and tint. */
export function StatusBadge({ status, notDelivered, label }: Props) {
  const statusText = useStatusText();
  const look = lookOf(status);
  const StatusIcon = look.icon;
  return (
    <Badge
      color={look.color}
      className="status-badge"
      data-tone={look.color}
      leftSection={<StatusIcon size={14} className="thick-icon" aria-hidden />}
    >
      {label ?? statusText(status, notDelivered)}
    </Badge>
  );
}
