import { useState } from 'react';
import { api, client } from '#web/platform/api.ts';
import { changeLanguage } from '#web/i18n/i18n.ts';
import {
  currentPreferences,
  hasPreferences,
  keepPreferences,
  readPreferences,
  type Preferences,
} from '#web/platform/preferences.ts';
import { queryClient } from '#web/platform/query-client.ts';

/** The map as the server has it. Changes come from here only, so neither focus nor mounting asks again. */
export const preferencesQuery = api.me.preferences.queryOptions({
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 24 * 60 * 60 * 1000,
  refetchOnWindowFocus: false,
  refetchOnMount: false,
});

/**
 * Loads the preferences once after signing in. Only a browser that has no copy waits for them, so that nobody sees the
 * app in another language first. Without a response the app starts with what it has.
 */
export async function preparePreferences(): Promise<void> {
  if (queryClient.getQueryData(preferencesQuery.queryKey) !== undefined) return;
  const loaded = queryClient
    .fetchQuery({ ...preferencesQuery, retry: false })
    .then((map) => use(readPreferences(map)))
    .catch(() => undefined);
  if (!hasPreferences()) await loaded;
}

/** A new value per key; undefined goes back to the default. */
type PreferenceChanges = { [K in keyof Preferences]?: Preferences[K] | undefined };

/**
 * Applies at once, then saves; takes back what the server rejects.
 * @throws Problem when it could not be saved
 */
async function changePreferences(changes: PreferenceChanges): Promise<void> {
  const before = currentPreferences();
  await use(readPreferences({ ...before, ...changes }));
  try {
    const preferences = Object.fromEntries(
      Object.entries(changes).map(([key, value]) => [key, value ?? null]),
    );
    const map = await client.me.changePreferences({ preferences });
    queryClient.setQueryData(preferencesQuery.queryKey, map);
  } catch (error) {
    const taken = Object.keys(changes).map((key) => [key, before[key as keyof Preferences]]);
    await use(readPreferences({ ...currentPreferences(), ...Object.fromEntries(taken) }));
    throw error;
  }
}

async function use(preferences: Preferences): Promise<void> {
  if (preferences.language) await changeLanguage(preferences.language);
  keepPreferences(preferences);
}

export type ChangePreferences = (changes: PreferenceChanges) => void;

/** Applies at once; `error` is why the last change was taken back. */
export function useChangePreferences(): { error: unknown; change: ChangePreferences } {
  const [error, setError] = useState<unknown>();
  const change = (changes: PreferenceChanges) => {
    setError(undefined);
    changePreferences(changes).catch(setError);
  };
  return { error, change };
}
