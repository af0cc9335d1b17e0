import type { SetupTask } from '@reachout/contract/organizations.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '#web/platform/api.ts';
import { preferencesQuery } from '#web/identity/account/preferences.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { setupQuery } from './setup-query.ts';

/** Preference key: the organizations whose checklist the user has hidden. */
const hiddenKey = 'setup.hidden';

export interface SetupState {
  tasks: readonly { task: SetupTask; done: boolean }[];
  /** Whether the first email has been sent. */
  hasSent: boolean;
  hidden: boolean;
  setHidden: (hidden: boolean) => Promise<void>;
}

interface KnownSetup {
  /** Undefined while unknown, if all tasks are done, and for read-only users. */
  setup: SetupState | undefined;
  isPending: boolean;
}

/** The remaining setup tasks. */
export function useSetup(): KnownSetup {
  const scope = useOrganization();
  const { orgId, can } = scope;
  const queryClient = useQueryClient();
  const canSetUp = can('create', 'Client');
  const known = useQuery({ ...setupQuery(scope), enabled: canSetUp });
  const preferences = useQuery(preferencesQuery);
  const stored = preferences.data?.[hiddenKey];
  const hiddenIn = Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];

  const isPending = canSetUp && (known.isLoading || preferences.isLoading);
  if (!canSetUp || known.data === undefined || preferences.isPending) return { setup: undefined, isPending };
  const { tasks } = known.data;
  if (tasks.every(({ done }) => done)) return { setup: undefined, isPending };
  const setup = {
    tasks,
    hasSent: tasks.some(({ task, done }) => task === 'touchpoint' && done),
    hidden: hiddenIn.includes(orgId),
    setHidden: async (hidden: boolean) => {
      const others = hiddenIn.filter((id) => id !== orgId);
      const map = await client.me.changePreferences({
        preferences: { [hiddenKey]: hidden ? [...others, orgId] : others },
      });
      queryClient.setQueryData(preferencesQuery.queryKey, map);
    },
  };
  return { setup, isPending };
}
