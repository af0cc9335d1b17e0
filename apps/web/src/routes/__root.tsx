import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { SessionWatch } from '#web/identity/auth/session-watch.tsx';
import { ApplyPreferences } from '#web/shell/apply-preferences.tsx';
import { OutdatedNotice } from '#web/shell/outdated-notice.tsx';

interface RouterContext {
  queryClient: QueryClient;
}

export const Route = createRootRouteWithContext<RouterContext>()({ component: Root });

function Root() {
  return (
    <>
      <ApplyPreferences />
      <OutdatedNotice />
      <Outlet />
      <SessionWatch />
    </>
  );
}
