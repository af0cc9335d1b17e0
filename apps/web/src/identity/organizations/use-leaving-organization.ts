import { useNavigate } from '@tanstack/react-router';
import { refresh } from '#web/platform/query-client.ts';

/** For mutations that end the user's access to the current organization: leaves its pages before anything is refetched. */
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
