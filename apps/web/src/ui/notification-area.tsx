import { useNotifications } from '@mantine/notifications';
import { lazy, Suspense, useState } from 'react';
import { loadChunk } from '#web/platform/lazy-chunks.ts';

const NotificationList = lazy(() => loadChunk(() => import('./notification-list.tsx')));

/** Renders the notifications of `notify`; loaded with the first notification at the latest. */
export function NotificationArea() {
  const isEmpty = useNotifications().notifications.length === 0;
  const [isNeeded, setNeeded] = useState(false);
  if (!isEmpty && !isNeeded) setNeeded(true);
  if (!isNeeded) return null;
  return (
    <Suspense fallback={null}>
      <NotificationList />
    </Suspense>
  );
}
