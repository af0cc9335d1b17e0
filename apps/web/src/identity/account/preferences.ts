import { useState } from 'react';
import { api, client } from '#web/platform/api.ts';
import { startedEarly } from '#web/platform/early-start.ts';
import { changeLanguage } from '#web/i18n/i18n.ts';
import {
  currentPreferences,
  hasPreferences,
  keepPreferences,
  readPreferences,
  type ColumnsKey,
  type PanelKey,
  type Preferences,
} from '#web/platform/preferences.ts';
import { queryClient } from '#web/platform/query-client.ts';

/** The preferences stored on the server. Only this app changes them, so neither focus nor mounting refetches them. */
export const preferencesQuery = startedEarly(
  'preferences',
  api.me.preferences.queryOptions({
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 24 * 60 * 60 * 1000,
    refetchOnWindowFocus: false,
    refetchOnMount: false,
  }),
);

/**
 * Loads the preferences once after sign-in. Only a browser without a stored copy waits for them, so that the app never
 * appears in the wrong language first. If the request fails, the app starts with what it has.
 */
export async function preparePreferences(): Promise<void> {
  if (queryClient.getQueryData(preferencesQuery.queryKey) !== undefined) return;
  const loaded = queryClient
    .fetchQuery({ ...preferencesQuery, retry: false })
    .then((map) => use(readPreferences(map)))
    .catch(() => undefined);
  if (!hasPreferences()) await loaded;
}

/** New values by key; undefined resets to the default. */
type PreferenceChanges = {
  [K in Exclude<keyof Preferences, ColumnsKey | PanelKey>]?: Preferences[K] | undefined;
} & { [key: ColumnsKey | PanelKey]: string[] | number | undefined };

/**
 * Applies changes optimistically and saves them; reverts them if the server rejects them.
 * @throws Problem if saving failed
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

/** Applies changes optimistically; `error` is why the last change was reverted. */
export function useChangePreferences(): { error: unknown; change: ChangePreferences } {
  const [error, setError] = useState<unknown>();
  const change = (changes: PreferenceChanges) => {
    setError(undefined);
    changePreferences(changes).catch(setError);
  };
  return { error, change };
}
