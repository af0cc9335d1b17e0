import { Alert } from '@mantine/core';
import { IconCalendarEvent } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { usePlannedTime } from '#web/i18n/planned-time.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';

/** While an email is planned, what is written here is not what is sent. */
export function PlannedNotice() {
  const { t } = useTranslation('touchpoints');
  const { touchpoint } = useTouchpoint();
  const plannedTime = usePlannedTime();
  const when =
    touchpoint.scheduled_date && plannedTime(touchpoint.scheduled_date, touchpoint.scheduled_date_tz);
  return (
    <Alert
      color={touchpoint.is_changed ? 'yellow' : 'gray'}
      variant="light"
      icon={<IconCalendarEvent size={18} stroke={1.75} />}
      title={t('planned.title', { when })}
    >
      {t(touchpoint.is_changed ? 'planned.changed' : 'planned.body')}
    </Alert>
  );
}
