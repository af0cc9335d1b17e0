import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { changeLanguage } from '#web/i18n/i18n.ts';
import { usePreferences } from '#web/platform/preferences.ts';

/** Applies the user's preferences to the page. Language and theme stay set in this browser after a sign-out. */
export function ApplyPreferences() {
  const { language, theme, density, motion } = usePreferences();
  const { setColorScheme } = useMantineColorScheme();
  const setTheme = useEffectEvent(setColorScheme);
  useEffect(() => {
    if (theme) setTheme(theme);
  }, [theme]);
  useEffect(() => {
    // Another tab has changed the language.
    if (language && language !== document.documentElement.lang) void changeLanguage(language);
  }, [language]);
  useEffect(() => {
    document.documentElement.dataset['density'] = density ?? 'comfortable';
    document.documentElement.dataset['motion'] = motion ?? 'system';
  }, [density, motion]);
  return null;
}
