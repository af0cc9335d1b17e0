import { useState } from 'react';
import { changePreferences, type PreferenceChanges } from './preferences.ts';

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
