import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { SessionWatch } from '../session/session-watch.tsx';
import { ApplyPreferences } from '../shell/apply-preferences.tsx';
import { OutdatedNotice } from '../shell/outdated-notice.tsx';

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
