import { useQuery, useQueryClient } from '@tanstack/react-query';
import { preferencesQuery } from '#web/identity/account/preferences.ts';
import { client } from '#web/platform/api.ts';

/** Preference key: ids of clients in all organizations of the user. */
const key = 'clients.pinned';

/** Each pinned client is loaded when the menu opens. */
const maxPins = 10;

/** The clients that the user has pinned, in the order of pinning. */
export function usePinnedClients() {
  const queryClient = useQueryClient();
  const stored = useQuery(preferencesQuery).data?.[key];
  const pinned = Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  const toggle = async (id: string) => {
    const next = pinned.includes(id) ? pinned.filter((other) => other !== id) : [...pinned, id];
    const show = (map: object) => queryClient.setQueryData(preferencesQuery.queryKey, map as never);
    const before = queryClient.getQueryData(preferencesQuery.queryKey);
    show({ ...before, [key]: next });
    try {
      show(await client.me.changePreferences({ preferences: { [key]: next } }));
    } catch {
      show(before ?? {});
    }
  };
  return { pinned, isFull: pinned.length >= maxPins, toggle: (id: string) => void toggle(id) };
}
