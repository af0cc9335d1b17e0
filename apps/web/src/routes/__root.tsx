import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { SessionWatch } from '#web/identity/auth/session-watch.tsx';
import { ApplyPreferences } from '#web/shell/apply-preferences.tsx';
import { ConnectionNotice } from '#web/shell/connection-notice.tsx';

interface RouterContext {
  queryClient: QueryClient;
}

export const Route = createRootRouteWithContext<RouterContext>()({ component: Root });

function Root() {
  return (
    <>
      <ApplyPreferences />
      <ConnectionNotice />
      <Outlet />
      <SessionWatch />
    </>
  );
}
