import type { SetupTask } from '@reachout/contract/organizations.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '#web/platform/api.ts';
import { readLocal, writeLocal } from '#web/platform/local.ts';
import { preferencesQuery } from '#web/identity/account/preferences.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { setupQuery } from './setup-query.ts';

/** The organizations whose checklist a person does not want to see, in the map of preferences. */
const hiddenKey = 'setup.hidden';

/** In this browser. */
const doneKey = 'setup';

export interface SetupState {
  tasks: readonly { task: SetupTask; done: boolean }[];
  hidden: boolean;
  setHidden: (hidden: boolean) => Promise<void>;
}

/**
 * Whether the checklist will probably be shown once it is known: its place is kept, so that the page does not move. This
 * browser remembers where there is none any more.
 */
export function useIsSetupExpected(setup: SetupState | undefined): boolean {
  const scope = useOrganization();
  const { orgId, can } = scope;
  const isPending = useQuery({ ...setupQuery(scope), enabled: can('create', 'Client') }).isPending;
  const isShown = setup?.hidden === false;
  useEffect(() => {
    if (!isPending) writeLocal(doneKey, isShown ? '' : orgId);
  }, [isPending, isShown, orgId]);
  return isPending && can('create', 'Client') && readLocal(doneKey) !== orgId;
}

/** What is still to set up; undefined while that is not known, when all is done, and for those who only look. */
export function useSetup(): SetupState | undefined {
  const scope = useOrganization();
  const { orgId, can } = scope;
  const queryClient = useQueryClient();
  const canSetUp = can('create', 'Client');
  const setup = useQuery({ ...setupQuery(scope), enabled: canSetUp });
  const preferences = useQuery(preferencesQuery);
  const stored = preferences.data?.[hiddenKey];
  const hiddenIn = Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];

  if (!canSetUp || setup.data === undefined || preferences.isPending) return undefined;
  if (setup.data.tasks.every(({ done }) => done)) return undefined;
  return {
    tasks: setup.data.tasks,
    hidden: hiddenIn.includes(orgId),
    setHidden: async (hidden) => {
      const others = hiddenIn.filter((id) => id !== orgId);
      const map = await client.me.changePreferences({
        preferences: { [hiddenKey]: hidden ? [...others, orgId] : others },
      });
      queryClient.setQueryData(preferencesQuery.queryKey, map);
    },
  };
}
