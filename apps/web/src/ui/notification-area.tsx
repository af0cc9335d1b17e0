import { useNotifications } from '@mantine/notifications';
import { useState } from 'react';
import { lazyPart } from '#web/platform/lazy-part.tsx';

const NotificationList = lazyPart(() => import('./notification-list.tsx'));

/** Renders the notifications of `notify`; loaded with the first notification at the latest. */
export function NotificationArea() {
  const isEmpty = useNotifications().notifications.length === 0;
  const [isNeeded, setNeeded] = useState(false);
  if (!isEmpty && !isNeeded) setNeeded(true);
  return isNeeded && <NotificationList />;
}
