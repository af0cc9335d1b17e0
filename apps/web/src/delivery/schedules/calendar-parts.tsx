// By hand: entries of a calendar.
import { Menu } from '@mantine/core';
import type { Occurrence } from '@reachout/contract/schedules.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';
import { isChangeable } from './calendar-entry.ts';
import classes from './calendar.module.css';

/** The link of an entry: to its send, or to its email if it has none yet. */
export function EntryLink({ entry, children }: { entry: Occurrence; children: ReactNode }) {
  const { orgId } = useOrganization();
  const { send_id: sendId, touchpoint } = entry;
  const looks = { className: classes.link ?? '', draggable: false } as const;
  return sendId === null ? (
    <LinkAnchor
      {...looks}
      to="/o/$orgId/touchpoints/$touchpointId"
      params={{ orgId, touchpointId: touchpoint.id }}
    >
      {children}
    </LinkAnchor>
  ) : (
    <LinkAnchor
      {...looks}
      to="/o/$orgId/touchpoints/$touchpointId/sends/$sendId"
      params={{ orgId, touchpointId: touchpoint.id, sendId }}
    >
      {children}
    </LinkAnchor>
  );
}

interface MenuProps {
  entry: Occurrence;
  size?: number;
  onChangeTime: (entry: Occurrence) => void;
}

/** "Move to…": what dragging does, for the keyboard, and for the time of day. */
export function EntryMenu({ entry, size = 32, onChangeTime }: MenuProps) {
  const { t } = useTranslation('schedules');
  const { can } = useOrganization();
  if (!isChangeable(entry) || !can('send', 'Touchpoint')) return null;
  return (
    <span className={classes.menu}>
      <RowMenu name={entry.touchpoint.name} size={size}>
        <Menu.Item onClick={() => onChangeTime(entry)}>{t('moveTo')}</Menu.Item>
      </RowMenu>
    </span>
  );
}

/** Marks an email that is close to another one of its brand. */
export function CloseMark({ entry }: { entry: Occurrence }) {
  const { t } = useTranslation('schedules');
  const label = t('calendar.isClose', { brand: entry.brand.name });
  return (
    <Tooltip label={label}>
      <span className={classes.close} role="img" aria-label={label}>
        <IconAlertTriangle size={14} className="thick-icon" aria-hidden />
      </span>
    </Tooltip>
  );
}
