import { useNavigate } from '@tanstack/react-router';
import { refresh } from '#web/platform/query-client.ts';

/** For mutations that close the open organization to the user: its pages are left before anything is read again. */
export function useLeavingOrganization() {
  const navigate = useNavigate();
  return {
    meta: { refreshes: false },
    onSuccess: async () => {
      await navigate({ to: '/organizations' });
      await refresh('me');
    },
  };
}
